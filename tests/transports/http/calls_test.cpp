// SPDX-License-Identifier: Apache-2.0
// Responses to requests of a session: as JSON, as a stream, and after the call has ended its connection. A server of
// the legacy era alone requires a session. Without sockets. The test sets the time.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "support/device.hpp"
#include "transports/http/streamable.hpp"

namespace {

using namespace test;

// ---- Responses ---------------------------------------------------------------------------------------------------

TEST(HttpTransport, SendsAnImmediateResponseAsJson) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  const HttpResponse response = site.ask(client, post(ping(), session));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, pong());
  const HttpResponse error = site.ask(client, post(R"({"jsonrpc":"2.0","id":1,"method":"nothing"})", session));
  EXPECT_EQ(error.status, 200);
  EXPECT_NE(error.body.find("-32601"), std::string::npos);
  // The error for an invalid message has no id.
  for (const std::string_view text : {"{", "[]", "3", "", "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}"}) {
    const HttpResponse refused = site.ask(client, post(text, session));
    EXPECT_EQ(refused.status, 400) << text;
    EXPECT_EQ(refused.body.find("\"id\""), std::string::npos);
  }
  EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());  // the connection stays open
}

TEST(HttpTransport, AcceptsNotificationsAndResponses) {
  Site site(test::input_requests);
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  for (const std::string_view text :
       {R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})",
        R"({"jsonrpc":"2.0","method":"notifications/of/the/future"})", R"({"jsonrpc":"2.0","id":9,"result":{}})",
        R"({"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"m"}})"}) {
    const HttpResponse response = site.ask(client, post(text, session));
    EXPECT_EQ(response.status, 202) << text;
    EXPECT_EQ(response.body, "");
  }
  EXPECT_EQ(site.bench.server.stale_answers(), 2U);
}

TEST(HttpTransport, SendsALongCallAsAStream) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  const HttpResponse response = site.ask(client, post(count_to(2), session));
  EXPECT_EQ(response.status, 200);
  ASSERT_TRUE(response.streams);
  EXPECT_EQ(response.header("cache-control"), "no-cache");
  EXPECT_EQ(response.header("x-accel-buffering"), "no");
  std::vector<HttpEvent> events = client.events();
  EXPECT_EQ(data_of(events), (Texts{"", counting(0, 2)}));
  site.pass(99);
  EXPECT_EQ(client.events().size(), 0U);
  site.pass(1);
  EXPECT_EQ(data_of(client.events()), Texts{counting(1, 2)});
  EXPECT_FALSE(client.ended());
  site.pass(100);
  EXPECT_EQ(data_of(client.events()), Texts{counted(2)});
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());  // on the same connection
}

TEST(HttpTransport, IdsOfEventsAreUnique) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  HttpClient listener = site.listen(session);
  std::vector<std::string> ids;
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
    EXPECT_TRUE(test::act(site.bench.server, i == 0 ? "disable content" : "enable content"));
    site.pass(300);
    for (const HttpEvent& event : client.events()) ids.push_back(event.id);
    for (const HttpEvent& event : listener.events()) ids.push_back(event.id);
  }
  EXPECT_EQ(ids.size(), 10U);
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST(HttpTransport, EarlierRevisionsGetNoEmptyEvent) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client, "2025-06-18");
  // The negotiated revision counts, not the header of the request.
  EXPECT_TRUE(site.ask(client, post(count_to(0), session + "MCP-Protocol-Version: 2025-11-25\r\n")).streams);
  EXPECT_EQ(data_of(client.events()), Texts{counted(0)});
}

TEST(HttpTransport, SendsHttp10ClientsAStreamWithoutChunks) {
  Site site;
  const std::string session = site.begin();
  const auto old = [&](std::string request) {
    const std::size_t at = request.find("HTTP/1.1");
    return request.replace(at, 8, "HTTP/1.0");
  };
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, old(post(count_to(1), session))).streams);
  site.pass(100);
  EXPECT_EQ(data_of(client.events()), (Texts{"", counting(0, 1), counted(1)}));
  EXPECT_TRUE(client.ended());
  HttpClient plain = site.connect();
  const HttpResponse response = site.ask(plain, old(post(ping(), session)));
  EXPECT_EQ(response.body, pong());
  EXPECT_EQ(response.header("connection"), "close");
  EXPECT_TRUE(plain.connection().closed());
}

TEST(HttpTransport, CancellationEndsTheStream) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(9), session)).streams);
  HttpClient other = site.connect();
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  EXPECT_EQ(site.ask(other, post(cancel, session)).status, 202);
  EXPECT_EQ(data_of(client.events()), (Texts{"", counting(0, 9)}));
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());
}

TEST(HttpTransport, LostConnectionCancelsNothing) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  client.leave();
  site.pass(1000);
  EXPECT_TRUE(client.connection().closed());
  HttpClient other = site.connect();
  EXPECT_NE(site.ask(other, post(call("ends"), session)).body.find("\"text\":\"0\""), std::string::npos);
}

// ---- A call that ends its connection -----------------------------------------------------------------------------

// Ends the connection of its client for 200 ms, and completes after 500 ms.
struct SendsAway {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept || context.stop_requested()) return context.done(context.result().text("back"));
    slept = true;
    context.reconnect(200);
    return context.sleep(500);
  }
};
// Ends the connection for longer than the field can express, so the client gets the maximum.
struct SendsAwayForLong {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept || context.stop_requested()) return context.done(context.result().text("back"));
    slept = true;
    context.reconnect(100'000);
    return context.sleep(500);
  }
};
constexpr mcp::Tool away_tools[] = {mcp::job<SendsAway>({.name = "sends_away"}),
                                    mcp::job<SendsAwayForLong>({.name = "for_long"})};
constexpr mcp::Definition away{.name = "away", .version = "1", .tools = away_tools};
constexpr std::string_view is_back = R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"back"}]}})";

// A server may close the connection after an event with an id, and sends the time after which the client resumes.
// Source: basic/transports#sending-messages-to-the-server, 2025-11-25.
TEST(HttpTransport, DisconnectedClientGetsItsResponseLater) {
  for (const bool chunks : {true, false}) {
    Site site(away);
    const std::string session = site.begin();
    HttpClient client = site.connect();
    const std::string request = post(call("sends_away"), session);
    EXPECT_TRUE(site.ask(client, chunks ? request : with(request, "HTTP/1.1", "HTTP/1.0")).streams);
    const std::vector<HttpEvent> events = client.events();
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[1].retry, "200");
    EXPECT_TRUE(client.ended());
    EXPECT_TRUE(client.connection().closed());
    site.pass(200);
    HttpClient again = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
    EXPECT_EQ(again.events().size(), 0U);
    site.pass(300);
    EXPECT_EQ(data_of(again.events()), Texts{std::string(is_back)});
    EXPECT_TRUE(again.ended());
  }
}

// Before 2025-11-25, the response comes before the end of its stream, and clients have no id to resume with.
TEST(HttpTransport, EarlierRevisionsGetTheResponseOnTheStreamOfTheCall) {
  for (const std::string_view version : {"2025-06-18", "2025-03-26"}) {
    Site site(away);
    HttpClient first = site.connect();
    const std::string session = site.begin(first, version);
    HttpClient client = site.connect();
    EXPECT_TRUE(site.ask(client, post(call("sends_away"), session)).streams);
    site.pass(499);
    EXPECT_EQ(client.events().size(), 0U);
    EXPECT_FALSE(client.ended());
    site.pass(1);
    EXPECT_EQ(data_of(client.events()), Texts{std::string(is_back)}) << version;
    EXPECT_TRUE(client.ended());
  }
}

TEST(HttpTransport, DisconnectClientKeepsAConnectionThatTheCallNeeds) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .detached = 0, .replay_size = 2048}> site(away);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(call("sends_away"), session)).streams);
  EXPECT_FALSE(client.ended());
  site.pass(500);
  const std::vector<HttpEvent> events = client.events();
  EXPECT_EQ(data_of(events), (Texts{"", std::string(is_back)}));
  for (const HttpEvent& event : events) EXPECT_EQ(event.retry, "");
  EXPECT_TRUE(client.ended());
}

TEST(HttpTransport, LimitsTheRetryTimeTo65535Ms) {
  Site site(away);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(call("for_long"), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[1].retry, "65535");
  site.pass(500);
}

// Each of two calls ends only its own connection, with its own retry time.
TEST(HttpTransport, EachCallDisconnectsOnlyItsOwnClient) {
  Site site(away);
  const std::string session = site.begin();
  HttpClient first = site.connect();
  HttpClient second = site.connect();
  first.send(post(call("sends_away", 1), session));
  second.send(post(call("for_long", 2), session));
  site.run();
  EXPECT_TRUE(first.response().streams);
  EXPECT_TRUE(second.response().streams);
  EXPECT_EQ(first.events().back().retry, "200");
  EXPECT_EQ(second.events().back().retry, "65535");
  site.pass(500);
}

// The connection breaks while the server ends it. The call loses no event.
TEST(HttpTransport, CallSurvivesAConnectionLostDuringItsDisconnect) {
  for (std::size_t at = 2; at <= 8; ++at) {
    Site site(away);
    const std::string session = site.begin();
    HttpClient client = site.connect();
    client.connection().wire.write_limit = 80;
    client.connection().wire.write_fault = {at, mcp::IoStatus::failed};
    client.send(post(call("sends_away"), session));
    site.pass(500);
    EXPECT_TRUE(client.connection().closed());
    HttpClient again = site.listen(session, "Last-Event-ID: 1-0\r\n");
    EXPECT_EQ(data_of(again.events()), Texts{std::string(is_back)}) << at;
  }
}

// The server closes the connection of a client that reads no more.
TEST(HttpTransport, ClosesADisconnectedClientThatTakesNothing) {
  Site site(away);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {2, mcp::IoStatus::would_block, true};
  client.send(post(call("sends_away"), session));
  site.pass(500);
  EXPECT_FALSE(client.connection().closed());
  site.pass(usual.idle_timeout_ms);
  EXPECT_TRUE(client.connection().closed());
  HttpClient again = site.listen(session, "Last-Event-ID: 1-0\r\n");
  EXPECT_EQ(data_of(again.events()), Texts{std::string(is_back)});
}

// ---- One era -----------------------------------------------------------------------------------------------------

constexpr mcp::Definition sessions_alone{
    .name = "sessions", .version = "1", .eras = mcp::legacy_era, .tools = away_tools, .logging = true};

// A server of the legacy era alone requires a session for each request. 2026-07-28 is an unsupported version.
TEST(HttpTransport, LegacyEraAloneRejectsStatelessRequests) {
  Site site(sessions_alone);
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());
  EXPECT_EQ(site.ask(client, post(ping(), session + "MCP-Protocol-Version: 2025-11-25\r\n")).body, pong());
  HttpClient newer = site.connect();
  expect_rejection(site.ask(newer, post(ping(), session + "MCP-Protocol-Version: 2026-07-28\r\n")), 400);
  for (const std::string_view body :
       {R"({"jsonrpc":"2.0","id":1,"method":"ping"})", R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"}) {
    const HttpResponse response = site.ask(client, post(body));
    expect_rejection(response, 400, R"("id":1,)");
    EXPECT_NE(response.body.find("send initialize first"), std::string::npos);
  }
  expect_rejection(site.ask(client, post(initialized)), 400);
  HttpClient lost = site.connect();
  expect_rejection(site.ask(lost, post(ping(), "MCP-Session-Id: 0123\r\n")), 404);
  // The server ignores a protocol version in the body.
  HttpClient other = site.connect();
  std::string claimed = initialize();
  claimed.insert(claimed.size() - 2, R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})");
  EXPECT_NE(site.ask(other, post(claimed)).header("mcp-session-id"), "(none)");
}

}  // namespace
