// SPDX-License-Identifier: Apache-2.0
// The time of day from a time server, as frames: late, lost, malformed and foreign responses, servers that reject
// requests, eras of NTP, clocks that wrap. The tests do not wait, because time is an argument.
#include <gtest/gtest.h>
#include <lwip/dhcp.h>
#include <lwip/prot/dhcp.h>

#include <memory>

#include "mcp/ports/lwip_network.hpp"
#include "mcp/ports/lwip_sntp.hpp"
#include "pools.hpp"
#include "support/bench.hpp"
#include "tap.hpp"
#include "time.hpp"
#include "time_server.hpp"

using mcp::lwip::Network;
using mcp::lwip::SntpClock;
using mcp::lwip::SntpOptions;
using test::Bytes;
using test::some_day;
using test::TimeAnswer;
using test::TimeServer;
using test::lwip_time::now;

namespace {

constexpr std::uint64_t hour_ms = 3'600'000;
constexpr std::uint64_t year_2026 = 1'767'225'600'000;

class Sntp : public testing::Test {
 protected:
  test::Tap tap;
  test::CountingEntropy entropy;
  Network network{tap, entropy, now};
  TimeServer server{tap};
  SntpOptions options{.server = TimeServer::address};
  std::unique_ptr<SntpClock> clock;
  std::vector<test::Udp>& asked = server.asked;
  std::vector<mcp::Millis>& asked_at = server.asked_at;

  Sntp() { network.use(TimeServer::board, {255, 255, 255, 0}, {}); }
  ~Sntp() override {
    clock.reset();
    pass(1'000);
    EXPECT_EQ(test::Taken(MEMP_SYS_TIMEOUT).size(), std::size_t{MEMP_NUM_SYS_TIMEOUT});
    EXPECT_EQ(test::Taken(MEMP_PBUF_POOL).size(), std::size_t{PBUF_POOL_SIZE});
    void* const all = mem_malloc(MEM_SIZE - 256);  // DHCP has some as long as the network is there
    EXPECT_NE(all, nullptr);
    mem_free(all);
  }

  // Runs due timers, and returns the time until the next.
  mcp::Millis turn() {
    const mcp::Millis due = network.poll(now);
    server.listen();
    if (!tap.received.empty()) return 0;
    return due == 0 ? 1 : due;
  }
  void pass(mcp::Millis ms) {
    const mcp::Millis end = now + ms;
    for (mcp::Millis due = turn(); now != end; due = turn()) now += std::min(due, end - now);
  }

  void start() {
    clock = std::make_unique<SntpClock>(network, options);
    ASSERT_TRUE(clock->ok());
  }

  // Until the next request.
  void until_asked(mcp::Millis limit_ms = 4'000'000) {
    const std::size_t count = asked.size();
    const mcp::Millis begin = now;
    for (mcp::Millis due = turn(); asked.size() == count && now - begin < limit_ms; due = turn()) now += due;
    ASSERT_EQ(asked.size(), count + 1);
  }

  void tell(const TimeAnswer& answer) {
    server.tell(answer);
    static_cast<void>(network.poll(now));
    server.listen();
  }

  void set(std::uint64_t utc_ms = some_day) {
    start();
    until_asked();
    tell({.utc_ms = utc_ms});
    ASSERT_TRUE(clock->is_set());
  }
};

TEST_F(Sntp, SetsTheTime) {
  start();
  const mcp::Millis begin = now;
  EXPECT_FALSE(clock->is_set());
  until_asked();
  EXPECT_LE(now - begin, 5'100U);
  const Bytes& question = asked.back().data;
  ASSERT_EQ(question.size(), 48U);
  EXPECT_EQ(question[0], 0x23);  // version 4, client
  EXPECT_EQ(asked.back().to, TimeServer::address);
  // Not a time, but a random number.
  const Bytes stamp(question.begin() + 40, question.end());
  EXPECT_NE(stamp, Bytes(8, 0));
  EXPECT_EQ(Bytes(question.begin() + 1, question.begin() + 40), Bytes(39, 0));
  tell({});
  EXPECT_TRUE(clock->is_set());
  EXPECT_EQ(clock->utc_ms(), some_day);
  pass(1'500);
  EXPECT_EQ(clock->utc_ms(), some_day + 1'500);
  // Every hour, each request with another number.
  until_asked();
  EXPECT_NEAR(asked_at[1] - asked_at[0], hour_ms, 10);
  EXPECT_NE(Bytes(asked[1].data.begin() + 40, asked[1].data.end()), stamp);
}

TEST_F(Sntp, ReturnsNoTimeBeforeTheFirstResponse) {
  start();
  EXPECT_EQ(clock->utc_ms(), now);
  pass(2'000);
  EXPECT_EQ(clock->utc_ms(), now);
}

// The way back took half of the time between request and response.
TEST_F(Sntp, AddsHalfOfTheRoundTrip) {
  start();
  until_asked();
  pass(800);
  tell({});
  EXPECT_EQ(clock->utc_ms(), some_day + 400);
}

TEST_F(Sntp, IgnoresALateResponse) {
  start();
  until_asked();
  pass(2'001);
  tell({});
  EXPECT_FALSE(clock->is_set());
  until_asked();
  pass(2'000);
  tell({});
  EXPECT_TRUE(clock->is_set());
}

TEST_F(Sntp, BacksOffWhenResponsesAreLost) {
  start();
  // 15 s for the answer, and then 15, 30, 60 s and so on, until it is an hour.
  for (unsigned i = 0; i < 12; ++i) until_asked();
  mcp::Millis wait = 15'000;
  for (std::size_t i = 1; i < asked_at.size(); ++i) {
    EXPECT_NEAR(asked_at[i] - asked_at[i - 1], 15'000 + wait, 20) << i;
    wait = std::min<mcp::Millis>(wait * 2, hour_ms);
  }
  tell({});
  EXPECT_TRUE(clock->is_set());
  const mcp::Millis answered = now;
  until_asked();
  EXPECT_NEAR(now - answered, hour_ms, 20);
  until_asked();
  EXPECT_NEAR(asked_at.back() - asked_at[asked_at.size() - 2], 30'000, 20);
}

TEST_F(Sntp, IgnoresInvalidResponses) {
  start();
  until_asked();
  const Bytes question = asked.back().data;
  for (const TimeAnswer& bad : {
           TimeAnswer{.first = 0xE4},  // the server is not synchronized
           TimeAnswer{.first = 0x23},
           TimeAnswer{.first = 0x25},  // a request, a broadcast
           TimeAnswer{.stratum = 16},
           TimeAnswer{.stratum = 255},
           TimeAnswer{.originate = Bytes(8, 0)},
           TimeAnswer{.from = {10, 0, 0, 8}},
           TimeAnswer{.from_port = 124},
           TimeAnswer{.size = 47},
           TimeAnswer{.size = 49},
           TimeAnswer{.size = 0},
           TimeAnswer{.size = 400},
           TimeAnswer{.has_time = false},
           TimeAnswer{.utc_ms = year_2026 - 1},
           TimeAnswer{.utc_ms = 0},
       }) {
    tell(bad);
    EXPECT_FALSE(clock->is_set()) << bad.first << ' ' << bad.stratum << ' ' << bad.size << ' ' << bad.utc_ms;
    if (clock->is_set()) return;
    // A response repeats the number of its request.
    until_asked();
  }
  Bytes nearly(question.begin() + 40, question.end());
  for (std::size_t bit = 0; bit < 64; ++bit) {
    Bytes other(asked.back().data.begin() + 40, asked.back().data.end());
    other[bit / 8] = static_cast<std::uint8_t>(other[bit / 8] ^ 1U << bit % 8);
    tell({.originate = other});
    EXPECT_FALSE(clock->is_set()) << bit;
  }
  tell({});
  EXPECT_TRUE(clock->is_set());
}

TEST_F(Sntp, IgnoresARepeatedResponse) {
  set();
  tell({.utc_ms = some_day + hour_ms});
  EXPECT_EQ(clock->utc_ms(), some_day);
}

TEST_F(Sntp, RequestsAgainADayAfterARefusal) {
  for (const char* const why : {"DENY", "RSTR"}) {
    start();
    until_asked();
    tell({.stratum = 0, .reference = why, .originate = Bytes(8, 7)});
    EXPECT_FALSE(clock->is_refused());  // a server that did not see the request cannot reject it
    tell({.stratum = 0, .reference = why});
    EXPECT_TRUE(clock->is_refused());
    EXPECT_FALSE(clock->is_set());
    for (unsigned day = 0; day < 3; ++day) {
      const std::size_t count = asked.size();
      pass(23 * static_cast<mcp::Millis>(hour_ms));
      EXPECT_EQ(asked.size(), count);
      until_asked(3 * static_cast<mcp::Millis>(hour_ms));
      tell({.stratum = 0, .reference = why});
      EXPECT_TRUE(clock->is_refused());
    }
    pass(24 * static_cast<mcp::Millis>(hour_ms));
    until_asked();
    tell({});
    EXPECT_TRUE(clock->is_set());
    clock.reset();
  }
  // A server that rejects requests because of their rate gets fewer.
  start();
  until_asked();
  tell({.stratum = 0, .reference = "RATE"});
  EXPECT_FALSE(clock->is_refused());
  EXPECT_FALSE(clock->is_set());
  until_asked();
  EXPECT_GE(asked_at.back() - asked_at[asked_at.size() - 2], 15'000U);
  tell({});
  EXPECT_TRUE(clock->is_set());
}

// 2036-02-07T06:28:16Z, and NTP counts from 0 again.
TEST_F(Sntp, HandlesTheNtpEraRollover) {
  constexpr std::uint64_t end = 2'085'978'496'000;
  for (const std::uint64_t utc_ms : {end - 1'000, end - 1, end + 1, end + 1'000, end + 60 * 8'766 * hour_ms}) {
    clock.reset();
    set(utc_ms);
    EXPECT_EQ(clock->utc_ms(), utc_ms);
    pass(2'000);
    EXPECT_EQ(clock->utc_ms(), utc_ms + 2'000);
  }
  // The second in which all bytes are 0 is invalid.
  clock.reset();
  start();
  until_asked();
  tell({.utc_ms = end});
  EXPECT_FALSE(clock->is_set());
}

TEST_F(Sntp, HoldsTheClockForASmallStepBack) {
  set();
  until_asked();
  const std::uint64_t told = clock->utc_ms();
  tell({.utc_ms = told - 1'500});
  EXPECT_EQ(clock->utc_ms(), told);
  pass(1'000);
  EXPECT_EQ(clock->utc_ms(), told);
  pass(1'000);
  EXPECT_EQ(clock->utc_ms(), told + 500);
}

// The server was wrong before, or is a better one.
TEST_F(Sntp, AppliesALargeStepAfterFourResponsesThatAgree) {
  set();
  std::uint64_t right = some_day;
  for (const std::uint64_t utc_ms : {some_day - 24 * hour_ms, some_day + 24 * hour_ms, year_2026}) {
    const mcp::Millis begin = now;
    for (unsigned i = 0; i < 4; ++i) {
      until_asked();
      EXPECT_GE(now - asked_at[asked_at.size() - 2], 890'000U);
      right = clock->utc_ms();
      tell({.utc_ms = utc_ms + (now - begin)});
      EXPECT_EQ(clock->utc_ms(), i == 3 ? utc_ms + (now - begin) : right) << i;
    }
    EXPECT_NEAR(now - begin, hour_ms + 3 * 900'000, 1'000);
    EXPECT_EQ(clock->utc_ms(), utc_ms + (now - begin));
  }
  // A step of up to 10 minutes needs one.
  for (const std::int64_t step_ms : {600'000, -600'000}) {
    until_asked();
    const std::uint64_t utc_ms = clock->utc_ms() + static_cast<std::uint64_t>(step_ms);
    tell({.utc_ms = utc_ms});
    EXPECT_EQ(clock->utc_ms(), utc_ms);
  }
}

// Responses of an attacker who sees some of the requests.
TEST_F(Sntp, KeepsTheTimeDespiteForgedResponses) {
  constexpr std::uint64_t far = 4'102'444'800'000;  // 2100
  set();
  const mcp::Millis begin = now;
  for (unsigned i = 0; i < 200; ++i) {
    until_asked();
    const std::uint64_t right = some_day + (now - begin);
    switch (i % 8) {
      case 0: tell({.utc_ms = right}); break;
      case 1:
      case 2:
      case 3: tell({.utc_ms = far}); break;
      case 4: tell({.utc_ms = right}); break;
      case 5: tell({.utc_ms = right + 700'000}); break;
      case 6: tell({.utc_ms = right - 700'000}); break;
      default: tell({.utc_ms = far + i * hour_ms}); break;
    }
    EXPECT_NEAR(static_cast<double>(clock->utc_ms()), static_cast<double>(right), 1.0) << i;
  }
}

// A forged response was the first one.
TEST_F(Sntp, RecoversFromAWrongFirstResponse) {
  set(4'102'444'800'000);
  const mcp::Millis begin = now;
  while (clock->utc_ms() > 4'000'000'000'000 && now - begin < 12 * hour_ms) {
    until_asked();
    tell({.utc_ms = some_day + (now - begin)});
  }
  EXPECT_LE(now - begin, hour_ms + 3 * 900'000 + 1'000);
  EXPECT_EQ(clock->utc_ms(), some_day + (now - begin));
}

// The server is silent for 120 days, in which the board's clock wraps twice.
TEST_F(Sntp, ContinuesWithoutTheServer) {
  set();
  for (unsigned day = 1; day <= 120; ++day) {
    for (unsigned minutes = 0; minutes < 24 * 60; minutes += 10) {
      now += 600'000;
      turn();
    }
    ASSERT_EQ(clock->utc_ms(), some_day + day * 24 * hour_ms) << day;
  }
}

TEST_F(Sntp, SendsARequestWhenTheNetworkIsUp) {
  tap.plugged = false;
  pass(1'000);
  start();
  pass(60'000);
  EXPECT_TRUE(asked.empty());
  tap.plugged = true;
  until_asked(6'000);
  tap.plugged = false;
  pass(60'000);
  EXPECT_EQ(asked.size(), 1U);
  tap.plugged = true;
  until_asked(6'000);
  tell({});
  EXPECT_TRUE(clock->is_set());
}

TEST_F(Sntp, RetriesWithoutMemory) {
  start();
  {
    const test::TakenMemory taken;
    pass(60'000);
    EXPECT_TRUE(asked.empty());
  }
  until_asked();
  tell({});
  EXPECT_TRUE(clock->is_set());
  clock.reset();
  const std::size_t count = asked.size();
  {
    const test::Taken taken(MEMP_UDP_PCB);
    start();
    pass(60'000);
    EXPECT_EQ(asked.size(), count);
  }
  until_asked();
}

TEST_F(Sntp, WithoutEntropySendsNoRequest) {
  entropy.fails = true;
  start();
  pass(60'000);
  EXPECT_TRUE(asked.empty());
  EXPECT_FALSE(clock->is_set());
  entropy.fails = false;
  until_asked();
  tell({});
  EXPECT_TRUE(clock->is_set());
}

TEST_F(Sntp, SecondClockFails) {
  set();
  SntpClock second(network, options);
  EXPECT_FALSE(second.ok());
  EXPECT_FALSE(second.is_set());
  pass(10'000);
  EXPECT_EQ(second.utc_ms(), now);
  EXPECT_EQ(clock->utc_ms(), some_day + 10'000);
}

// ---- DHCP -----------------------------------------------------------------------------------------------------------

// A server that gives one address, and names a time server or none.
class SntpByDhcp : public Sntp {
 protected:
  bool names_server = true;
  test::Ip time_server = TimeServer::address;

  void serve(const test::Udp& udp) {
    const unsigned kind = udp.data.at(242);  // the first option after the cookie is the message type
    test::Writer more;
    more.u8(1).u8(4).u32(0xFFFFFF00);
    if (names_server) more.u8(42).u8(4).all(time_server);
    tap.received.push_back(test::dhcp_frame(udp.data, kind == 1 ? 2 : 5, TimeServer::board, TimeServer::address,
                                            TimeServer::mac, more.bytes));
  }

  void join() {
    network.use({}, {}, {});
    options.server = {};
    start();
    network.use_dhcp();
    until_leased();
  }
  // The cable was pulled, and the server gives a lease again.
  void rejoin() {
    tap.plugged = false;
    pass(2'000);
    tap.plugged = true;
    static_cast<void>(network.poll(now += 1'000));
    until_leased();
  }
  void until_leased() {
    const auto* const lease = netif_dhcp_data(&network.interface());
    for (unsigned i = 0; i < 5'000 && lease->state != DHCP_STATE_BOUND; ++i) {
      static_cast<void>(network.poll(now++));
      const std::vector<Bytes> sent = std::exchange(tap.sent, {});
      for (const Bytes& frame : sent) {
        if (const auto udp = test::read_udp(frame); udp && udp->to_port == 67) serve(*udp);
      }
    }
    ASSERT_TRUE(network.ready());
  }
};

TEST_F(SntpByDhcp, AsksTheServerThatDhcpNames) {
  join();
  until_asked(6'000);
  EXPECT_EQ(asked.back().to, TimeServer::address);
  tell({});
  EXPECT_EQ(clock->utc_ms(), some_day);
}

TEST_F(SntpByDhcp, AnotherServerReplacesOneThatRejects) {
  join();
  until_asked(6'000);
  tell({.stratum = 0, .reference = "DENY"});
  EXPECT_TRUE(clock->is_refused());
  // The same server again changes nothing.
  rejoin();
  EXPECT_TRUE(clock->is_refused());
  time_server = {10, 0, 0, 8};
  rejoin();
  EXPECT_FALSE(clock->is_refused());
  tap.received.push_back(test::arp_frame(
      {.operation = 1, .from_mac = TimeServer::mac, .from = time_server, .to = TimeServer::board}, test::to_all, {}));
  until_asked(6'000);
  EXPECT_EQ(asked.back().to, time_server);
  tell({.from = time_server});
  EXPECT_EQ(clock->utc_ms(), some_day);
}

// A lease that is renewed with the same server does not disturb a request.
TEST_F(SntpByDhcp, RenewalKeepsTheServer) {
  join();
  until_asked(6'000);
  const ip4_addr_t same = {.addr = lwip_htonl(0x0A00'0009)};
  SntpClock::set_server_of_dhcp(&same);
  tell({});
  EXPECT_EQ(clock->utc_ms(), some_day);
}

TEST_F(SntpByDhcp, WithoutAServerFromDhcpAsksNone) {
  names_server = false;
  join();
  pass(600'000);
  EXPECT_TRUE(asked.empty());
  EXPECT_FALSE(clock->is_set());
}

}  // namespace
