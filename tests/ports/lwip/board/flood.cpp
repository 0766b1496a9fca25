// SPDX-License-Identifier: Apache-2.0
// Floods a board in the emulator, and prints how many honest clients it has served beside, and the longest time of one.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "floods.hpp"

namespace {

int usage() {
  std::fprintf(stderr,
               "usage: flood [--kind KIND] [--rate PER_SECOND] [--delay MS] [--clients N] [--seed N] "
               "EMULATE BOARD IMAGE\nkinds:");
  for (const std::string_view kind : test::floods())
    std::fprintf(stderr, " %.*s", static_cast<int>(kind.size()), kind.data());
  std::fprintf(stderr, "\n");
  return 2;
}

}  // namespace

int main(int count, char** texts) {
  test::FloodOptions options;
  int at = 1;
  for (; at + 1 < count && std::string_view(texts[at]).starts_with("--"); at += 2) {
    const std::string_view name = texts[at];
    const auto number = static_cast<unsigned>(std::strtoul(texts[at + 1], nullptr, 10));
    if (name == "--kind") {
      options.kind = texts[at + 1];
    } else if (name == "--rate") {
      options.rate = number;
    } else if (name == "--delay") {
      options.delay_ms = number;
    } else if (name == "--clients") {
      options.clients = number;
    } else if (name == "--seed") {
      options.seed = number;
    } else {
      return usage();
    }
  }
  if (count - at != 3) return usage();
  const test::FloodResult result = test::run_flood({texts[at], texts[at + 1], texts[at + 2]}, options);
  std::printf("%.*s, %u/s, %u ms: %u of %u clients served, the slowest after %u ms; %u resets; %u frames\n",
              static_cast<int>(options.kind.size()), options.kind.data(), options.rate, options.delay_ms, result.served,
              options.clients, result.worst_ms, result.resets, result.sent);
  if (!result.is_listening) std::printf("the board did not listen: %s\n", result.said.c_str());
  return result.served == options.clients && result.worst_ms <= 1'000 ? 0 : 1;
}
