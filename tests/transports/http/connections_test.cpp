// SPDX-License-Identifier: Apache-2.0
// Connections of clients: timeouts, eviction, their end, and pipelined and parallel requests. Without sockets. The
// test sets the time.
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <string>
#include <vector>

#include "support/device.hpp"
#include "transports/http/streamable.hpp"

namespace {

using namespace test;

// ---- Connections -------------------------------------------------------------------------------------------------

TEST(HttpTransport, IncompleteRequestGets408) {
  Site site;
  const std::string session = site.begin();
  const std::string request = post(ping(), session);
  const std::size_t body = request.find("\r\n\r\n") + 4;
  for (const std::size_t cut : {std::size_t{1}, std::size_t{20}, body - 1, body, body + 1, request.size() - 1}) {
    HttpClient client = site.connect();
    client.send(request.substr(0, cut));
    site.pass(9'999);
    EXPECT_EQ(client.response().status, 0) << cut;
    site.pass(1);
    expect_rejection(client.response(), 408);
    EXPECT_TRUE(client.connection().closed()) << cut;
  }
}

TEST(HttpTransport, HasWorkFromTheFirstByteOfARequestToTheLastOfItsResponse) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  site.run();
  EXPECT_FALSE(site.transport().has_work());  // a connection without a byte
  const std::string request = post(ping(), session);
  client.send(request.substr(0, 10));
  site.run();
  EXPECT_TRUE(site.transport().has_work());
  client.send(request.substr(10));
  site.run();
  EXPECT_FALSE(site.transport().has_work());
  EXPECT_EQ(client.response().status, 200);
  client.connection().wire.write_fault = {.call = 1, .status = mcp::IoStatus::would_block, .forever = true};
  client.send(request);
  site.run();
  EXPECT_TRUE(site.transport().has_work());
  client.connection().wire.write_fault = {};
  site.run();
  EXPECT_FALSE(site.transport().has_work());
}

TEST(HttpTransport, RequestTimeoutIsNotExtendedByBytes) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  for (int i = 0; i < 10; ++i) {
    client.send(post(ping(), session).substr(static_cast<std::size_t>(i), 1));
    site.pass(1'000);
  }
  expect_rejection(client.response(), 408);
  EXPECT_TRUE(client.connection().closed());
}

TEST(HttpTransport, TimeoutsApplyWhileOthersAreBusy) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  HttpClient slow = site.connect();
  slow.send("POST");
  site.run();
  HttpClient busy = site.connect();
  busy.send(post(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"chatter",)"
                 R"("_meta":{"progressToken":1}}})",
                 session));
  site.pass_busily(9'999);
  EXPECT_EQ(slow.response().status, 0);
  site.pass_busily(1);
  expect_rejection(slow.response(), 408);
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  EXPECT_EQ(site.ask(client, post(cancel, session)).status, 202);
}

TEST(HttpTransport, ClosesIdleConnections) {
  Site site;
  HttpClient client = site.connect();
  HttpClient silent = site.connect();
  const std::string session = site.begin(client);
  site.pass(59'999);
  EXPECT_FALSE(client.connection().closed());
  EXPECT_FALSE(silent.connection().closed());
  site.pass(1);
  EXPECT_TRUE(client.connection().closed());
  EXPECT_TRUE(silent.connection().closed());
  EXPECT_TRUE(client.idle());
  // A stream without an event is not idle.
  HttpClient listener = site.listen(session);
  site.pass(300'000);
  EXPECT_FALSE(listener.connection().closed());
}

TEST(HttpTransport, NewRequestRestartsTheTimeout) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  for (int i = 0; i < 4; ++i) {
    site.pass(50'000);
    EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());
  }
}

TEST(HttpTransport, ClosesAClientThatTakesNoByte) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {1, mcp::IoStatus::would_block, true};
  client.send(post(ping(), session));
  site.pass(59'999);
  EXPECT_FALSE(client.connection().closed());
  site.pass(1);
  EXPECT_TRUE(client.connection().closed());
}

// A stream that was silent for long has this time for its next event, and for its end.
TEST(HttpTransport, ClosesAStreamThatTakesNoByte) {
  for (const bool ends : {false, true}) {
    Site site;
    HttpClient client = site.connect();
    const std::string session = site.begin(client);
    EXPECT_EQ(site.ask(client, post(subscribe("test://here"), session)).status, 200);
    HttpClient listener = site.listen(session);
    site.pass(usual.idle_timeout_ms);
    listener.connection().wire.write_fault = {listener.connection().wire.writes() + 1, mcp::IoStatus::would_block,
                                              true};
    if (ends) {
      HttpClient other = site.connect();
      EXPECT_EQ(site.ask(other, delete_request(session)).status, 200);
    } else {
      site.bench.server.resource_updated(features.resources.rows()[0]);
    }
    site.pass(usual.idle_timeout_ms - 1);
    EXPECT_FALSE(listener.connection().closed()) << ends;
    site.pass(1);
    EXPECT_TRUE(listener.connection().closed()) << ends;
  }
}

// A connection that has been served, and whose port says when it has input.
HttpClient connect_with_events(Site<>& site, const std::string& request) {
  HttpClient client = site.connect();
  client.connection().has_events = true;
  EXPECT_EQ(site.ask(client, request).status, 200);
  return client;
}

// A poll does not look at each of these, if the port says that they have no input.
TEST(HttpTransport, ClosesEachOfSeveralIdleConnectionsInTime) {
  Site site;
  const std::string request = post(ping(), site.begin());
  std::vector<HttpClient> clients;
  for (unsigned i = 0; i < 3; ++i) {
    clients.push_back(connect_with_events(site, request));
    site.pass(10'000);
  }
  // At 30 s. The others have waited since 10 s and 20 s.
  EXPECT_EQ(site.ask(clients[0], request).status, 200);
  site.pass(usual.idle_timeout_ms - 20'001);
  for (const unsigned first_ms : {1U, 10'000U, 10'000U}) {
    const auto closed = [](const HttpClient& client) { return client.connection().closed(); };
    const auto before = std::ranges::count_if(clients, closed);
    site.pass(first_ms - 1);
    EXPECT_EQ(std::ranges::count_if(clients, closed), before);
    site.pass(1);
    EXPECT_EQ(std::ranges::count_if(clients, closed), before + 1);
  }
  EXPECT_TRUE(clients[1].connection().closed());
}

TEST(HttpTransport, CallsNoConnectionWithoutInput) {
  unsigned calls = 0;  // also those of the end of the site
  Site site;
  const std::string request = post(ping(), site.begin());
  std::vector<HttpClient> clients;
  for (unsigned i = 0; i < 3; ++i) {
    clients.push_back(connect_with_events(site, request));
    clients[i].connection().on_call = [&calls] { ++calls; };
  }
  EXPECT_EQ(calls, 0U);
  for (HttpClient& client : clients) {
    calls = 0;
    EXPECT_EQ(site.ask(client, request).status, 200);
    EXPECT_EQ(calls, 3U);  // a read, a write, and a read without input
  }
}

TEST(Connection, NotesInputUntilItIsClosed) {
  test::FakeConnection connection;
  bool ready = false;
  connection.note_input_at(&ready);
  connection.give("x");
  EXPECT_TRUE(ready);
  ready = false;
  connection.close();
  connection.give("x");
  EXPECT_FALSE(ready);
}

// The clock wraps at 2^32.
TEST(HttpTransport, ClosesAnIdleConnectionAfterWeeksWithoutAPoll) {
  for (const mcp::Millis pause_ms : {0x7000'0000U, 0x9000'0000U, 0xF000'0000U}) {
    Site site;
    site.pass_busily(0);
    site.pass_busily(pause_ms);
    const std::string request = post(ping(), site.begin());
    const HttpClient client = connect_with_events(site, request);
    site.pass(usual.idle_timeout_ms - 1);
    EXPECT_FALSE(client.connection().closed()) << pause_ms;
    site.pass(1);
    EXPECT_TRUE(client.connection().closed()) << pause_ms;
  }
}

// A request may take longer than a response.
TEST(HttpTransport, ResponseHasATimeOfItsOwn) {
  Site<mcp::HttpLimits{.connections = 2, .head_size = 512, .request_timeout_ms = 10'000, .idle_timeout_ms = 5'000}>
      site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {1, mcp::IoStatus::would_block, true};
  const std::string request = post(ping(), session);
  client.send(request.substr(0, 10));
  site.pass(9'000);
  client.send(request.substr(10));
  site.pass(4'999);
  EXPECT_FALSE(client.connection().closed());
  site.pass(1);
  EXPECT_TRUE(client.connection().closed());
}

// A body that waits for the buffer of the server has no time limit, except while its client takes no `100 Continue`.
TEST(HttpTransport, ClosesAClientThatTakesNoContinue) {
  Site<usual, 512> site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {1, mcp::IoStatus::would_block, true};
  const std::string request = post(ping() + std::string(600, ' '), session + "Expect: 100-continue\r\n");
  client.send(request.substr(0, request.find("\r\n\r\n") + 4));
  site.pass(usual.request_timeout_ms + usual.idle_timeout_ms - 1);
  EXPECT_FALSE(client.connection().closed());
  site.pass(1);
  EXPECT_TRUE(client.connection().closed());
}

// After a part of `100 Continue`, no other response can follow.
TEST(HttpTransport, SendsNoResponseAfterAPartOfContinue) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  FakeStream& wire = client.connection().wire;
  wire.write_limit = 10;
  wire.write_fault = {2, mcp::IoStatus::would_block, true};
  const std::string request = post(ping(), session + "Expect: 100-continue\r\n");
  client.send(request.substr(0, request.find("\r\n\r\n") + 4));
  site.pass(usual.request_timeout_ms);
  wire.write_fault = {};
  site.run();
  EXPECT_EQ(wire.take(), "HTTP/1.1 1");
  EXPECT_TRUE(client.connection().closed());
}

// A call that always has output does not keep the device awake for a client that does not read.
TEST(HttpTransport, SleepsWhileAStreamTakesNoByte) {
  Site site;
  const std::string session = site.begin();
  HttpClient slow = site.connect();
  slow.connection().wire.write_fault = {5, mcp::IoStatus::would_block, true};
  slow.send(post(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"chatter",)"
                 R"("_meta":{"progressToken":1}}})",
                 session));
  const std::size_t writes = 10 + slow.connection().wire.writes();
  EXPECT_EQ(site.run(), 10U);
  EXPECT_LE(slow.connection().wire.writes(), writes);
  site.pass(59'990);
  site.pass_busily(10);
  EXPECT_TRUE(slow.connection().closed());  // the call continues
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  HttpClient client = site.connect();
  client.send(post(cancel, session));
  site.pass_busily(0);
  EXPECT_EQ(client.response().status, 202);
}

// ---- More clients than connections -------------------------------------------------------------------------------

TEST(HttpTransport, FurtherConnectionsWaitForASlot) {
  Site site;
  std::list<HttpClient> clients;
  for (int i = 0; i < 7; ++i) clients.push_back(site.connect());
  site.run();
  EXPECT_EQ(site.listener.waiting(), 2U);
  clients.front().leave();
  site.run();
  EXPECT_EQ(site.listener.waiting(), 1U);
  site.pass(199);
  EXPECT_EQ(site.listener.waiting(), 1U);
  site.pass(1);
  EXPECT_EQ(site.listener.waiting(), 0U);
  EXPECT_EQ(site.ask(clients.back(), post(initialize())).status, 200);
}

// For each waiting client, the server closes one connection, the longest-idle one first.
TEST(HttpTransport, EvictsLongestIdleConnection) {
  Site site;
  const std::string session = site.begin();
  std::vector<HttpClient> clients;
  for (int i = 0; i < 5; ++i) {
    clients.push_back(site.connect());
    site.pass(100);
  }
  EXPECT_EQ(site.ask(clients[0], post(ping(), session)).body, pong());  // is now the shortest idle one
  site.pass(5'000);
  HttpClient next = site.connect();
  EXPECT_EQ(site.ask(next, post(ping(), session)).body, pong());
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(clients[i].connection().closed(), i == 1) << i;
  HttpClient another = site.connect();
  EXPECT_EQ(site.ask(another, post(ping(), session)).body, pong());
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(clients[i].connection().closed(), i == 1 || i == 2) << i;
  // Without a waiting client, no connection closes.
  site.pass(50'000);
  EXPECT_FALSE(clients[3].connection().closed());
}

// ---- The end of a connection -------------------------------------------------------------------------------------

// The server reads further input, because a reset could remove the response before the client has read it.
TEST(HttpTransport, DiscardsInputAfterARejection) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  client.connection().stays = true;
  client.send(with(post(ping(), session), "Content-Length: 40", "Content-Length: 1000000"));
  site.run();
  EXPECT_EQ(client.response().status, 413);
  EXPECT_TRUE(client.connection().closed());
  for (int i = 0; i < 100; ++i) {
    client.send(std::string(10'000, 'x'));
    site.run();
    EXPECT_EQ(client.connection().wire.unread(), 0U);
  }
  EXPECT_FALSE(client.connection().released());
  client.leave();
  site.run();
  EXPECT_TRUE(client.connection().released());
  EXPECT_TRUE(client.idle());
}

TEST(HttpTransport, ClosesAClientThatDoesNotCloseItsSide) {
  Site site;
  for (const bool sends : {false, true}) {
    HttpClient client = site.connect();
    client.connection().stays = true;
    EXPECT_EQ(site.ask(client, "x\r\n\r\n").status, 400);
    for (int i = 0; i < 9; ++i) {
      if (sends) client.send("x");
      site.pass(1'000);
    }
    EXPECT_FALSE(client.connection().released());
    site.pass(1'000);
    EXPECT_TRUE(client.connection().released());
  }
}

TEST(HttpTransport, EvictsAHalfClosedConnection) {
  constexpr mcp::HttpLimits one{.connections = 1, .head_size = 512};
  Site<one> site(test::features, {.sessions = 1});
  HttpClient client = site.connect();
  client.connection().stays = true;
  EXPECT_EQ(site.ask(client, "x\r\n\r\n").status, 400);
  HttpClient next = site.connect();
  next.send(post(initialize()));
  site.pass(199);
  EXPECT_FALSE(client.connection().released());
  site.pass(1);
  EXPECT_TRUE(client.connection().released());
  EXPECT_EQ(next.response().status, 200);
}

// ---- Pipelined and parallel requests ------------------------------------------------------------------------------

TEST(HttpTransport, SendsPipelinedResponsesInOrder) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  std::string chunked = with(post("", session), "Content-Length: 0", "Transfer-Encoding: chunked");
  chunked += "1\r\n{\r\n" + std::string("27\r\n") + ping(3).substr(1) + "\r\n0\r\n\r\n";
  client.send(post(ping(1), session) + post(count_to(1, 2), session) + chunked + "\r\n" + post(ping(4), session));
  site.pass(200);
  EXPECT_EQ(client.response().body, pong(1));
  EXPECT_TRUE(client.response().streams);
  EXPECT_EQ(data_of(client.events()), (Texts{"", counting(0, 1), counted(1, 2)}));
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(client.response().body, pong(3));
  EXPECT_EQ(client.response().body, pong(4));
  EXPECT_TRUE(client.idle());
}

TEST(HttpTransport, IgnoresRequestsAfterConnectionClose) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  client.send(post(ping(1), session + "Connection: close\r\n") + post(ping(2), session));
  site.run();
  const HttpResponse response = client.response();
  EXPECT_EQ(response.body, pong(1));
  EXPECT_EQ(response.header("connection"), "close");
  EXPECT_TRUE(client.connection().closed());
  EXPECT_TRUE(client.idle());
}

TEST(HttpTransport, IgnoresBodiesOfOtherMethods) {
  Site site;
  const std::string session = site.begin();
  const std::string hidden = post(ping(), session);
  const std::string length = "Content-Length: " + std::to_string(hidden.size()) + "\r\n";
  for (const std::string& request :
       {"OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\n" + length + "\r\n", delete_request(session + length)}) {
    HttpClient client = site.connect();
    client.send(request + hidden);
    site.run();
    const HttpResponse response = client.response();
    EXPECT_EQ(response.status / 100, 2);
    EXPECT_EQ(response.header("connection"), "close");
    EXPECT_TRUE(client.idle());
    EXPECT_TRUE(client.connection().closed());
  }
}

TEST(HttpTransport, SendsContinueToAClientThatExpectsIt) {
  Site site;
  const std::string session = site.begin();
  const std::string request = post(ping(), session + "Expect: 100-continue\r\n");
  const std::size_t body = request.find("\r\n\r\n") + 4;
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, request.substr(0, body)).status, 100);
  EXPECT_EQ(site.ask(client, request.substr(body)).body, pong());
  EXPECT_EQ(site.ask(client, request).body, pong());  // the client did not wait
  // The request gets no further time.
  client.send(request.substr(0, body));
  site.pass(5'000);
  EXPECT_EQ(client.response().status, 100);
  site.pass(5'000);
  EXPECT_EQ(client.response().status, 408);
  // The server rejects an invalid request at once.
  HttpClient wrong = site.connect();
  EXPECT_EQ(site.ask(wrong, with(request.substr(0, body), "/mcp", "/no")).status, 404);
}

// The server receives a body that fits into the transmit buffer there, so a slow client delays no other one.
TEST(HttpTransport, BodiesThatFitDoNotWait) {
  Site<usual, 1024> site;
  const std::string session = site.begin();
  const std::string request = post(ping(1) + std::string(1024 - ping(1).size(), ' '), session);
  const std::string chunked =
      with(post("", session), "Content-Length: 0", "Transfer-Encoding: chunked") + "28\r\n" + ping(2) + "\r\n0\r\n\r\n";
  HttpClient first = site.connect();
  HttpClient second = site.connect();
  first.send(request.substr(0, request.size() - 1));
  second.send(chunked.substr(0, chunked.size() - 1));
  site.run();
  HttpClient third = site.connect();
  EXPECT_EQ(site.ask(third, post(ping(3), session)).body, pong(3));
  EXPECT_EQ(site.ask(second, chunked.substr(chunked.size() - 1)).body, pong(2));
  EXPECT_EQ(site.ask(first, request.substr(request.size() - 1)).body, pong(1));
}

TEST(HttpTransport, LongerBodiesWaitForTheSharedBuffer) {
  Site<usual, 512> site;
  const std::string session = site.begin();
  const std::string chunked = with(post("", session), "Content-Length: 0", "Transfer-Encoding: chunked");
  const std::string request = chunked + "28\r\n" + ping(1) + "\r\n0\r\n\r\n";
  HttpClient first = site.connect();
  HttpClient second = site.connect();
  first.send(request.substr(0, request.size() - 1));
  site.run();
  second.send(post(ping(2) + std::string(500, ' '), session));
  HttpClient third = site.connect();
  EXPECT_EQ(site.ask(third, post(ping(3), session)).body, pong(3));  // fits into the transmit buffer
  EXPECT_EQ(second.response().status, 0);
  HttpClient listener = site.listen(session);  // needs no buffer
  EXPECT_EQ(site.ask(first, request.substr(request.size() - 1)).body, pong(1));
  EXPECT_EQ(second.response().body, pong(2));
  // The buffer is free again after the connection of the body is lost.
  const std::string longer = post(ping(2) + std::string(500, ' '), session);
  first.send(request.substr(0, request.size() - 1));
  site.run();
  second.send(longer);
  site.run();
  first.leave();
  site.run();
  EXPECT_EQ(second.response().body, pong(2));
  // The buffer is also free after its client stalls. The time of the next request begins then.
  first = site.connect();
  first.send(longer.substr(0, longer.size() - 1));
  site.run();
  second.send(longer.substr(0, longer.size() - 1));
  site.pass(199);
  EXPECT_EQ(first.response().status, 0);
  site.pass(1);
  EXPECT_EQ(first.response().status, 408);
  site.pass(9'999);
  second.send(longer.substr(longer.size() - 1));
  site.run();
  EXPECT_EQ(second.response().body, pong(2));
}

TEST(HttpTransport, BytesDuringAStreamAreTheNextRequest) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(1), session)).streams);
  client.send(post(ping(2), session));
  site.pass(50);
  EXPECT_EQ(client.events().size(), 2U);
  site.pass(50);
  EXPECT_EQ(data_of(client.events()), Texts{counted(1)});
  EXPECT_EQ(client.response().body, pong(2));
  // Input that does not fit into the buffer for heads stays in the network stack.
  EXPECT_TRUE(site.ask(client, post(count_to(1), session)).streams);
  client.send(post(std::string(600, ' ') + ping(3), session));
  site.pass(100);
  EXPECT_EQ(client.events().size(), 3U);
  EXPECT_EQ(client.response().body, pong(3));
}

}  // namespace
