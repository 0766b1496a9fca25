// SPDX-License-Identifier: Apache-2.0
// Floods of TCP and ARP at a board, from a fixed seed and from one of today: each honest client beside them is served
// within 1 s of the board's time.
#include "floods.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>

#include "command.hpp"

namespace {

struct Flood {
  const char* kind;
  unsigned rate;
  unsigned delay_ms;
};

class BoardFloods : public testing::TestWithParam<Flood> {};

TEST_P(BoardFloods, HonestClientsAreServedWithinASecond) {
  constexpr unsigned day_s = 86'400;
  for (const unsigned seed : {1U, static_cast<unsigned>(std::time(nullptr) / day_s)}) {
    SCOPED_TRACE("flood --seed " + std::to_string(seed));
    test::FloodOptions options;
    options.kind = GetParam().kind;
    options.rate = GetParam().rate;
    options.delay_ms = GetParam().delay_ms;
    options.seed = seed;
    const test::FloodResult result = test::run_flood(test::command, options);
    EXPECT_TRUE(result.is_listening) << result.said;
    EXPECT_EQ(result.served, options.clients);
    EXPECT_LE(result.worst_ms, 1'000U);
    EXPECT_TRUE(result.is_served_after);
    EXPECT_GT(result.sent, 10U);
  }
}

INSTANTIATE_TEST_SUITE_P(, BoardFloods,
                         testing::Values(Flood{"syn-flood", 600, 20}, Flood{"syn-flood", 150, 100},
                                         Flood{"syn-flood", 2'000, 0}, Flood{"syn-flood-far", 600, 20},
                                         Flood{"stall-silent", 20, 20}, Flood{"stall-byte", 20, 20},
                                         Flood{"stall-window", 5, 20}, Flood{"stall-window", 20, 20},
                                         Flood{"connect-close", 20, 20}, Flood{"connect-many", 50, 20},
                                         Flood{"connect-many", 2'000, 0}, Flood{"ack-junk", 2'000, 0},
                                         Flood{"arp-others", 2'000, 0}, Flood{"arp-for-us", 2'000, 0},
                                         Flood{"arp-spoof-peer", 2'000, 0}, Flood{"arp-same-ip", 2'000, 0}),
                         [](const auto& flood) {
                           std::string name = flood.param.kind + std::string("_") + std::to_string(flood.param.rate);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
