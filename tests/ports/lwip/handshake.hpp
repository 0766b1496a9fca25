// SPDX-License-Identifier: Apache-2.0
// A board with a TCP listener, and the frames of its clients. The test makes the frames without lwIP. Time is an
// argument, so no test waits.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mcp/ports/lwip_network.hpp"
#include "mcp/ports/lwip_tcp.hpp"
#include "support/bench.hpp"
#include "tap.hpp"
#include "tcp_packets.hpp"
#include "time.hpp"

namespace test::handshake {

using lwip_time::now;

inline constexpr Ip board{10, 0, 0, 1};
inline constexpr Mac stranger_mac{2, 0, 0, 0, 0, 9};
inline constexpr unsigned port = 80;

class Handshake : public testing::Test {
 protected:
  Tap tap;
  CountingEntropy entropy;
  mcp::lwip::Network network{tap, entropy, now};
  mcp::lwip::TcpConnection pool[3];
  std::optional<mcp::lwip::TcpListener> listener;
  std::vector<Segment> heard;

  Handshake() {
    network.use(board, {255, 255, 255, 0}, {});
    listener.emplace(network, pool, port);
    EXPECT_TRUE(listener->ok());
  }
  ~Handshake() override {
    listener.reset();
    pass(300'000);
  }

  // A client at its own address. A client with a spoofed address never gets the responses.
  struct Host {
    Ip address;
    unsigned port;
    std::uint32_t sequence = 1'000;
    std::uint32_t theirs = 0;  // the sequence number of the answer
    Mac mac = stranger_mac;
    unsigned window = 4'000;
  };

  unsigned to_port = port;  // of clients
  unsigned arp_requests = 0, arp_replies = 0;
  bool answers_arp = true;

  void turn() {
    static_cast<void>(network.poll(now));
    for (const Bytes& frame : std::exchange(tap.sent, {})) {
      const auto arp = read_arp(frame);
      if (arp && arp->operation == 2 && arp->from == board && arp->from_mac == Tap::mac) ++arp_replies;
      if (arp && arp->operation == 1 && ++arp_requests != 0 && answers_arp)
        tap.received.push_back(arp_frame({2, stranger_mac, arp->to, board}, Tap::mac, Tap::mac));
      if (auto segment = read_tcp(frame)) heard.push_back(std::move(*segment));
    }
  }
  void pass(mcp::Millis ms) {
    for (const mcp::Millis end = now + ms; now != end; now += std::min<mcp::Millis>(10, end - now)) turn();
    for (int i = 0; i < 4; ++i) turn();
  }
  void send(const Host& host, unsigned flags, const std::string& data = {}, const Bytes& options = {}) {
    const std::uint32_t next = host.sequence + ((flags & syn) != 0 ? 0 : 1);
    tap.received.push_back(tcp_frame({.from = host.address,
                                      .to = board,
                                      .from_port = host.port,
                                      .to_port = to_port,
                                      .sequence = next,
                                      .acknowledged = (flags & ack) != 0 ? host.theirs + 1 : 0,
                                      .flags = flags,
                                      .window = host.window,
                                      .options = options,
                                      .data = data,
                                      .from_mac = host.mac,
                                      .to_mac = Tap::mac}));
    for (int i = 0; i < 4; ++i) turn();
  }
  // The last received segment with these flags.
  [[nodiscard]] const Segment* answer_to(const Host& host, unsigned flags) const {
    for (auto at = heard.rbegin(); at != heard.rend(); ++at) {
      if (at->to == host.address && at->to_port == host.port && (at->flags & flags) == flags) return &*at;
    }
    return nullptr;
  }
  // Waits for the answer to the first segment, and acknowledges it.
  bool connect(Host& host, mcp::Millis limit_ms) {
    for (mcp::Millis passed = 0; answer_to(host, syn | ack) == nullptr && passed < limit_ms; passed += 10) pass(10);
    const Segment* const answer = answer_to(host, syn | ack);
    if (answer == nullptr) return false;
    EXPECT_EQ(answer->acknowledged, host.sequence + 1);
    host.theirs = answer->sequence;
    send(host, ack);
    return true;
  }
  // A neighbour that asks for an address of the board's network.
  void ask_for(Ip to, const Host& from) {
    tap.received.push_back(arp_frame({1, from.mac, from.address, to}, to_all, {}));
    turn();
  }
  // The client with later bytes.
  static Host after(Host host, std::uint32_t size) {
    host.sequence += size;
    return host;
  }
  // A client of 10.0.0.3 in each slot.
  std::vector<mcp::Connection*> fill() {
    std::vector<mcp::Connection*> accepted;
    for (unsigned i = 0; i < std::size(pool); ++i) {
      Host host{.address = {10, 0, 0, 3}, .port = 6'000 + i};
      send(host, syn);
      EXPECT_TRUE(connect(host, 20));
      accepted.push_back(listener->accept());
      EXPECT_NE(accepted.back(), nullptr);
    }
    pass(1'000);  // ARP asks for one client in a second
    return accepted;
  }
  static Host spoofed(unsigned i) {
    return {.address = {10, 0, 0, static_cast<std::uint8_t>(50 + i % 150)}, .port = 1'000 + i};
  }
  static std::string read(mcp::Connection& connection) {
    char bytes[700];
    const mcp::IoResult result = connection.read(bytes);
    return {bytes, result.status == mcp::IoStatus::ok ? result.size : 0};
  }
};

}  // namespace test::handshake
