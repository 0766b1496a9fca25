// SPDX-License-Identifier: Apache-2.0
// Sessions of Streamable HTTP: their begin, their ids, their end, and what a client sees of another session. Without
// sockets.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "support/device.hpp"
#include "transports/http/streamable.hpp"

namespace {

using namespace test;

TEST(HttpTransport, EachInitializeReturnsADifferentSessionId) {
  Site site(test::features, {.own_session_idle_ms = 0});
  HttpClient client = site.connect();
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) {
    const HttpResponse response = site.ask(client, post(initialize()));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.header("content-type"), "application/json");
    const std::string id = response.header("mcp-session-id");
    EXPECT_EQ(id.size(), 32U);
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), id), 0);
    ids.push_back(id);
  }
  // The server has at most two sessions, so the first one has ended.
  EXPECT_EQ(site.ask(client, post(ping(), "MCP-Session-Id: " + ids[2] + "\r\n")).body, pong());
  EXPECT_EQ(site.ask(client, post(ping(), "MCP-Session-Id: " + ids[1] + "\r\n")).body, pong());
  expect_rejection(site.ask(client, post(ping(), "MCP-Session-Id: " + ids[0] + "\r\n")), 404);
}

TEST(HttpTransport, SendsASessionIdOnce) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  EXPECT_EQ(site.ask(client, post(ping(), session)).header("mcp-session-id"), "(none)");
}

TEST(HttpTransport, RequiresASession) {
  Site site;
  for (const std::string& request : {get(""), delete_request("")}) {
    HttpClient client = site.connect();
    expect_rejection(site.ask(client, request), 400);
  }
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, post(ping())).status, 400);
  EXPECT_EQ(site.ask(client, post(initialized)).status, 400);
  EXPECT_EQ(site.bench.open_sessions(), 0U);
}

// If a message that needs a session is a request, the error has its id.
TEST(HttpTransport, RejectsMessagesWithoutASessionUnderTheirId) {
  constexpr std::string_view parse = R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error: )";
  constexpr std::string_view invalid = R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: )";
  constexpr std::string_view uninvited = R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Session required; )";
  struct Case {
    std::string_view body;
    std::string begin;
  };
  const auto with_id = [](std::string_view id, std::string_view begin) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + std::string(begin.substr(begin.find(R"(,"error")")));
  };
  const Case cases[] = {
      {"", std::string(parse)},
      {" ", std::string(parse)},
      {"{", std::string(parse)},
      {"\xff", std::string(parse)},
      {R"({"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"\ud83d"}})", with_id("7", parse)},
      {R"({"jsonrpc":"2.0","id":7,"result":"\ud83d"})", std::string(parse)},
      {"[]", std::string(invalid)},
      {R"([{"jsonrpc":"2.0","id":1,"method":"initialize"}])", std::string(invalid)},
      {"3", std::string(invalid)},
      {R"({"jsonrpc":"2.0","id":null,"method":"initialize"})", std::string(invalid)},
      {R"({"jsonrpc":"1.0","id":7,"method":"initialize"})", with_id("7", invalid)},
      {R"({"jsonrpc":"2.0","id":7,"method":3})", with_id("7", invalid)},
      {R"({"jsonrpc":"2.0","id":7,"method":"ping"})", with_id("7", uninvited)},
      {R"({"jsonrpc":"2.0","id":"seven","method":"tools/list"})", with_id(R"("seven")", uninvited)},
      {R"({"jsonrpc":"2.0","method":"initialize"})", std::string(uninvited)},
      {initialized, std::string(uninvited)},
      {R"({"jsonrpc":"2.0","id":7,"result":{}})", std::string(uninvited)},
      {R"({"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}})", std::string(uninvited)},
  };
  Site<> site;
  const std::string first = site.begin();
  const std::string second = site.begin();
  HttpClient client = site.connect();
  for (const Case& wrong : cases) {
    const HttpResponse response = site.ask(client, post(wrong.body));
    EXPECT_EQ(response.status, 400) << wrong.body;
    EXPECT_EQ(response.body.substr(0, wrong.begin.size()), wrong.begin) << wrong.body;
    EXPECT_EQ(response.header("mcp-session-id"), "(none)");
  }
  // The connection stays open, and no session was evicted.
  EXPECT_EQ(site.ask(client, post(ping(), first)).body, pong());
  EXPECT_EQ(site.ask(client, post(ping(), second)).body, pong());
}

TEST(HttpTransport, InitializeWithEscapesStartsASession) {
  Site<> site;
  HttpClient client = site.connect();
  std::string message = initialize();
  message.replace(message.find("initialize"), 10, "in\\u0069tialize");
  message.replace(message.find("params"), 6, "par\\u0061ms");
  const HttpResponse response = site.ask(client, post(message));
  EXPECT_EQ(response.status, 200);
  EXPECT_NE(response.body.find("\"result\""), std::string::npos) << response.body;
  EXPECT_EQ(response.header("mcp-session-id").size(), 32U);
}

TEST(HttpTransport, FailedInitializeStartsNoSession) {
  Site site;
  HttpClient client = site.connect();
  const HttpResponse response = site.ask(client, post(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})"));
  EXPECT_EQ(response.status, 200);
  EXPECT_NE(response.body.find("\"error\""), std::string::npos);
  EXPECT_EQ(response.header("mcp-session-id"), "(none)");
  EXPECT_EQ(site.bench.open_sessions(), 0U);
}

TEST(HttpTransport, UnknownSessionGets404) {
  Site site;
  const std::string session = site.begin();
  const std::string other = "MCP-Session-Id: ffffffffffffffffffffffffffffffff\r\n";
  const std::string shorter = session.substr(0, session.size() - 3) + "\r\n";
  for (const std::string& wrong : {other, shorter, std::string("MCP-Session-Id:\r\n")}) {
    for (const std::string& request : {post(ping(), wrong), get(wrong), delete_request(wrong)}) {
      HttpClient client = site.connect();
      expect_rejection(site.ask(client, request), 404);
    }
  }
}

TEST(HttpTransport, DeleteEndsASessionAndItsStreams) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  HttpClient listener = site.listen(session);
  HttpClient caller = site.connect();
  EXPECT_TRUE(site.ask(caller, post(call("forever"), session)).streams);
  EXPECT_EQ(site.ask(client, delete_request(session)).status, 200);
  EXPECT_EQ(site.bench.open_sessions(), 0U);
  EXPECT_EQ(listener.events().size(), 0U);
  EXPECT_TRUE(listener.ended());
  EXPECT_EQ(caller.events().size(), 1U);  // the priming event
  EXPECT_TRUE(caller.ended());
  expect_rejection(site.ask(client, post(ping(), session)), 404);
  HttpClient again = site.connect();
  expect_rejection(site.ask(again, delete_request(session)), 404);
}

TEST(HttpTransport, WithoutEntropyStartsNoSession) {
  Site site;
  HttpClient client = site.connect();
  site.bench.entropy.fails = true;
  expect_rejection(site.ask(client, post(initialize())), 503);
  EXPECT_EQ(site.bench.open_sessions(), 0U);
  site.bench.entropy.fails = false;
  EXPECT_EQ(site.ask(client, post(initialize())).status, 200);
}

TEST(HttpTransport, TwoSessionsNeverSeeEachOthersStreams) {
  Site site;
  const std::string a = site.begin();
  const std::string b = site.begin();
  HttpClient listens_a = site.listen(a);
  HttpClient listens_b = site.listen(b);
  HttpClient calls_a = site.connect();
  HttpClient calls_b = site.connect();
  EXPECT_EQ(site.ask(calls_a, post(subscribe("test://here"), a)).status, 200);
  EXPECT_TRUE(test::act(site.bench.server, "disable plain"));
  EXPECT_TRUE(site.ask(calls_a, post(count_to(1, 5), a)).streams);
  EXPECT_TRUE(site.ask(calls_b, post(count_to(2, 5), b)).streams);
  site.pass(300);
  const std::vector<HttpEvent> events_a = calls_a.events();
  const std::vector<HttpEvent> events_b = calls_b.events();
  EXPECT_EQ(data_of(events_a), (Texts{"", counting(0, 1), counted(1, 5)}));
  EXPECT_EQ(data_of(events_b), (Texts{"", counting(0, 2), counting(1, 2), counted(2, 5)}));
  EXPECT_EQ(data_of(listens_a.events()).size(), 1U);
  EXPECT_EQ(data_of(listens_b.events()).size(), 1U);
  // A session cannot resume a stream of the other session, ended or not.
  for (const HttpEvent& event : events_a) {
    HttpClient thief = site.connect();
    expect_rejection(site.ask(thief, get(b + "Last-Event-ID: " + event.id + "\r\n")), 400);
  }
  EXPECT_TRUE(site.ask(calls_a, post(call("forever"), a)).streams);
  const std::vector<HttpEvent> running = calls_a.events();
  ASSERT_EQ(running.size(), 1U);
  HttpClient thief = site.connect();
  expect_rejection(site.ask(thief, get(b + "Last-Event-ID: " + running[0].id + "\r\n")), 400);
  // It cannot cancel the call either.
  HttpClient canceller = site.connect();
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  EXPECT_EQ(site.ask(canceller, post(cancel, b)).status, 202);
  EXPECT_EQ(calls_a.events().size(), 0U);
  EXPECT_FALSE(calls_a.ended());
}

// The session and its calls continue. Without the id, the client begins another session.
TEST(HttpTransport, InitializeWithASessionIdIsRejected) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  HttpClient running = site.connect();
  EXPECT_TRUE(site.ask(running, post(count_to(1), session)).streams);
  const HttpResponse refused = site.ask(client, post(initialize("2025-11-25"), session));
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find(R"("id":0,"error":{"code":-32600)"), std::string::npos) << refused.body;
  site.pass(100);
  EXPECT_EQ(data_of(running.events()).back(), counted(1));
  EXPECT_TRUE(running.ended());
  EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());
  EXPECT_EQ(site.ask(client, post(initialize("2025-11-25"))).status, 200);
}

TEST(HttpTransport, LegacyEraIgnoresModernHeaders) {
  static constexpr mcp::Definition older{.name = "n", .version = "1", .eras = mcp::legacy_era};
  Site<usual, 2048, true> site(older);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  EXPECT_EQ(site.ask(client, post(ping, session + "Mcp-Method: another\r\n")).status, 200);
}

TEST(HttpSessions, AreTheSameWithTheSameSlotAndSerialNumber) {
  constexpr mcp::SessionId session{1, 2, 3};
  EXPECT_TRUE(mcp::http::is_same(session, {1, 2, 3}));
  EXPECT_FALSE(mcp::http::is_same(session, {0, 2, 3}));
  EXPECT_FALSE(mcp::http::is_same(session, {1, 0, 3}));
  EXPECT_FALSE(mcp::http::is_same(session, {1, 2, 0}));
  EXPECT_TRUE(mcp::http::is_none({}));
  EXPECT_FALSE(mcp::http::is_none({1, 0, 0}));
  EXPECT_FALSE(mcp::http::is_none({0, 1, 0}));
  EXPECT_FALSE(mcp::http::is_none({0, 0, 1}));
}

}  // namespace
