// SPDX-License-Identifier: Apache-2.0
// A DHCP server in a test, and the board that requests a lease from it. Time is an argument.
#pragma once

#include <gtest/gtest.h>
#include <lwip/dhcp.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mcp/ports/lwip_network.hpp"
#include "support/bench.hpp"
#include "tap.hpp"
#include "time.hpp"

namespace test::dhcp {

using lwip_time::now;

inline constexpr Ip server_address{10, 0, 0, 9};
inline constexpr Mac server_mac{2, 0, 0, 0, 0, 9};
inline constexpr Ip good_address{10, 0, 0, 1};
inline constexpr unsigned discover = 1, offer = 2, request = 3, ack = 5, nak = 6;

/// The lease of a server, and the fields of its message with the options.
struct Lease {
  Ip address = good_address;
  std::optional<Ip> mask = Ip{255, 255, 255, 0};
  Ip gateway = {};
  Bytes more = {};             // options
  std::vector<Bytes> in = {};  // options in the fields for a file name and a server's name
  std::uint32_t seconds = 86'400;
};

/// The board, and the server that answers it.
class Dhcp : public testing::Test {
 protected:
  Tap tap;
  CountingEntropy entropy;
  mcp::lwip::Network network{tap, entropy, now};
  std::vector<Udp> asked;
  unsigned messages = 0;  // of the board
  unsigned probes = 0;    // whether another device has an address
  std::vector<Ip> announced;  // the address of the board in each of its ARP messages

  // Advances the time until the board sends this request.
  bool until_asked(unsigned kind, mcp::Millis limit_ms = 120'000, mcp::Millis step_ms = 10) {
    asked.clear();
    for (mcp::Millis passed = 0; passed < limit_ms; passed += step_ms) {
      static_cast<void>(network.poll(now));
      for (const Bytes& frame : std::exchange(tap.sent, {})) {
        const auto arp = read_arp(frame);
        if (arp) announced.push_back(arp->from);
        if (arp && arp->operation == 1 && arp->from == Ip{}) ++probes;
        if (arp && arp->operation == 1 && arp->to == server_address)
          tap.received.push_back(arp_frame({2, server_mac, server_address, arp->from}, tap.mac, tap.mac));
        auto udp = read_udp(frame);
        if (!udp || udp->to_port != 67) continue;
        ++messages;
        asked.push_back(std::move(*udp));
      }
      if (!asked.empty() && asked.back().data.at(242) == kind) return true;
      now += step_ms;
    }
    return false;
  }

  // The server is silent.
  void pass(mcp::Millis ms) { EXPECT_FALSE(until_asked(0, ms, 100)); }

  void answer(unsigned kind, const Lease& lease) {
    Writer options;
    if (lease.mask) options.u8(1).u8(4).all(*lease.mask);
    if (lease.gateway != Ip{}) options.u8(3).u8(4).all(lease.gateway);
    options.all(lease.more);
    tap.received.push_back(dhcp_frame(asked.back().data, kind, lease.address, server_address, server_mac, options.bytes,
                                      lease.in, lease.seconds));
    while (!tap.received.empty()) static_cast<void>(network.poll(now));
  }

  // Whether a board that requests an address accepts this lease: in an offer, and in an acknowledgement.
  bool takes_offer(const Lease& lease) {
    start();
    answer(offer, lease);
    return until_asked(request, 100);
  }
  bool takes_ack(const Lease& lease) {
    start();
    answer(offer, {});
    EXPECT_TRUE(until_asked(request));
    answer(ack, lease);
    return network.ready();
  }
  void start() {
    stop();
    network.use_dhcp();
    ASSERT_TRUE(until_asked(discover));
  }
  void stop() {
    dhcp_release_and_stop(&network.interface());
    tap.sent.clear();
  }

  // Asks for the board's address like its neighbours.
  [[nodiscard]] std::string address() const {
    char text[16];
    return std::string(network.address(text));
  }
};

}  // namespace test::dhcp
