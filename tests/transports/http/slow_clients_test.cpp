// SPDX-License-Identifier: Apache-2.0
// Clients that stall, send slowly or read slowly, if there are more clients than connections, and the buffer for long
// messages. Without sockets. The test sets the time.
#include <gtest/gtest.h>

#include <list>
#include <string>

#include "transports/http/streamable.hpp"

namespace {

using namespace test;

// ---- Clients that stall -------------------------------------------------------------------------------------------

// A client that sends a request byte by byte, or stops in its middle.
struct SlowSender {
  HttpClient client;
  std::string rest;

  void drip() {
    client.send(rest.substr(0, 1));
    rest.erase(0, rest.empty() ? 0 : 1);
  }
};

template <class S>
std::list<SlowSender> slow_senders(S& site, const std::string& request, std::uint64_t hosts) {
  std::list<SlowSender> senders;
  const std::size_t head = request.find("\r\n\r\n") + 4;
  const std::size_t sent[] = {0, head / 2, head + 1, request.size() - 1};
  for (std::size_t i = 0; i < 40; ++i) {
    SlowSender& sender = senders.emplace_back(SlowSender{site.connect(i % hosts), request.substr(sent[i % 4])});
    sender.client.send(request.substr(0, sent[i % 4]));
  }
  return senders;
}

// `interval`: between two bytes of each sender; 0: they stall.
template <std::size_t connections>
void expect_service_in_time(mcp::Millis interval) {
  constexpr mcp::HttpLimits limits{.connections = connections, .head_size = 512};
  struct Case {
    std::size_t slow;  // bytes of their messages, which may be longer than the transmit buffer
    std::size_t fast;
    std::uint64_t hosts;
  };
  for (const Case& one : {Case{40, 40, 1}, Case{40, 1000, 1}, Case{1000, 40, 1}, Case{1000, 1000, 1}, Case{40, 40, 50},
                          Case{40, 1000, 50}, Case{1000, 40, 50}, Case{1000, 1000, 50}}) {
    Site<limits, 512> site(features, {.receive_size = 2048});
    const std::string session = site.begin();
    const auto message = [](std::size_t size) { return ping() + std::string(size - ping().size(), ' '); };
    std::list<SlowSender> senders = slow_senders(site, post(message(one.slow), session), one.hosts);
    const auto drip = [&] {
      for (SlowSender& sender : senders) sender.drip();
    };
    const mcp::Millis ms = time_of(site, post(message(one.fast), session), drip, interval != 0 ? interval : 20'000);
    EXPECT_LE(ms, 1'000U) << connections << " connections, " << one.slow << " and " << one.fast << " bytes, "
                          << one.hosts << " hosts, a byte every " << interval << " ms";
  }
}

TEST(Eviction, FortyStalledClientsDelayARequestByLessThanASecond) {
  expect_service_in_time<1>(0);
  expect_service_in_time<3>(0);
  expect_service_in_time<8>(0);
  expect_service_in_time<45>(0);
}

TEST(Eviction, FortySlowClientsDelayARequestByLessThanASecond) {
  // Also if each byte arrives before the time of the previous one is over.
  for (const mcp::Millis interval : {900U, 190U, 20U}) {
    expect_service_in_time<1>(interval);
    expect_service_in_time<3>(interval);
    expect_service_in_time<8>(interval);
    expect_service_in_time<45>(interval);
  }
}

// With fewer connections than the transport, the listener could not tell of a client that waits.
TEST(EvictionDeathTest, RejectsAListenerWithFewerConnections) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512}> site;
  site.listener.set_capacity(3);
  site.run();
  site.listener.set_capacity(2);
  EXPECT_DEATH(site.run(), "contract");
  site.listener.set_capacity(3);
}

TEST(Eviction, SingleClientMaySendSlowly) {
  Site<mcp::HttpLimits{.connections = 1, .head_size = 512}, 512> site(features, {.receive_size = 2048});
  const std::string session = site.begin();
  for (const std::size_t size : {std::size_t{40}, std::size_t{1000}}) {
    const std::string request = post(ping() + std::string(size - ping().size(), ' '), session);
    SlowSender sender{site.connect(), request.substr(request.size() - 10)};
    sender.client.send(request.substr(0, request.size() - 10));
    for (int i = 0; i < 10; ++i) {
      site.pass(900);
      sender.drip();
    }
    site.run();
    EXPECT_EQ(sender.client.response().body, pong());
    sender.client.leave();
    site.run();
  }
}

// A client at the minimum rate keeps its connection while others wait.
TEST(Eviction, KeepsAClientAtTheMinimumRate) {
  Site<mcp::HttpLimits{.connections = 1, .head_size = 512}, 512> site(features, {.receive_size = 2048});
  const std::string session = site.begin();
  const std::string request = post(ping() + std::string(1400, ' '), session);
  HttpClient sender = site.connect();
  HttpClient next = site.connect();
  next.send(post(ping(2), session));
  for (std::size_t at = 0; at < request.size(); at += 100) {
    sender.send(request.substr(at, 100));
    site.pass(100);
  }
  EXPECT_EQ(sender.response().body, pong());
  site.pass(1'000);
  EXPECT_EQ(next.response().body, pong(2));
}

// Three clients send requests in a row, and read one byte every 900 ms.
TEST(Eviction, SlowReadersDelayARequestByLessThanASecond) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512}> site;
  const std::string session = site.begin();
  std::list<HttpClient> readers;
  for (std::uint64_t host = 1; host <= 3; ++host) {
    HttpClient& reader = readers.emplace_back(site.connect(host));
    reader.connection().wire.write_limit = 1;
    reader.connection().wire.write_fault = {.call = 2, .forever = true};
    for (int id = 0; id < 20; ++id) reader.send(post(ping(id), session));
  }
  site.pass(100);
  EXPECT_LE(time_of(site, post(ping(), session),
                    [&] {
                      for (HttpClient& reader : readers) {
                        FakeStream& wire = reader.connection().wire;
                        wire.write_fault = {.call = wire.writes() + 2, .forever = true};
                      }
                    }),
            1'000U);
}

// Three clients send requests so often that they are never idle. The first response ends its connection, which is
// enough for the client that waits.
TEST(Eviction, ClosesABusyConnectionAfterAResponse) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512}> site;
  const std::string session = site.begin();
  std::list<HttpClient> busy;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(site.ask(busy.emplace_back(site.connect()), post(ping(), session)).body, pong());
  HttpClient next = site.connect();
  next.send(post(ping(), session));
  for (int i = 0; i < 2; ++i) {
    site.pass(900);
    for (HttpClient& client : busy) client.send(post(ping(), session));
    site.run();
    for (HttpClient& client : busy) {
      const bool closes = i != 0 && &client == &busy.front();
      EXPECT_EQ(client.response().header("connection"), closes ? "close" : "(none)");
      EXPECT_EQ(client.connection().closed(), closes);
    }
  }
  EXPECT_EQ(next.response().body, pong());
}

// A client that connects while a request is read waits only until the next round, as long as a connection is free.
TEST(Eviction, KeepsABusyConnectionWhileAnotherOneIsFree) {
  Site<mcp::HttpLimits{.connections = 2, .head_size = 512}> site;
  const std::string session = site.begin();
  HttpClient busy = site.connect();
  EXPECT_EQ(site.ask(busy, post(ping(), session)).body, pong());
  site.pass(2'000);
  std::list<HttpClient> others;
  busy.connection().on_call = [&] {
    if (others.empty()) others.push_back(site.connect());
  };
  const HttpResponse response = site.ask(busy, post(ping(), session));
  busy.connection().on_call = nullptr;
  EXPECT_EQ(response.body, pong());
  EXPECT_EQ(response.header("connection"), "(none)");
  EXPECT_FALSE(busy.connection().closed());
  ASSERT_EQ(others.size(), 1U);
  EXPECT_EQ(site.ask(others.front(), post(ping(), session)).body, pong());
}

// A host with 40 connections connects again after each response.
TEST(Eviction, FortyConnectionsOfOneHostDelayARequestByLessThanASecond) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512}> site;
  const std::string session = site.begin();
  std::list<HttpClient> crowd;
  const auto come = [&] {
    HttpClient client = site.connect(8);
    client.send(post(ping(), session));
    return client;
  };
  for (int i = 0; i < 40; ++i) crowd.push_back(come());
  const auto pass = [&] {
    site.pass(20);
    for (HttpClient& client : crowd) {
      if (client.connection().closed()) {
        client.leave();
        client = come();
      } else if (client.response().status == 200) {
        client.send(post(ping(), session));
      }
    }
  };
  for (int i = 0; i < 100; ++i) pass();
  HttpClient next = site.connect(7);
  next.send(post(ping(), session));
  std::string answer;
  for (int i = 0; i < 50 && answer.empty(); ++i) {
    pass();
    answer = next.response().body;
  }
  EXPECT_EQ(answer, pong());
}

// A client with one connection keeps its time while another client opens many.
TEST(Eviction, ManyConnectionsDoNotShortenTheTimeOfAnotherClient) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512}> site;
  const std::string session = site.begin();
  const std::string request = post(ping(), session);
  std::list<HttpClient> flood;
  const auto flood_for = [&](int ms) {
    for (; ms != 0; --ms) {
      if (site.listener.waiting() < 2) flood.push_back(site.connect(8));
      site.pass(1);
    }
  };
  flood_for(1'000);
  HttpClient slow = site.connect(7);
  slow.send(request.substr(0, 100));
  flood_for(190);
  slow.send(request.substr(100));
  site.run();
  EXPECT_EQ(slow.response().body, pong());
}

// The first bytes of the client arrive 5 ms after its connection.
TEST(Eviction, FloodLeavesANewClientTimeForItsFirstByte) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512}> site;
  const std::string session = site.begin();
  std::list<HttpClient> flood;
  for (int i = 0; i < 40; ++i) flood.push_back(site.connect());
  HttpClient client = site.connect();
  for (int i = 0; i < 10; ++i) flood.push_back(site.connect());
  for (int ms = 0; ms < 1'000 && site.listener.waiting() > 10; ++ms) site.pass(1);
  EXPECT_GT(site.listener.waiting(), 0U);
  site.pass(5);
  client.send(post(ping(), session));
  site.run();
  EXPECT_EQ(client.response().body, pong());
}

// A client has an idle time between two requests, and a shorter one within a request.
TEST(Eviction, ClosesAClientThatStallsInItsSecondRequest) {
  Site<mcp::HttpLimits{.connections = 1, .head_size = 512}> site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());
  client.send(post(ping(2), session).substr(0, 100));
  site.run();
  HttpClient next = site.connect();
  next.send(post(ping(3), session));
  site.pass(199);
  EXPECT_FALSE(client.connection().closed());
  site.pass(1);
  EXPECT_TRUE(client.connection().closed());
  EXPECT_EQ(next.response().body, pong(3));
}

// While the main loop was busy, the server could serve no client.
TEST(Eviction, BusyMainLoopDoesNotCountAsClientTime) {
  Site<mcp::HttpLimits{.connections = 1, .head_size = 512}> site;
  const std::string session = site.begin();
  const std::string request = post(ping(), session);
  HttpClient client = site.connect();
  client.send(request.substr(0, 100));
  HttpClient next = site.connect();
  site.run();
  site.pass_busily(2'000);
  EXPECT_FALSE(client.connection().closed());
  site.pass(190);
  client.send(request.substr(100));
  site.run();
  EXPECT_EQ(client.response().body, pong());
}

// ---- The buffer for long messages ---------------------------------------------------------------------------------

// A later client does not get the buffer first, also if its exchange comes first in the table.
TEST(Eviction, ReceivesLongMessagesInTheirOrder) {
  Site<mcp::HttpLimits{.connections = 4, .head_size = 512}, 512> site(features, {.receive_size = 2048});
  const std::string session = site.begin();
  const std::string request = post(ping() + std::string(1000, ' '), session);
  HttpClient idle = site.connect();
  site.run();
  HttpClient first = site.connect();
  first.send(request.substr(0, request.size() - 1));
  site.run();
  HttpClient second = site.connect();
  second.send(request.substr(0, 400));
  site.pass(1);
  idle.leave();
  site.run();
  HttpClient third = site.connect();  // replaces the idle client
  third.send(request);
  site.run();
  first.send(" ");
  site.run();
  EXPECT_EQ(first.response().body, pong());
  EXPECT_EQ(third.response().status, 0);
  second.send(request.substr(400));
  site.run();
  EXPECT_EQ(second.response().body, pong());
  EXPECT_EQ(third.response().body, pong());
}

// One client has the buffer and sends at the minimum rate. The others have sent a head, and wait for the buffer.
TEST(Eviction, ClientsWaitingForTheBufferDelayARequestByAtMostASecond) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512}, 512> site(features, {.receive_size = 16'384});
  const std::string session = site.begin();
  const std::string request = post(ping() + std::string(12'000, ' '), session);
  const std::size_t head = request.find("\r\n\r\n") + 4;
  SlowSender owner{site.connect(1), request.substr(head)};
  owner.client.send(request.substr(0, head));
  site.run();
  std::list<HttpClient> waiting;
  for (int i = 0; i < 2; ++i) waiting.emplace_back(site.connect(1)).send(request.substr(0, head));
  site.run();
  const auto send = [&] {
    owner.client.send(owner.rest.substr(0, 55));
    owner.rest.erase(0, 55);
  };
  EXPECT_LE(time_of(site, post(ping(), session), send, 50), 1'000U);
}

// A client that has announced a long message, and does not read the `100 Continue` for it.
template <class S>
HttpClient announce(S& site, const std::string& session) {
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {.call = 1, .forever = true};
  const std::string request = post(ping() + std::string(1000, ' '), session + "Expect: 100-continue\r\n");
  client.send(request.substr(0, request.find("\r\n\r\n") + 4));
  site.pass(1);
  return client;
}

TEST(Eviction, ClientThatReadsNoContinueDoesNotHoldTheBuffer) {
  Site<mcp::HttpLimits{.connections = 2, .head_size = 512}, 512> site(features, {.receive_size = 2048});
  const std::string session = site.begin();
  const HttpClient stalled = announce(site, session);
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(ping() + std::string(1000, ' '), session)).body, pong());
  EXPECT_FALSE(stalled.connection().closed());
  stalled.connection().wire.write_fault = {};
}

TEST(Eviction, EvictsAClientThatReadsNoContinue) {
  Site<mcp::HttpLimits{.connections = 1, .head_size = 512}, 512> site(features, {.receive_size = 2048});
  const std::string session = site.begin();
  const HttpClient stalled = announce(site, session);
  HttpClient next = site.connect();
  next.send(post(ping(2), session));
  site.pass(198);
  EXPECT_FALSE(stalled.connection().closed());
  site.pass(1);
  EXPECT_TRUE(stalled.connection().closed());
  EXPECT_EQ(next.response().body, pong(2));
}

}  // namespace
