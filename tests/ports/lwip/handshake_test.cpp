// SPDX-License-Identifier: Apache-2.0
// Tests the TCP handshake with frames: clients that never acknowledge, spoof their address, wait, retry or give up. The
// test makes the frames without lwIP. Time is an argument, so no test waits.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mcp/ports/lwip_network.hpp"
#include "mcp/ports/lwip_tcp.hpp"
#include "support/bench.hpp"
#include "tap.hpp"
#include "time.hpp"

using mcp::IoStatus;
using mcp::lwip::Network;
using mcp::lwip::TcpConnection;
using mcp::lwip::TcpListener;
using test::Bytes;
using test::Ip;
using test::lwip_time::now;

namespace {

constexpr Ip board{10, 0, 0, 1};
constexpr test::Mac stranger_mac{2, 0, 0, 0, 0, 9};
constexpr unsigned port = 80;
constexpr unsigned syn = 2, rst = 4, ack = 16;
constexpr unsigned protocol_tcp = 6;

struct Segment {
  Ip from{}, to{};
  unsigned from_port = 0, to_port = 0;
  std::uint32_t sequence = 0, acknowledged = 0;
  unsigned flags = 0;
  Bytes options;
  std::string data;
};

Bytes frame_of(const Segment& segment) {
  test::Writer tcp;
  tcp.u16(segment.from_port).u16(segment.to_port).u32(segment.sequence).u32(segment.acknowledged);
  tcp.u8(static_cast<unsigned>((20 + segment.options.size()) / 4 << 4)).u8(segment.flags).u16(4'000).u32(0);
  tcp.all(segment.options).all(segment.data);
  test::Writer pseudo;
  pseudo.all(segment.from).all(segment.to).u16(protocol_tcp).u16(static_cast<unsigned>(tcp.bytes.size()));
  pseudo.all(tcp.bytes);
  const unsigned sum = test::check_sum(pseudo.bytes.data(), pseudo.bytes.size());
  tcp.bytes[16] = static_cast<std::uint8_t>(sum >> 8);
  tcp.bytes[17] = static_cast<std::uint8_t>(sum);
  test::Writer header;
  header.u8(0x45).u8(0).u16(static_cast<unsigned>(20 + tcp.bytes.size())).u32(0).u8(64).u8(protocol_tcp).u16(0);
  header.all(segment.from).all(segment.to);
  const unsigned header_sum = test::check_sum(header.bytes.data(), header.bytes.size());
  header.bytes[10] = static_cast<std::uint8_t>(header_sum >> 8);
  header.bytes[11] = static_cast<std::uint8_t>(header_sum);
  test::Writer frame;
  frame.all(test::Tap::mac).all(stranger_mac).u16(0x0800).all(header.bytes).all(tcp.bytes);
  frame.bytes.resize(std::max<std::size_t>(frame.bytes.size(), 60));
  return frame.bytes;
}

std::uint32_t number_at(const Bytes& bytes, std::size_t at, unsigned size) {
  std::uint32_t value = 0;
  for (; size != 0; --size) value = value << 8 | bytes.at(at++);
  return value;
}

std::optional<Segment> segment_in(const Bytes& frame) {
  if (test::protocol_of(frame) != protocol_tcp) return std::nullopt;
  constexpr std::size_t at = 34;
  const std::size_t header = 4U * (frame.at(at + 12) >> 4);
  Segment segment;
  std::copy_n(frame.begin() + 26, 4, segment.from.begin());
  std::copy_n(frame.begin() + 30, 4, segment.to.begin());
  segment.from_port = number_at(frame, at, 2);
  segment.to_port = number_at(frame, at + 2, 2);
  segment.sequence = number_at(frame, at + 4, 4);
  segment.acknowledged = number_at(frame, at + 8, 4);
  segment.flags = frame.at(at + 13);
  segment.options.assign(frame.begin() + at + 20, frame.begin() + static_cast<std::ptrdiff_t>(at + header));
  segment.data.assign(frame.begin() + static_cast<std::ptrdiff_t>(at + header),
                      frame.begin() + 14 + static_cast<std::ptrdiff_t>(number_at(frame, 16, 2)));
  return segment;
}

class Handshake : public testing::Test {
 protected:
  test::Tap tap;
  test::CountingEntropy entropy;
  Network network{tap, entropy, now};
  TcpConnection pool[3];
  std::optional<TcpListener> listener;
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
  };

  void turn() {
    static_cast<void>(network.poll(now));
    for (const Bytes& frame : std::exchange(tap.sent, {})) {
      if (const auto arp = test::read_arp(frame); arp && arp->operation == 1)
        tap.received.push_back(test::arp_frame({2, stranger_mac, arp->to, board}, test::Tap::mac, test::Tap::mac));
      if (auto segment = segment_in(frame)) heard.push_back(std::move(*segment));
    }
  }
  void pass(mcp::Millis ms) {
    for (const mcp::Millis end = now + ms; now != end; now += std::min<mcp::Millis>(10, end - now)) turn();
    for (int i = 0; i < 4; ++i) turn();
  }
  void send(const Host& host, unsigned flags, const std::string& data = {}, const Bytes& options = {}) {
    const std::uint32_t next = host.sequence + ((flags & syn) != 0 ? 0 : 1);
    tap.received.push_back(frame_of({.from = host.address,
                                     .to = board,
                                     .from_port = host.port,
                                     .to_port = port,
                                     .sequence = next,
                                     .acknowledged = (flags & ack) != 0 ? host.theirs + 1 : 0,
                                     .flags = flags,
                                     .options = options,
                                     .data = data}));
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
  static Host spoofed(unsigned i) {
    return {.address = {10, 0, 0, static_cast<std::uint8_t>(50 + i % 150)}, .port = 1'000 + i};
  }
  static std::string read(mcp::Connection& connection) {
    char bytes[700];
    const mcp::IoResult result = connection.read(bytes);
    return {bytes, result.status == IoStatus::ok ? result.size : 0};
  }
};

TEST_F(Handshake, SpoofedSynsUseNoSlot) {
  for (const unsigned count : {4U, 100U}) {
    for (unsigned i = 0; i < count; ++i) send(spoofed(i), syn);
    Host host{.address = {10, 0, 0, 2}, .port = 5'000 + count};
    send(host, syn);
    ASSERT_TRUE(connect(host, 20)) << count;
    mcp::Connection* const connection = listener->accept();
    ASSERT_NE(connection, nullptr);
    EXPECT_EQ(listener->accept(), nullptr);
    connection->close();
    pass(30'000);
  }
}

// One every 4 s, for ever: half of the connections that a client begins come while four are half-open.
TEST_F(Handshake, SlowFloodLocksOutNoClient) {
  for (unsigned i = 0; i < 60; ++i) {
    send(spoofed(i), syn);
    if (i % 4 == 0) {
      Host host{.address = {10, 0, 0, 2}, .port = 5'000 + i};
      send(host, syn);
      ASSERT_TRUE(connect(host, 1'000)) << i;
      mcp::Connection* const connection = listener->accept();
      ASSERT_NE(connection, nullptr);
      connection->close();
      send(host, rst | ack);
    }
    pass(4'000);
  }
}

// A free slot is not reserved for 20 s for the first stranger.
TEST_F(Handshake, FreeSlotGoesToAClientThatAcknowledges) {
  std::vector<mcp::Connection*> accepted;
  for (unsigned i = 0; i < std::size(pool); ++i) {
    Host host{.address = {10, 0, 0, 3}, .port = 6'000 + i};
    send(host, syn);
    ASSERT_TRUE(connect(host, 20));
    accepted.push_back(listener->accept());
    ASSERT_NE(accepted.back(), nullptr);
  }
  for (unsigned i = 0; i < 7; ++i) send(spoofed(i), syn);
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  pass(5'000);
  EXPECT_EQ(answer_to(host, syn | ack), nullptr);
  accepted[0]->close();
  ASSERT_TRUE(connect(host, 1'000));
  EXPECT_NE(listener->accept(), nullptr);
}

// Whose acknowledgement comes when the place is taken: it is answered again when one is free.
TEST_F(Handshake, LateClientGetsTheNextFreeSlot) {
  std::vector<Host> hosts;
  for (unsigned i = 0; i < 4; ++i) {
    hosts.push_back({.address = {10, 0, 0, 2}, .port = 5'000 + i});
    send(hosts.back(), syn);
  }
  std::vector<mcp::Connection*> accepted;
  for (Host& host : hosts) ASSERT_TRUE(connect(host, 20));
  for (unsigned i = 0; i < 3; ++i) accepted.push_back(listener->accept());
  ASSERT_NE(accepted[2], nullptr);
  EXPECT_EQ(listener->accept(), nullptr);
  EXPECT_EQ(answer_to(hosts[3], rst), nullptr);
  send(hosts[3], ack, "early");
  EXPECT_EQ(answer_to(hosts[3], rst), nullptr);
  heard.clear();
  accepted[1]->close();
  ASSERT_TRUE(connect(hosts[3], 200));
  mcp::Connection* const connection = listener->accept();
  ASSERT_NE(connection, nullptr);
  send(hosts[3], ack, "hello");
  EXPECT_EQ(read(*connection), "hello");
}

// QEMU's network loses the client's bytes if a repeated answer has options. A client that asks again has had no answer.
TEST_F(Handshake, RepeatsNoOptionsToAClientThatHasAcknowledged) {
  std::vector<Host> hosts;
  for (unsigned i = 0; i < 4; ++i) {
    hosts.push_back({.address = {10, 0, 0, 2}, .port = 5'000 + i});
    send(hosts.back(), syn);
  }
  for (Host& host : hosts) ASSERT_TRUE(connect(host, 20));
  const Bytes options{2, 4, TCP_MSS >> 8, TCP_MSS & 0xFF};
  EXPECT_EQ(answer_to(hosts[3], syn | ack)->options, options);
  mcp::Connection* const first = listener->accept();
  mcp::Connection* const second = listener->accept();
  ASSERT_NE(second, nullptr);
  heard.clear();
  first->close();
  pass(200);
  ASSERT_NE(answer_to(hosts[3], syn | ack), nullptr);
  EXPECT_EQ(answer_to(hosts[3], syn | ack)->options, Bytes{});
  heard.clear();
  send(hosts[3], syn);
  ASSERT_NE(answer_to(hosts[3], syn | ack), nullptr);
  EXPECT_EQ(answer_to(hosts[3], syn | ack)->options, options);
  ASSERT_TRUE(connect(hosts[3], 20));
  EXPECT_NE(listener->accept(), nullptr);
}

TEST_F(Handshake, ResetsAWrongAcknowledgement) {
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  const Segment* const answer = answer_to(host, syn | ack);
  ASSERT_NE(answer, nullptr);
  host.theirs = answer->sequence + 1;
  send(host, ack);
  EXPECT_NE(answer_to(host, rst), nullptr);
  EXPECT_EQ(listener->accept(), nullptr);
  EXPECT_TRUE(connect(host, 20));  // the right one still counts
  EXPECT_NE(listener->accept(), nullptr);
  Host other{.address = {10, 0, 0, 4}, .port = 5'000};
  send(other, ack);
  EXPECT_NE(answer_to(other, rst), nullptr);
}

// The client's next bytes replace a lost acknowledgement. Bytes after a gap are repeated.
TEST_F(Handshake, FirstBytesReplaceALostAcknowledgement) {
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  const Segment* const answer = answer_to(host, syn | ack);
  ASSERT_NE(answer, nullptr);
  host.theirs = answer->sequence;
  host.sequence += 5;
  send(host, ack, "world");
  EXPECT_EQ(listener->accept(), nullptr);
  EXPECT_EQ(answer_to(host, rst), nullptr);
  host.sequence -= 5;
  send(host, ack, "hello");
  mcp::Connection* const connection = listener->accept();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(read(*connection), "hello");
  EXPECT_EQ(connection->peer(), 0x0A00'0002U);
  pass(500);
  const Segment* const last = answer_to(host, ack);
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->acknowledged, host.sequence + 6);
}

// During a silence, the timer that sends a delayed acknowledgement does not run.
TEST_F(Handshake, AcknowledgesBytesAfterASilence) {
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  mcp::Connection* const connection = listener->accept();
  ASSERT_NE(connection, nullptr);
  for (const std::string text : {"early", "later"}) {
    heard.clear();
    send(host, ack, text);
    host.sequence += 5;
    EXPECT_EQ(read(*connection), text);
    pass(260);
    const Segment* const answer = answer_to(host, ack);
    ASSERT_NE(answer, nullptr) << text;
    EXPECT_EQ(answer->acknowledged, host.sequence + 1);
    pass(20'000);
  }
  connection->close();
  send(host, rst | ack);
}

TEST_F(Handshake, RepeatedSynGetsTheSameResponse) {
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  const std::uint32_t first = answer_to(host, syn | ack)->sequence;
  heard.clear();
  pass(1'000);
  send(host, syn);
  ASSERT_NE(answer_to(host, syn | ack), nullptr);
  EXPECT_EQ(answer_to(host, syn | ack)->sequence, first);
  // Another connection from the same port.
  host.sequence += 100'000;
  send(host, syn);
  EXPECT_NE(answer_to(host, syn | ack)->sequence, first);
  EXPECT_TRUE(connect(host, 20));
  EXPECT_NE(listener->accept(), nullptr);
}

TEST_F(Handshake, ResetEndsTheHandshake) {
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  host.theirs = answer_to(host, syn | ack)->sequence;
  host.sequence += 1'000;
  send(host, rst);  // for another connection
  host.sequence -= 1'000;
  send(host, rst);
  send(host, ack);
  EXPECT_NE(answer_to(host, rst), nullptr);
  EXPECT_EQ(listener->accept(), nullptr);
}

TEST_F(Handshake, UsesTheSegmentSizeOfTheClient) {
  struct Row {
    Bytes options;
    std::size_t most;
  };
  const Row rows[] = {{{}, 536},
                      {{2, 4, 0, 100}, 100},
                      {{1, 1, 1, 1, 2, 4, 0, 100}, 100},
                      {{4, 2, 3, 3, 7, 1, 1, 1, 2, 4, 0, 100}, 100},
                      {{2, 4, 0x05, 0xB4}, 536},
                      {{2, 4, 0, 0}, 536},
                      {{0, 0, 0, 0, 2, 4, 0, 100}, 536},
                      {{9, 0, 0, 0, 2, 4, 0, 100}, 536},
                      {{1, 1, 1, 2}, 536},
                      {{9, 200, 0, 0}, 536}};
  unsigned from = 5'000;
  for (const Row& row : rows) {
    SCOPED_TRACE(from);
    Host host{.address = {10, 0, 0, 2}, .port = ++from};
    send(host, syn, {}, row.options);
    ASSERT_TRUE(connect(host, 20));
    mcp::Connection* const connection = listener->accept();
    ASSERT_NE(connection, nullptr);
    heard.clear();
    EXPECT_NE(connection->write(std::string(900, 'x')).size, 0U);
    pass(10);
    ASSERT_FALSE(heard.empty());
    EXPECT_EQ(heard[0].data.size(), std::min<std::size_t>(row.most, TCP_MSS));
    connection->close();
    send(host, rst | ack);
    pass(25'000);
  }
}

TEST_F(Handshake, WithoutEntropyAnswersNoSyn) {
  entropy.fails = true;
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  pass(3'000);
  EXPECT_TRUE(heard.empty());
  entropy.fails = false;
  send(host, syn);
  EXPECT_TRUE(connect(host, 20));
}

}  // namespace
