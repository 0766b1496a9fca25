// SPDX-License-Identifier: Apache-2.0
// Tests the TCP handshake with frames: clients that never acknowledge, spoof their address, wait, retry or give up. The
// test makes the frames without lwIP. Time is an argument, so no test waits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "handshake.hpp"
#include "pools.hpp"

using mcp::IoStatus;
using mcp::lwip::TcpConnection;
using mcp::lwip::TcpListener;
using test::ack;
using test::Bytes;
using test::rst;
using test::Segment;
using test::syn;

namespace {

using namespace test::handshake;

constexpr mcp::Millis window_ms = 1 << 18;  // of a cookie

TEST_F(Handshake, SpoofedSynsUseNoSlot) {
  for (const unsigned count : {4U, 100U}) {
    for (unsigned i = 0; i < count; ++i) send(spoofed(i), syn);
    Host host{.address = {10, 0, 0, 2}, .port = 5'000 + count};
    send(host, syn);
    ASSERT_TRUE(connect(host, 20)) << count;
    send(host, ack, "hello");  // if ARP did not know the client before
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
      send(host, ack, "hello");
      mcp::Connection* const connection = listener->accept();
      ASSERT_NE(connection, nullptr);
      connection->close();
      send(host, rst | ack);
    }
    pass(4'000);
  }
}

// A free slot is not reserved for a stranger.
TEST_F(Handshake, FreeSlotGoesToAClientThatAcknowledges) {
  const std::vector<mcp::Connection*> accepted = fill();
  for (unsigned i = 0; i < 7; ++i) send(spoofed(i), syn);
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  EXPECT_EQ(listener->accept(), nullptr);
  accepted[0]->close();
  send(host, ack, "hello");
  EXPECT_NE(listener->accept(), nullptr);
}

// A client whose bytes find no free slot is not rejected. It repeats them.
TEST_F(Handshake, LateClientGetsTheNextFreeSlot) {
  const std::vector<mcp::Connection*> accepted = fill();
  EXPECT_EQ(listener->capacity(), accepted.size());
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  EXPECT_FALSE(listener->has_waiting());
  heard.clear();
  send(host, ack, "early");
  send(after(host, 5), ack, "more");
  EXPECT_TRUE(heard.empty());
  EXPECT_TRUE(listener->has_waiting());
  accepted[1]->close();
  send(after(host, 5), ack, "more");
  EXPECT_EQ(listener->accept(), nullptr);
  send(host, ack, "early");
  mcp::Connection* const connection = listener->accept();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(read(*connection), "early");
  EXPECT_EQ(answer_to(host, rst), nullptr);
}

// The slots go in order, also to clients whose bytes come earlier.
TEST_F(Handshake, ServesWaitingClientsInOrder) {
  const std::vector<mcp::Connection*> accepted = fill();
  std::vector<Host> hosts;
  for (unsigned i = 0; i < 3; ++i) {
    hosts.push_back({.address = {10, 0, 0, static_cast<std::uint8_t>(4 + i)}, .port = 5'000});
    send(hosts.back(), syn);
    ASSERT_TRUE(connect(hosts.back(), 20));
    if (i == 0) pass(1'000);  // ARP asks for one client in a second
    send(hosts.back(), ack, "hello");
    pass(10);
    send(hosts.back(), ack, "hello");
    pass(1'000);
    for (const Host& host : hosts) send(host, ack, "hello");
  }
  accepted[0]->close();
  accepted[1]->close();
  send(hosts[2], ack, "hello");
  EXPECT_EQ(listener->accept(), nullptr);
  send(hosts[1], ack, "hello");
  EXPECT_EQ(listener->accept()->peer(), 0x0A00'0005U);
  send(hosts[2], ack, "hello");
  EXPECT_EQ(listener->accept(), nullptr);
  send(hosts[0], ack, "hello");
  EXPECT_EQ(listener->accept()->peer(), 0x0A00'0004U);
  // A client that does not repeat its bytes does not count as waiting.
  EXPECT_TRUE(listener->has_waiting());
  pass(2'000);
  EXPECT_FALSE(listener->has_waiting());
}

// A client of another address comes before those of an address that has slots, or more clients.
TEST_F(Handshake, SharesTheSlotsByAddress) {
  const std::vector<mcp::Connection*> accepted = fill();
  std::vector<Host> greedy;
  for (unsigned i = 0; i < 2 * TcpListener::most_waiting; ++i) {
    greedy.push_back({.address = {10, 0, 0, 3}, .port = 7'000 + i});
    send(greedy.back(), syn);
    ASSERT_TRUE(connect(greedy.back(), 20));
    send(greedy.back(), ack, "greedy");
  }
  pass(1'000);
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  send(host, ack, "hello");
  accepted[0]->close();
  for (const Host& other : greedy) send(other, ack, "greedy");
  EXPECT_EQ(listener->accept(), nullptr);
  EXPECT_EQ(std::ranges::count_if(heard, [](const Segment& one) { return (one.flags & rst) != 0; }), 0);
  send(host, ack, "hello");
  mcp::Connection* const connection = listener->accept();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(connection->peer(), 0x0A00'0002U);
}

// A client that only acknowledges does not keep a slot from one that has sent bytes.
TEST_F(Handshake, ClientWithBytesComesFirst) {
  const std::vector<mcp::Connection*> accepted = fill();
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  send(host, ack, "hello");
  accepted[0]->close();
  Host silent{.address = {10, 0, 0, 4}, .port = 5'000};
  pass(1'000);
  send(silent, syn);
  ASSERT_TRUE(connect(silent, 20));
  EXPECT_EQ(listener->accept(), nullptr);
  send(host, ack, "hello");
  EXPECT_NE(listener->accept(), nullptr);
}

TEST_F(Handshake, CookieIsOfOneAddressPortAndTime) {
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  host.theirs = answer_to(host, syn | ack)->sequence;
  for (unsigned wrong = 0; wrong < 3; ++wrong) {
    Host other = host;
    if (wrong == 0) other.address = {10, 0, 0, 4};
    if (wrong == 1) ++other.port;
    if (wrong == 2) pass(3 * window_ms);
    for (const bool again : {false, true}) send(other, ack, again ? "hello" : "");
    EXPECT_EQ(listener->accept(), nullptr) << wrong;
    EXPECT_NE(answer_to(other, rst), nullptr) << wrong;
  }
  // At least a whole window.
  now += window_ms - 1 - now % window_ms;
  turn();
  heard.clear();
  send(host, syn);
  pass(window_ms);
  EXPECT_TRUE(connect(host, 20));
  EXPECT_NE(listener->accept(), nullptr);
}

// The answer goes to the sender of the frame, and a flood does not drive clients out of the table of ARP.
TEST_F(Handshake, FloodAsksForFewAddresses) {
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  arp_requests = 0;
  for (unsigned i = 0; i < 300; ++i) {
    send(spoofed(i), i % 2 == 0 ? syn : ack);
    pass(10);
  }
  EXPECT_EQ(std::ranges::count_if(heard, [](const Segment& one) { return one.flags == (syn | ack); }), 151);
  EXPECT_LE(arp_requests, 4U);
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

// A cookie has the segment size in eighths of TCP_MSS.
TEST_F(Handshake, UsesTheSegmentSizeOfTheClient) {
  struct Row {
    Bytes options;
    std::size_t most;
  };
  const Row rows[] = {{{}, 536},
                      {{2, 4, 0, 100}, 67},
                      {{1, 1, 1, 1, 2, 4, 0, 100}, 67},
                      {{4, 2, 3, 3, 7, 1, 1, 1, 2, 4, 0, 100}, 67},
                      {{2, 4, 0x05, 0xB4}, 536},
                      {{2, 4, 536 >> 8, 536 & 0xFF}, 536},
                      {{2, 4, 535 >> 8, 535 & 0xFF}, 469},
                      {{2, 4, 0, 1}, 67},
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

// The device has closed first. A client that uses its port again, with a later number, does not wait for 2 minutes.
TEST_F(Handshake, LaterSynEndsTimeWait) {
  constexpr unsigned fin = test::fin;
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  for (const bool is_later : {true, false}) {
    send(host, syn);
    ASSERT_TRUE(connect(host, 20));
    mcp::Connection* const connection = listener->accept();
    ASSERT_NE(connection, nullptr);
    heard.clear();
    connection->close();
    pass(10);
    ASSERT_NE(answer_to(host, fin), nullptr);
    ++host.theirs;
    send(host, ack | fin);
    heard.clear();
    host.sequence += is_later ? 100'000 : static_cast<std::uint32_t>(-100'000);
    send(host, syn);
    ASSERT_EQ(answer_to(host, syn | ack) != nullptr, is_later);
  }
  EXPECT_EQ(listener->accept(), nullptr);
  pass(130'000);
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  EXPECT_NE(listener->accept(), nullptr);
}

// A flood of ARP drives a client out of the table before it sends its bytes again.
TEST_F(Handshake, ConnectsAClientThatArpForgets) {
  answers_arp = false;
  pass(1'000);  // ARP asks for one client in a second
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  send(host, ack, "hello");
  EXPECT_EQ(listener->accept(), nullptr);
  for (unsigned i = 0; i < 7; ++i) ask_for(board, spoofed(i));
  pass(200);
  for (unsigned i = 0; i < 7; ++i) ask_for(board, spoofed(i));
  send(host, ack, "hello");
  mcp::Connection* const connection = listener->accept();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(read(*connection), "hello");
  // Nor is a second one refused, also if its first segments come while ARP may not be asked again.
  Host second{.address = {10, 0, 0, 3}, .port = 5'000};
  send(second, syn);
  ASSERT_TRUE(connect(second, 20));
  send(second, ack, "hello");
  pass(200);
  send(second, ack, "hello");
  EXPECT_NE(listener->accept(), nullptr);
}

// It could not respond to such a client.
TEST_F(Handshake, WithoutAGatewayConnectsNoFarClient) {
  Host host{.address = {198, 51, 100, 7}, .port = 5'000};
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  for (unsigned i = 0; i < 3; ++i) {
    send(host, ack, "hello");
    pass(1'000);
  }
  EXPECT_EQ(listener->accept(), nullptr);
}

// Hosts that ask for the device drive no client out of the table of ARP. Each gets its reply.
TEST_F(Handshake, FloodOfArpKeepsAClientInTheTable) {
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  send(host, ack, "hello");
  mcp::Connection* const connection = listener->accept();
  ASSERT_NE(connection, nullptr);
  answers_arp = false;
  for (unsigned i = 0; i < 150; ++i) {
    ask_for(board, spoofed(i));
    EXPECT_EQ(arp_replies, i + 1);
    const test::Arp unsolicited{2, stranger_mac, spoofed(i).address, board};
    tap.received.push_back(test::arp_frame(unsolicited, test::Tap::mac, test::Tap::mac));
    pass(20);
  }
  heard.clear();
  EXPECT_EQ(connection->write(std::string(TCP_SND_BUF, 'x')).size, std::size_t{TCP_SND_BUF});
  pass(10);
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[0].to_mac, stranger_mac);
  // A known host that has another address now.
  host.mac = {2, 0, 0, 0, 0, 77};
  ask_for(board, host);
  heard.clear();
  send(after(host, 5), ack, "more");
  pass(300);
  ASSERT_FALSE(heard.empty());
  EXPECT_EQ(heard.back().to_mac, host.mac);
}

// A host that answers ARP for many addresses connects from each. Each honest client beside it is connected within 1 s.
TEST_F(Handshake, HostWithManyAddressesLocksOutNoClient) {
  unsigned late = 0;
  for (unsigned i = 0; i < 200; ++i) {
    Host attacker = spoofed(i);
    send(attacker, syn);
    ASSERT_TRUE(connect(attacker, 0));
    while (mcp::Connection* const silent = listener->accept()) silent->close();
    if (i % 10 == 0) {
      Host host{.address = {10, 0, 0, 2}, .port = 5'000 + i};
      send(host, syn);
      ASSERT_TRUE(connect(host, 0));
      mcp::Connection* connection = nullptr;
      for (const mcp::Millis wait_ms : {0U, 200U, 400U}) {
        pass(wait_ms);
        send(host, ack, "hello");
        if ((connection = listener->accept()) != nullptr) break;
      }
      if (connection == nullptr) ++late;
      if (connection != nullptr) connection->close();
      send(host, rst | ack);
    }
    pass(20);
  }
  EXPECT_EQ(late, 0U);
  EXPECT_LE(arp_requests, 100U);
}

// A host cannot connect from an address beyond the gateway, because the SYN-ACK goes to the gateway.
TEST_F(Handshake, SendsToTheGatewayThatArpKnows) {
  constexpr test::Mac gateway_mac{2, 0, 0, 0, 0, 0xFE};
  constexpr test::Mac thief_mac{2, 0, 0, 0, 0, 66};
  const Host gateway{.address = {10, 0, 0, 254}, .port = 0, .mac = gateway_mac};
  network.use(board, {255, 255, 255, 0}, gateway.address);
  ask_for(board, gateway);
  const Host thief{.address = {198, 51, 100, 7}, .port = 5'000, .mac = thief_mac};
  send(thief, syn);
  ASSERT_NE(answer_to(thief, syn | ack), nullptr);
  EXPECT_EQ(answer_to(thief, syn | ack)->to_mac, gateway_mac);
}

// The numbers of a connection go to its client alone.
TEST_F(Handshake, SendsToTheClientThatArpKnows) {
  constexpr test::Mac thief_mac{2, 0, 0, 0, 0, 66};
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  ask_for(board, host);
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  ASSERT_NE(listener->accept(), nullptr);
  heard.clear();
  Host thief = host;
  thief.mac = thief_mac;
  send(thief, syn);
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_EQ(heard[0].flags, ack);
  EXPECT_EQ(heard[0].to_mac, stranger_mac);
}

// Such as a computer that has slept. The device has ended its connection, and it must not wait for its own time-out.
TEST_F(Handshake, ResetsAClientWhoseConnectionHasEnded) {
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  send(host, ack, std::string(300, 'x'));
  mcp::Connection* const connection = listener->accept();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(read(*connection).size(), 300U);
  connection->close();
  pass(25'000);
  heard.clear();
  send(after(host, 300), ack, "more");
  EXPECT_NE(answer_to(host, rst), nullptr);
}

// The client has lost the response and the end of its connection. Its request must not be executed twice.
TEST_F(Handshake, RepeatedBytesOpenNoSecondConnection) {
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  send(host, ack, "hello");
  mcp::Connection* const connection = listener->accept();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(read(*connection), "hello");
  EXPECT_EQ(connection->write("response").status, IoStatus::ok);
  connection->close();
  pass(25'000);
  heard.clear();
  send(host, ack, "hello");
  EXPECT_EQ(listener->accept(), nullptr);
  EXPECT_NE(answer_to(host, rst), nullptr);
  // A new connection from the same port.
  host.sequence += 100'000;
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  send(host, ack, "hello");
  EXPECT_NE(listener->accept(), nullptr);
}

// The end of its bytes is no request.
TEST_F(Handshake, ClientThatOnlyEndsDoesNotWait) {
  const std::vector<mcp::Connection*> accepted = fill();
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  send(host, ack | test::fin);
  EXPECT_FALSE(listener->has_waiting());
  send(host, ack, "hello");
  EXPECT_TRUE(listener->has_waiting());
}

// A waiting client has neither.
TEST_F(Handshake, IgnoresPortsAndAddressesOfNoClient) {
  for (const Host& host : {Host{.address = {0, 0, 0, 0}, .port = 5'000}, Host{.address = {10, 0, 0, 2}, .port = 0}}) {
    send(host, syn);
    pass(10);
    EXPECT_TRUE(heard.empty()) << host.port;
    heard.clear();
  }
}

TEST_F(Handshake, CapacityIsThatOfLwip) {
  TcpConnection many[MOTE_LWIP_CONNECTIONS + 5];
  TcpListener other(network, many, port + 1);
  EXPECT_TRUE(other.ok());
  EXPECT_EQ(other.capacity(), std::size_t{MOTE_LWIP_CONNECTIONS});
}

// A client whose segments are full takes no memory of another one. Its connection may need one byte at a time.
TEST_F(Handshake, FullClientEndsNoClosedConnection) {
  Host first{.address = {10, 0, 0, 3}, .port = 5'000};
  Host closed{.address = {10, 0, 0, 3}, .port = 5'001};
  Host full{.address = {10, 0, 0, 2}, .port = 5'002};
  mcp::Connection* connections[3] = {};
  for (Host* const host : {&first, &closed, &full}) {
    send(*host, syn);
    ASSERT_TRUE(connect(*host, 20));
    send(*host, ack, "hello");
    connections[host->port - first.port] = listener->accept();
    ASSERT_NE(connections[host->port - first.port], nullptr);
  }
  heard.clear();
  const std::string last(500, 'x');
  EXPECT_EQ(connections[1]->write(last).size, last.size());
  connections[1]->close();
  pass(10);
  for (const unsigned window : {4'000U, 2U}) {
    full.window = window;
    send(after(full, 5), ack);
    for (unsigned i = 0; i < 5; ++i) {
      static_cast<void>(connections[2]->write("ten bytes."));
      pass(10);
    }
    EXPECT_EQ(answer_to(closed, rst), nullptr) << window;
  }
  std::string received;
  for (const Segment& segment : heard) received += segment.to_port == closed.port ? segment.data : "";
  EXPECT_EQ(received, last);
}

// Without memory, a closed connection of an address ends for a client of another one with fewer connections.
TEST_F(Handshake, ClosedConnectionEndsForAnAddressWithFewer) {
  for (const std::uint8_t last : {std::uint8_t{3}, std::uint8_t{2}}) {
    SCOPED_TRACE(last);
    Host hosts[] = {{.address = {10, 0, 0, 3}, .port = 5'000},
                    {.address = {10, 0, 0, 3}, .port = 5'001},
                    {.address = {10, 0, 0, last}, .port = 5'002},
                    {.address = {10, 0, 0, 2}, .port = 5'003}};
    std::vector<mcp::Connection*> accepted;
    for (Host& host : hosts) {
      send(host, syn);
      ASSERT_TRUE(connect(host, 20));
      send(host, ack, "hello");
      accepted.push_back(listener->accept());
      ASSERT_NE(accepted.back(), nullptr);
      if (accepted.size() != 1) continue;
      EXPECT_EQ(accepted[0]->write(std::string(500, 'x')).size, 500U);
      accepted[0]->close();
      pass(10);
    }
    {
      const test::TakenMemory memory;
      EXPECT_EQ(accepted[3]->write("response").status, last == 3 ? IoStatus::ok : IoStatus::would_block);
    }
    for (unsigned i = 1; i < 4; ++i) accepted[i]->close();
    pass(30'000);
    heard.clear();
  }
}

// Many hosts send one request each, and take no byte of the response.
TEST_F(Handshake, ClosedConnectionsKeepTheirMemoryForAFewSeconds) {
  for (std::uint8_t i = 0; i < MEMP_NUM_TCP_PCB; ++i) {
    Host host{.address = {10, 0, 0, static_cast<std::uint8_t>(100 + i)}, .port = 5'000, .window = 0};
    pass(1'000);  // ARP asks for one client in a second
    send(host, syn);
    ASSERT_TRUE(connect(host, 20));
    send(host, ack, "hello");
    mcp::Connection* const connection = listener->accept();
    ASSERT_NE(connection, nullptr);
    static_cast<void>(connection->write(std::string(500, 'x')));
    connection->close();
  }
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  mcp::Connection* connection = nullptr;
  for (unsigned i = 0; i < 4 && connection == nullptr; ++i) {
    send(host, ack, "hello");
    connection = listener->accept();
    pass(1'000);
  }
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(connection->write("response").status, IoStatus::ok);
}

// One host sends requests, takes no byte of the responses, and ends its connections before or after the device does.
TEST_F(Handshake, ClientThatEndsKeepsNoMemory) {
  for (const bool is_first : {true, false}) {
    SCOPED_TRACE(is_first);
    std::vector<Host> greedy;
    for (unsigned i = 0; i < 5; ++i) {
      Host& host = greedy.emplace_back(Host{.address = {10, 0, 0, 3}, .port = 5'000 + i, .window = 0});
      send(host, syn);
      ASSERT_TRUE(connect(host, 20));
      send(host, ack, "hello");
      mcp::Connection* const connection = listener->accept();
      ASSERT_NE(connection, nullptr);
      EXPECT_EQ(read(*connection), "hello");
      static_cast<void>(connection->write(std::string(TCP_SND_BUF, 'x')));
      if (is_first) send(after(host, 5), ack | test::fin);
      connection->close();
      if (!is_first) send(after(host, 5), ack | test::fin);
    }
    pass(1'000);
    Host host{.address = {10, 0, 0, 2}, .port = 5'000};
    send(host, syn);
    ASSERT_TRUE(connect(host, 20));
    send(host, ack, "hello");
    pass(200);
    send(host, ack, "hello");  // if there was no memory to ask ARP
    mcp::Connection* const connection = listener->accept();
    ASSERT_NE(connection, nullptr);
    EXPECT_EQ(connection->write("response").status, IoStatus::ok);
    connection->close();
    // Each of the others is reset after 20 s.
    pass(21'000);
    for (const Host& one : greedy) EXPECT_NE(answer_to(one, rst), nullptr) << one.port;
    heard.clear();
    pass(130'000);
  }
}

// The clock wraps after 49.7 days.
TEST_F(Handshake, AnswersWhileTheClockWraps) {
  now = 0xFFFF'FFFF - 10;
  turn();
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  pass(20);
  EXPECT_TRUE(connect(host, 20));
  send(host, ack, "hello");
  EXPECT_NE(listener->accept(), nullptr);
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
