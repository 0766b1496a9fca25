// SPDX-License-Identifier: Apache-2.0
// How often a board with lwIP wakes, and that no sleep changes what TCP and ARP do. It looks at its link once per
// second. The tests do not wait, because time is an argument.
#include <gtest/gtest.h>
#include <lwip/priv/tcp_priv.h>
#include <lwip/udp.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "client.hpp"
#include "lwip_turns.hpp"
#include "mcp/ports/lwip_network.hpp"
#include "mcp/ports/lwip_tcp.hpp"
#include "ports/lwip/packets.hpp"
#include "support/bench.hpp"
#include "tap.hpp"
#include "time.hpp"
#include "wire.hpp"

using mcp::IoStatus;
using mcp::Millis;
using mcp::lwip::Network;
using test::lwip_time::now;

namespace {

constexpr mcp::lwip::Ip4 mask{255, 255, 255, 0};

class LwipSleep : public testing::Test {
 protected:
  test::Wire wire;
  test::CountingEntropy entropy;
  Network server{wire.server, entropy, now};
  Network network{wire.client, entropy, now};
  mcp::lwip::TcpConnection pool[2];
  mcp::lwip::TcpListener listener{server, pool, test::http_port};

  LwipSleep() {
    server.use({10, 0, 0, 1}, mask, {});
    network.use({10, 0, 0, 2}, mask, {});
  }

  // Does all pending work. Returns the time until the next timer.
  Millis work() {
    for (unsigned turns = 0; turns < 1'000; ++turns) {
      for (test::Client* const client : test::Client::all) client->pump();
      const Millis due = std::min(server.poll(now), network.poll(now));
      if (due != 0) return due;
    }
    ADD_FAILURE() << "work without end";
    return mcp::forever;
  }

  // Lets time pass, as a main loop that sleeps until each timer. Returns how often it woke.
  unsigned sleep(Millis ms) {
    const Millis end = now + ms;
    unsigned wakes = 0;
    for (Millis due = work(); due < end - now; due = work()) {
      now += due;
      ++wakes;
    }
    now = end;
    work();
    return wakes;
  }

  // A connection that has carried a request and a response, and on which nothing waits.
  mcp::Connection* quiet_connection(test::Client& client) {
    sleep(100);
    mcp::Connection* const connection = listener.accept();
    EXPECT_NE(connection, nullptr);
    if (connection == nullptr) return nullptr;
    client.send("request");
    sleep(100);
    char request[8];
    EXPECT_EQ(connection->read(request).size, 7U);
    EXPECT_EQ(connection->write(std::string_view("response")).size, 8U);
    sleep(7'000);  // also until ARP has stopped
    EXPECT_EQ(client.received, "response");
    return connection;
  }

  // Writes while the cable loses all frames for 100 ms. Returns the time until the client has the bytes.
  Millis resend_time(mcp::Connection& connection, const test::Client& client) {
    const Millis start = now;
    const std::size_t size = client.received.size() + 4;
    EXPECT_EQ(connection.write(std::string_view("late")).size, 4U);
    wire.faults.lost = 100;
    sleep(100);
    wire.faults.lost = 0;
    while (client.received.size() < size && now - start < 100'000) sleep(100);
    return now - start;
  }
};

TEST_F(LwipSleep, AQuietConnectionWakesForItsKeepAliveOnly) {
  test::Client client;
  ASSERT_NE(quiet_connection(client), nullptr);
  EXPECT_LE(sleep(22'000), 22U) << "for the link alone";
  const std::size_t frames = wire.frames;
  EXPECT_LE(sleep(180'000), 204U);
  EXPECT_EQ(wire.frames - frames, 12U) << "a probe and its acknowledgement each half minute";
  EXPECT_FALSE(client.lost);
}

TEST_F(LwipSleep, DetectsAClientThatDisappeared) {
  test::Client client;
  mcp::Connection* const connection = quiet_connection(client);
  ASSERT_NE(connection, nullptr);
  wire.faults.lost = 100;
  sleep(49'000);
  EXPECT_EQ(test::status_of_read(*connection), IoStatus::would_block);
  sleep(8'000);
  EXPECT_EQ(test::status_of_read(*connection), IoStatus::failed);
  connection->close();
}

// A long flash operation, for example. The clients are there, and respond to a probe.
TEST_F(LwipSleep, ALateMainLoopProbesBeforeItClosesAConnection) {
  test::Client client;
  mcp::Connection* const connection = quiet_connection(client);
  ASSERT_NE(connection, nullptr);
  now += 200'000;
  const std::size_t frames = wire.frames;
  sleep(2'000);
  EXPECT_EQ(wire.frames - frames, 2U) << "a probe and its acknowledgement";
  EXPECT_FALSE(client.lost);
  EXPECT_EQ(test::status_of_read(*connection), IoStatus::would_block);
  wire.faults.lost = 100;
  now += 200'000;
  sleep(2'000);
  EXPECT_EQ(test::status_of_read(*connection), IoStatus::would_block);
  sleep(30'000);
  EXPECT_EQ(test::status_of_read(*connection), IoStatus::failed);
  connection->close();
}

// Other events wake the main loop within less than a tick.
TEST_F(LwipSleep, CountsPartsOfATick) {
  test::Client client;
  mcp::Connection* const connection = quiet_connection(client);
  ASSERT_NE(connection, nullptr);
  wire.faults.lost = 100;
  for (Millis passed = 0; passed < 92'000; passed += 70) sleep(70);
  EXPECT_EQ(test::status_of_read(*connection), IoStatus::failed);
  connection->close();
}

TEST_F(LwipSleep, SendsALostSegmentAgainAsSoonAsWithoutTheSleep) {
  test::Client client;
  mcp::Connection* const connection = quiet_connection(client);
  ASSERT_NE(connection, nullptr);
  const Millis without_sleep = resend_time(*connection, client);
  EXPECT_LE(without_sleep, 3'600U);
  sleep(50'000);
  EXPECT_LE(resend_time(*connection, client), 3'600U);
  // The time of a round trip that follows a sleep does not contain the sleep.
  sleep(50'000);
  EXPECT_EQ(connection->write(std::string_view("fast")).size, 4U);
  sleep(2'000);
  EXPECT_LE(resend_time(*connection, client), 3'600U);
}

// A dial sends its SYN before the poll that counts the sleep.
TEST_F(LwipSleep, ADialAfterASleepDoesNotMeasureTheSleep) {
  test::Client client;
  mcp::Connection* const connection = quiet_connection(client);
  ASSERT_NE(connection, nullptr);
  now += 50'000;
  test::Client dialed;
  sleep(1'000);
  mcp::Connection* const second = listener.accept();
  ASSERT_NE(second, nullptr);
  dialed.send("fast");
  sleep(1'000);
  wire.faults.lost = 100;
  dialed.send("late");
  sleep(100);
  wire.faults.lost = 0;
  sleep(3'600);
  char bytes[9];
  EXPECT_EQ(second->read(bytes).size, 8U);
  second->close();
  connection->close();
}

TEST_F(LwipSleep, RemembersAClosedConnectionForTwoMinutes) {
  test::Client client;
  mcp::Connection* const connection = quiet_connection(client);
  ASSERT_NE(connection, nullptr);
  client.finish();
  sleep(100);
  EXPECT_EQ(test::status_of_read(*connection), IoStatus::closed);
  connection->close();
  sleep(1'000);
  EXPECT_NE(tcp_tw_pcbs, nullptr);
  EXPECT_LE(sleep(117'000), 118U);
  EXPECT_NE(tcp_tw_pcbs, nullptr);
  sleep(3'000);
  EXPECT_EQ(tcp_tw_pcbs, nullptr);
}

// ---- ARP -----------------------------------------------------------------------------------------------------------

class LwipArp : public testing::Test {
 protected:
  test::Tap tap;
  test::CountingEntropy entropy;
  Network network{tap, entropy, now};
  udp_pcb* pcb = udp_new();

  LwipArp() { network.use({10, 0, 0, 1}, mask, {}); }
  ~LwipArp() override { udp_remove(pcb); }

  void send() {
    ip_addr_t to;
    IP4_ADDR(&to, 10, 0, 0, 9);
    pbuf* const data = pbuf_alloc(PBUF_TRANSPORT, 1, PBUF_RAM);
    static_cast<void>(udp_sendto_if(pcb, data, &to, 9, &network.interface()));
    pbuf_free(data);
  }
  // The frames that the board has sent since the last call, which are requests of ARP or packets to the peer.
  struct Sent {
    std::size_t requests = 0;
    std::size_t packets = 0;
  };
  Sent sent() {
    Sent count;
    for (const test::Bytes& frame : tap.sent) {
      const auto arp = test::read_arp(frame);
      count.requests += arp && arp->to == test::Ip{10, 0, 0, 9} ? 1U : 0U;
      count.packets += test::read_udp(frame) ? 1U : 0U;
    }
    tap.sent.clear();
    return count;
  }
  void answer() {
    tap.received.push_back(
        test::arp_frame({2, {2, 0, 0, 0, 0, 9}, {10, 0, 0, 9}, {10, 0, 0, 1}}, test::Tap::mac, test::Tap::mac));
  }
  unsigned sleep(Millis ms) {
    const Millis end = now + ms;
    unsigned wakes = 0;
    for (;;) {
      const Millis due = network.poll(now);
      if (due == 0) continue;
      if (due >= end - now) break;
      now += due;
      ++wakes;
    }
    now = end;
    static_cast<void>(network.poll(now));
    return wakes;
  }
};

TEST_F(LwipArp, AsksForAnAddressAFewTimesAndThenSleeps) {
  sleep(20'000);
  sent();
  send();
  EXPECT_LE(sleep(600'000), 605U);
  const Sent count = sent();
  EXPECT_EQ(count.requests, 5U);
  EXPECT_EQ(count.packets, 0U);
}

// The time before the request is not the age of the request.
TEST_F(LwipArp, APacketAfterASleepWaitsForTheAddress) {
  sleep(20'000);
  sent();
  now += 200'000;
  send();
  static_cast<void>(network.poll(now));
  answer();
  sleep(10);
  EXPECT_EQ(sent().packets, 1U);
}

TEST_F(LwipArp, ForgetsAnAddressAfterFiveMinutesWithoutAWakeUp) {
  send();
  static_cast<void>(network.poll(now));
  answer();
  sleep(10'000);
  sent();
  EXPECT_LE(sleep(250'000), 250U) << "for the link alone";
  send();
  EXPECT_EQ(sent().packets, 1U);
  sleep(60'000);
  send();
  const Sent count = sent();
  EXPECT_EQ(count.requests, 1U);
  EXPECT_EQ(count.packets, 0U);
  sleep(10'000);
}

}  // namespace
