// SPDX-License-Identifier: Apache-2.0
// A device that announces its names with mDNS. The test plays all other devices in the network.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mcp/ports/lwip_mdns.hpp"
#include "mcp/ports/lwip_network.hpp"
#include "pools.hpp"
#include "support/bench.hpp"
#include "tap.hpp"
#include "time.hpp"

namespace test::mdns {

using lwip_time::now;
using mcp::lwip::Announcement;
using mcp::lwip::MdnsResponder;
using mcp::lwip::Network;

inline constexpr Ip board{10, 0, 0, 1};
inline constexpr Ip other{10, 0, 0, 9};
inline constexpr Mac other_mac{2, 0, 0, 0, 0, 9};
inline constexpr std::string_view type = "_mcp._tcp.local.";
inline constexpr std::string_view all_types = "_services._dns-sd._udp.local.";
inline constexpr std::string_view reverse = "1.0.0.10.in-addr.arpa.";
inline const std::vector<std::string> texts{"path=/mcp", "proto=http", "auth=none"};

struct Heard {
  mcp::Millis at;
  test::Udp udp;
  dns::Message message;
};

class Mdns : public testing::Test {
 protected:
  test::Tap tap;
  test::CountingEntropy entropy;
  Network network{tap, entropy, now};
  Announcement announcement{.host = "thermometer", .name = "Thermometer", .port = 80};
  std::unique_ptr<MdnsResponder> responder;
  std::vector<Heard> heard;  // messages of mDNS, in the order in which they were sent
  unsigned reports = 0;      // of IGMP

  Mdns() { network.use(board, {255, 255, 255, 0}, {}); }

  // Nothing is left when it is gone.
  ~Mdns() override {
    responder.reset();
    pass(60'000);
    EXPECT_EQ(test::Taken(MEMP_SYS_TIMEOUT).size(), std::size_t{MEMP_NUM_SYS_TIMEOUT});
    EXPECT_EQ(test::Taken(MEMP_PBUF_POOL).size(), std::size_t{PBUF_POOL_SIZE});
    EXPECT_EQ(test::Taken(MEMP_IGMP_GROUP).size(), std::size_t{MEMP_NUM_IGMP_GROUP - 1});
    void* const all = mem_malloc(MEM_SIZE - 64);
    EXPECT_NE(all, nullptr);
    mem_free(all);
  }

  void listen() {
    for (const Bytes& frame : tap.sent) {
      if (test::protocol_of(frame) == 2U) ++reports;
      const auto udp = test::read_udp(frame);
      if (!udp || udp->from_port != dns::port) continue;
      const auto message = dns::read(udp->data);
      ASSERT_TRUE(message.has_value()) << "a message that is none";
      heard.push_back({now, *udp, *message});
    }
    tap.sent.clear();
  }

  void pass(mcp::Millis ms) {
    const mcp::Millis end = now + ms;
    for (;;) {
      const mcp::Millis due = network.poll(now);
      listen();
      if (now == end) return;
      now += std::min({due, end - now, mcp::Millis{10}});
    }
  }

  void start() {
    responder = std::make_unique<MdnsResponder>(network, announcement);
    ASSERT_TRUE(responder->ok());
  }

  void announce() {
    start();
    pass(40'000);  // recent announcements are not repeated
    ASSERT_TRUE(responder->is_announced());
    heard.clear();
  }

  void say(const Bytes& data, unsigned from_port = dns::port, Ip to = dns::group, Ip from = other) {
    tap.received.push_back(test::udp_frame({.from_mac = other_mac,
                                            .to_mac = to == dns::group ? dns::group_mac : test::Tap::mac,
                                            .from = from,
                                            .to = to,
                                            .from_port = from_port,
                                            .to_port = dns::port,
                                            .data = data}));
    tap.received.push_front(is_at_frame());  // it knows the address of the querier
  }
  static Bytes is_at_frame() {
    return test::arp_frame({.operation = 1, .from_mac = other_mac, .from = other, .to = board}, test::to_all, {});
  }
  static dns::Message question(std::string_view name, unsigned record_type, unsigned klass = dns::in) {
    dns::Message message;
    message.questions.push_back({std::string(name), record_type, klass});
    return message;
  }

  // Returns the messages within 600 ms: one or none.
  std::optional<Heard> ask(const dns::Message& message, unsigned from_port = dns::port, Ip to = dns::group) {
    pass(1'100);  // the same is not said twice in a second
    heard.clear();
    say(dns::write(message), from_port, to);
    pass(600);
    EXPECT_LE(heard.size(), 1U);
    return heard.empty() ? std::nullopt : std::optional(heard.front());
  }
  std::optional<Heard> ask(std::string_view name, unsigned record_type, unsigned klass = dns::in) {
    return ask(question(name, record_type, klass));
  }
  void answers(std::string_view name, unsigned record_type, Bytes data) {
    dns::Message message;
    message.flags = 0x8400;
    message.answers.push_back(dns::record(name, record_type, std::move(data)));
    say(dns::write(message));
  }

  static std::string service(std::string_view name = "Thermometer") { return std::string(name) + "._mcp._tcp.local."; }

  static void expect_address(const dns::Message& message, std::string_view host = "thermometer.local.") {
    const dns::Record* const record = message.find(host, dns::a);
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(record->data, Bytes(board.begin(), board.end()));
    EXPECT_EQ(record->ttl, 120U);
  }
  static void expect_service(const dns::Message& message, std::string_view name = "Thermometer",
                             std::string_view host = "thermometer.local.") {
    const dns::Record* const place = message.find(service(name), dns::srv);
    ASSERT_NE(place, nullptr);
    EXPECT_EQ(place->srv_port, 80U);
    EXPECT_EQ(place->target, host);
    const dns::Record* const text = message.find(service(name), dns::txt);
    ASSERT_NE(text, nullptr);
    EXPECT_EQ(text->texts, texts);
  }
};

}  // namespace test::mdns
