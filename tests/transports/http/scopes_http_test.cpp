// SPDX-License-Identifier: Apache-2.0
// Tokens with scopes at one endpoint. Stateless, and with OAuth: 403 with a challenge that names the scope.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "http/http1/response_head.hpp"
#include "mcp/http_access.hpp"
#include "mcp/http_oauth.hpp"
#include "mcp/http_sse_2024.hpp"
#include "mcp/http_tokens.hpp"
#include "mcp/http_transport.hpp"
#include "support/device.hpp"
#include "support/http_client.hpp"
#include "transports/http/site.hpp"

namespace {

using test::HttpClient;
using test::HttpResponse;

constexpr mcp::HttpLimits scope_limits{.connections = 4, .head_size = 1024, .replay_size = 2048};

// The transport keeps a reference.
struct KeptOptions {
  const mcp::HttpOptions options;
};

template <bool scoped>
struct PumpSite : KeptOptions, test::HttpSite<scope_limits, 2048, 32, false, scoped> {
  explicit PumpSite(const mcp::HttpOptions& the_options, const mcp::Definition& definition = test::scoped,
                    std::size_t client_info = 0)
      : KeptOptions{the_options},
        test::HttpSite<scope_limits, 2048, 32, false, scoped>(definition,
                                                              {.receive_size = 1024,
                                                               .sessions = 3,
                                                               .subscriptions = 1,
                                                               .tasks = 2,
                                                               .own_session_idle_ms = 0,
                                                               .client_info = client_info},
                                                              options) {}

  HttpResponse post(std::string_view token, std::string_view more, std::string_view body) {
    HttpClient client = this->connect();
    const HttpResponse response =
        this->ask(client, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n" +
                              (token.empty() ? std::string() : "Authorization: Bearer " + std::string(token) + "\r\n") +
                              "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
                              std::string(more) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                              std::string(body));
    client.leave();
    this->run();
    return response;
  }
  // Begins a session and returns its header.
  std::string begin(std::string_view token, std::string_view revision = "2025-11-25") {
    const HttpResponse begun =
        post(token, "",
             R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" + std::string(revision) +
                 R"(","capabilities":{},"clientInfo":{"name":"c","version":"0"}}})");
    EXPECT_EQ(begun.status, 200);
    return "MCP-Session-Id: " + begun.header("mcp-session-id") + "\r\n";
  }
  HttpResponse call(std::string_view token, std::string_view session, std::string_view tool) {
    return post(token, session,
                R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) + R"("}})");
  }
  HttpResponse call_stateless(std::string_view token, std::string_view tool) {
    return post(token,
                "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + std::string(tool) + "\r\n",
                R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) +
                    R"(","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                    R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
  }
};

using Pump = PumpSite<true>;

void expect_forbidden(const HttpResponse& response, std::string_view challenge) {
  EXPECT_EQ(response.status, 403);
  EXPECT_EQ(response.header("www-authenticate"), challenge);
  EXPECT_EQ(response.body, R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,)"
                           R"("message":"The scope pump:write is required; use a token that has it."}})");
  EXPECT_EQ(test::device.calls, 0U);
}

// In a session, the error comes with 200.
void expect_out_of_scope(const HttpResponse& response) {
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.header("www-authenticate"), "(none)");
  EXPECT_EQ(response.body, R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,)"
                           R"("message":"The scope pump:write is required; use a token that has it."}})");
  EXPECT_EQ(test::device.calls, 0U);
}

void expect_served(const HttpResponse& response) {
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.header("www-authenticate"), "(none)");
  EXPECT_NE(response.body.find("The pump runs."), std::string::npos) << response.body;
  test::device.calls = 0;
}

constexpr std::string_view write_challenge = R"(Bearer error="insufficient_scope", scope="pump:write")";

// ada has two tokens, bob one with all scopes.
constexpr mcp::StaticToken three_tokens[] = {{.token = "reader", .scopes = "pump:read other", .principal = 1},
                                             {.token = "operator", .scopes = "pump:write pump:read", .principal = 1},
                                             {.token = "root", .principal = 2}};

TEST(ScopedTokens, ReadOnlyAndOperatorTokensWorkOnOneEndpoint) {
  mcp::ScopedTokens tokens(three_tokens);
  Pump pump({.authorizer = &tokens});
  expect_out_of_scope(pump.call("reader", pump.begin("reader"), "start"));
  expect_forbidden(pump.call_stateless("reader", "start"), write_challenge);
  for (const std::string_view token : {"operator", "root"}) {
    expect_served(pump.call(token, pump.begin(token), "start"));
    expect_served(pump.call_stateless(token, "start"));
  }
  EXPECT_NE(pump.call_stateless("reader", "status").body.find("is off"), std::string::npos);
}

TEST(ScopedTokens, ClientOfEventsAloneGetsTheErrorAsAnEvent) {
  mcp::ScopedTokens tokens(three_tokens);
  Pump pump({.authorizer = &tokens});
  const std::string session = pump.begin("reader");
  const std::string body = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"start"}})";
  HttpClient client = pump.connect();
  const HttpResponse response =
      pump.ask(client, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer reader\r\n" + session +
                           "Content-Type: application/json\r\nAccept: text/event-stream\r\nContent-Length: " +
                           std::to_string(body.size()) + "\r\n\r\n" + body);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.header("content-type"), "text/event-stream");
  ASSERT_TRUE(response.streams);
  const auto events = client.events();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].data, R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,)"
                            R"("message":"The scope pump:write is required; use a token that has it."}})");
  EXPECT_TRUE(client.ended());
}

TEST(ScopedTokens, ScopesOfEachMessageCountInASession) {
  mcp::ScopedTokens tokens(three_tokens);
  Pump pump({.authorizer = &tokens});
  const std::string session = pump.begin("operator");
  expect_served(pump.call("operator", session, "start"));
  expect_out_of_scope(pump.call("reader", session, "start"));
  expect_served(pump.call("operator", session, "start"));
  EXPECT_EQ(pump.call("root", session, "start").status, 404);  // of another user
}

TEST(ScopedTokens, EachRequestOfAConnectionHasItsOwnScopes) {
  mcp::ScopedTokens tokens(three_tokens);
  Pump pump({.authorizer = &tokens});
  const auto request = [](std::string_view token) {
    const std::string body = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"start","_meta":{)"
                             R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
    return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + std::string(token) +
           "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
           "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: start\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
  };
  HttpClient client = pump.connect();
  expect_served(pump.ask(client, request("operator")));
  expect_forbidden(pump.ask(client, request("reader")), write_challenge);
  expect_served(pump.ask(client, request("operator")));
  client.leave();
  pump.run();
}

TEST(ScopedTokens, BatchHasAnErrorForTheCallOutOfScope) {
  mcp::ScopedTokens tokens(three_tokens);
  Pump pump({.authorizer = &tokens});
  const HttpResponse response =
      pump.post("reader", pump.begin("reader", "2025-03-26"),
                R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"start"}},)"
                R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"status"}}])");
  EXPECT_EQ(response.status, 200);
  EXPECT_NE(response.body.find("The scope pump:write is required"), std::string::npos) << response.body;
  EXPECT_NE(response.body.find("The pump is off."), std::string::npos) << response.body;
  EXPECT_EQ(test::device.calls, 0U);
}

TEST(ScopedTokens, HiddenRowAnswersAsAnUnknownOne) {
  mcp::ScopedTokens tokens(three_tokens);
  Pump pump({.authorizer = &tokens}, test::hiding);
  const HttpResponse response = pump.call_stateless("reader", "start");
  EXPECT_EQ(response.header("www-authenticate"), "(none)");
  EXPECT_NE(response.body.find("Unknown tool: start"), std::string::npos) << response.body;
  expect_served(pump.call_stateless("operator", "start"));
}

// ---- Methods of the application ---------------------------------------------------------------------------------

mcp::Errc prime(mcp::MethodCall& call) {
  call.result().member("primed", ++test::device.calls);
  return mcp::Errc::ok;
}
constexpr mcp::Method methods[] = {mcp::method<prime>({.name = "x-acme/prime", .scope = "pump:write"}),
                                   mcp::notification<prime>({.name = "x-acme/primed", .scope = "pump:write"})};
constexpr std::string_view method_scopes[] = {"pump:read", "pump:write"};
// No row of MCP has a scope.
constexpr mcp::Definition with_methods{.name = "n", .version = "1", .methods = methods, .scopes = method_scopes};

HttpResponse post_method(Pump& pump, std::string_view token, std::string_view header, std::string_view method,
                         bool is_request = true) {
  return pump.post(token,
                   "MCP-Protocol-Version: 2026-07-28\r\n" +
                       (header.empty() ? std::string() : "Mcp-Method: " + std::string(header) + "\r\n"),
                   std::string(R"({"jsonrpc":"2.0",)") + (is_request ? R"("id":1,)" : "") + R"("method":")" +
                       std::string(method) +
                       R"(","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":)"
                       R"("2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})");
}

TEST(ScopedTokens, MethodOfTheApplicationNeedsItsHeaderAndItsScope) {
  test::reset_device();
  mcp::ScopedTokens tokens(three_tokens);
  Pump pump({.authorizer = &tokens}, with_methods);
  expect_forbidden(post_method(pump, "reader", "x-acme/prime", "x-acme/prime"), write_challenge);
  for (const std::string_view header : {"", "x-acme/primed", "ping"}) {
    const HttpResponse response = post_method(pump, "operator", header, "x-acme/prime");
    EXPECT_EQ(response.status, 400);
    EXPECT_NE(response.body.find("Mcp-Method"), std::string::npos) << response.body;
  }
  EXPECT_EQ(post_method(pump, "operator", "x-acme/nothing", "x-acme/nothing").status, 404);
  EXPECT_EQ(test::device.calls, 0U);
  const HttpResponse response = post_method(pump, "operator", "x-acme/prime", "x-acme/prime");
  EXPECT_EQ(response.status, 200);
  EXPECT_NE(response.body.find(R"("primed":1)"), std::string::npos) << response.body;
  test::device.calls = 0;
}

// Not only scopes of the rows of MCP.
TEST(ScopedTokens, ServerThatNamesScopesHasTheirMemory) {
  static constinit mcp::Storage<with_methods> storage;
  EXPECT_TRUE(mcp::detail::shape_of(storage).has_scopes);
  static constexpr mcp::Definition without{.name = "n", .version = "1"};
  static constinit mcp::Storage<without> other;
  EXPECT_FALSE(mcp::detail::shape_of(other).has_scopes);
}

TEST(ScopedTokens, NotificationOfTheApplicationIsAcceptedAndNeedsItsScope) {
  test::reset_device();
  mcp::ScopedTokens tokens(three_tokens);
  Pump pump({.authorizer = &tokens}, with_methods);
  EXPECT_EQ(post_method(pump, "reader", "x-acme/primed", "x-acme/primed", false).status, 202);
  EXPECT_EQ(test::device.calls, 0U);
  EXPECT_EQ(post_method(pump, "operator", "x-acme/primed", "x-acme/primed", false).status, 202);
  EXPECT_EQ(test::device.calls, 1U);
  const std::string session = pump.begin("operator");
  EXPECT_EQ(pump.post("operator", session, R"({"jsonrpc":"2.0","method":"x-acme/primed"})").status, 202);
  EXPECT_EQ(test::device.calls, 2U);
  test::device.calls = 0;
}

TEST(ScopedTokens, RejectOtherTokens) {
  mcp::ScopedTokens tokens(three_tokens);
  Pump pump({.authorizer = &tokens});
  EXPECT_EQ(pump.call_stateless("", "start").header("www-authenticate"), "Bearer");
  EXPECT_EQ(pump.call_stateless("operators", "start").header("www-authenticate"), R"(Bearer error="invalid_token")");
  EXPECT_EQ(test::device.calls, 0U);
}

TEST(ScopedTokens, PositionIsThePrincipalOfATokenWithoutOne) {
  static constexpr mcp::StaticToken two[] = {{.token = "first", .scopes = "pump:write"}, {.token = "second"}};
  mcp::ScopedTokens tokens(two);
  Pump pump({.authorizer = &tokens});
  EXPECT_EQ(pump.call("second", pump.begin("first"), "start").status, 404);
}

TEST(ScopedTokens, EndpointWithoutAuthorizerServesAllRows) {
  Pump pump({});
  expect_served(pump.call("", pump.begin(""), "start"));
  expect_served(pump.call_stateless("", "start"));
}

// ---- Streams of a session -------------------------------------------------------------------------------------------

// ada has a token for each scope, too.
constexpr mcp::StaticToken stream_tokens[] = {
    {.token = "reader", .scopes = "pump:read", .principal = 1},
    {.token = "operator", .scopes = "pump:write", .principal = 1},
    {.token = "each", .scopes = "pump:read pump:write pump:admin", .principal = 1},
    {.token = "root", .principal = 1},
    {.token = "bob", .principal = 2}};

std::string get(std::string_view token, std::string_view more) {
  return "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + std::string(token) +
         "\r\nAccept: text/event-stream\r\n" + std::string(more) + "\r\n";
}

class StreamScopesTest : public testing::Test {
 protected:
  // Sends a GET, which begins a stream.
  HttpClient listen(std::string_view token, std::string_view more) {
    HttpClient client = pump_->connect();
    EXPECT_TRUE(pump_->ask(client, get(token, more)).streams) << token;
    return client;
  }
  // Sends a GET, which is rejected because the token lacks this scope.
  void expect_refused(std::string_view token, std::string_view more, std::string_view scope) {
    HttpClient client = pump_->connect();
    const HttpResponse response = pump_->ask(client, get(token, more));
    EXPECT_EQ(response.status, 403);
    EXPECT_EQ(response.header("www-authenticate"),
              R"(Bearer error="insufficient_scope", scope=")" + std::string(scope) + '"');
    client.leave();
    pump_->run();
  }
  static std::string data_of(HttpClient& client) {
    std::string all;
    for (const test::HttpEvent& event : client.events()) all += event.data.value_or("");
    return all;
  }
  std::string begin(std::string_view token) {
    const std::string session = pump_->begin(token);
    pump_->post(token, session, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    return session;
  }
  int subscribe(std::string_view token, std::string_view session) {
    return pump_
        ->post(token, session,
               R"({"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"pump://key"}})")
        .status;
  }
  void update() {
    pump_->bench.server.resource_updated(test::scoped.resources.rows()[1]);
    pump_->run();
  }

  mcp::ScopedTokens tokens_{stream_tokens};
  const mcp::HttpSse2024 sse_;
  const mcp::HttpOptions options_{.authorizer = &tokens_, .sse_2024 = &sse_};
  std::optional<Pump> pump_;
};

constexpr std::string_view key_updated =
    R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"pump://key"}})";

// The client of the call has lost its connection, and the result is sent again to the next one.
TEST_F(StreamScopesTest, ResultIsNotSentAgainToATokenWithoutTheScope) {
  pump_.emplace(options_, test::scoped_tasks);
  const std::string session = begin("operator");
  HttpClient caller = pump_->connect();
  const std::string body = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pump"}})";
  EXPECT_TRUE(pump_
                  ->ask(caller, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer operator\r\n" +
                                    session +
                                    "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
                                    "Content-Length: " +
                                    std::to_string(body.size()) + "\r\n\r\n" + body)
                  .streams);
  const auto events = caller.events();
  ASSERT_EQ(events.size(), 1U);
  const std::string resume = session + "Last-Event-ID: " + events[0].id + "\r\n";
  expect_refused("reader", resume, "pump:write");  // while the call runs
  caller.leave();
  pump_->pass(200);
  expect_refused("reader", resume, "pump:write");
  HttpClient again = listen("operator", resume);
  EXPECT_NE(data_of(again).find("Pumped."), std::string::npos);
}

TEST_F(StreamScopesTest, UpdatesNeedTheScopesThatTheSessionHasUsed) {
  pump_.emplace(options_);
  const std::string session = begin("root");
  EXPECT_EQ(subscribe("root", session), 200);
  expect_refused("reader", session, "pump:write");
  expect_refused("operator", session, "pump:read");
  HttpClient listener = listen("each", session);
  const auto events = listener.events();
  ASSERT_EQ(events.size(), 1U);
  update();
  EXPECT_EQ(data_of(listener), key_updated);
  expect_refused("reader", session + "Last-Event-ID: " + events[0].id + "\r\n", "pump:write");
  EXPECT_FALSE(listener.connection().closed());
  HttpClient resumed = listen("root", session + "Last-Event-ID: " + events[0].id + "\r\n");
  EXPECT_EQ(data_of(resumed), key_updated);
}

TEST_F(StreamScopesTest, OpenStreamEndsWhenATokenWithMoreScopesUsesItsSession) {
  pump_.emplace(options_);
  const std::string session = begin("reader");
  const std::string other = begin("bob");
  HttpClient listener = listen("reader", session);
  HttpClient of_other = listen("bob", other);
  pump_->post("reader", session, R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  EXPECT_FALSE(listener.connection().closed());
  EXPECT_EQ(subscribe("root", session), 200);
  update();
  EXPECT_EQ(data_of(listener), "");
  EXPECT_TRUE(listener.ended());
  EXPECT_FALSE(of_other.connection().closed());
  HttpClient again = listen("root", session);
  EXPECT_EQ(subscribe("root", session), 200);
  EXPECT_NE(data_of(again).find(key_updated), std::string::npos);
}

// What a session has used says nothing about the next one in its place.
TEST_F(StreamScopesTest, NewSessionHasUsedNoScope) {
  pump_.emplace(options_);
  for (int i = 0; i < 3; ++i) {
    const std::string session = begin("root");
    expect_refused("reader", session, "pump:write");
    HttpClient end = pump_->connect();
    // To end a session needs no scope: it is of the same user.
    EXPECT_EQ(
        pump_
            ->ask(end, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer reader\r\n" + session + "\r\n")
            .status,
        200);
    end.leave();
    HttpClient listener = listen("reader", begin("reader"));
    listener.leave();
    pump_->run();
  }
}

TEST_F(StreamScopesTest, SessionOfAnotherUserIsUnknown) {
  pump_.emplace(options_);
  const std::string session = begin("root");
  HttpClient client = pump_->connect();
  EXPECT_EQ(pump_->ask(client, get("bob", session)).status, 404);
  HttpClient without = pump_->connect();
  EXPECT_EQ(pump_->ask(without, get("reader", "")).status, 400);
}

// The response to a message goes to the stream of its session.
TEST_F(StreamScopesTest, MessageOverHttpSseHasTheScopesOfTheStreamAtMost) {
  pump_.emplace(options_);
  const auto call_start = [&](std::string_view stream, std::string_view sender) {
    HttpClient client = pump_->connect();
    EXPECT_TRUE(pump_
                    ->ask(client, "GET /sse HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
                                      std::string(stream) + "\r\n\r\n")
                    .streams);
    const auto events = client.events();
    EXPECT_EQ(events.size(), 1U);
    const auto tell = [&](std::string_view body) {
      HttpClient teller = pump_->connect();
      EXPECT_EQ(pump_
                    ->ask(teller, "POST " + events[0].data.value_or("") +
                                      " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + std::string(sender) +
                                      "\r\nContent-Type: application/json\r\nContent-Length: " +
                                      std::to_string(body.size()) + "\r\n\r\n" + std::string(body))
                    .status,
                202);
      teller.leave();
      pump_->run();
    };
    tell(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05",)"
         R"("capabilities":{},"clientInfo":{"name":"c","version":"0"}}})");
    tell(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    data_of(client);
    tell(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"start"}})");
    const std::string response = data_of(client);
    client.leave();
    pump_->run();
    return response;
  };
  EXPECT_NE(call_start("reader", "root").find("The scope pump:write is required"), std::string::npos);
  EXPECT_NE(call_start("root", "reader").find("The scope pump:write is required"), std::string::npos);
  EXPECT_EQ(test::device.calls, 0U);
  EXPECT_NE(call_start("root", "operator").find("The pump runs."), std::string::npos);
  test::device.calls = 0;
}

// ---- Tasks and input responses --------------------------------------------------------------------------------------

TEST(ScopedTokens, TaskNeedsTheScopeOfItsRow) {
  mcp::ScopedTokens tokens(three_tokens);
  Pump pump({.authorizer = &tokens}, test::scoped_tasks);
  const std::string session = pump.begin("operator");
  const HttpResponse begun = pump.post(
      "operator", session, R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pump","task":{}}})");
  const std::size_t at = begun.body.find(R"("taskId":")");
  ASSERT_NE(at, std::string::npos) << begun.body;
  const std::string task = begun.body.substr(at + 10, 32);
  for (const char* const method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
    expect_out_of_scope(pump.post(
        "reader", session,
        R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{"taskId":")" + task + R"("}})"));
  }
  EXPECT_EQ(pump.post("operator", session,
                      R"({"jsonrpc":"2.0","id":1,"method":"tasks/cancel","params":{"taskId":")" + task + R"("}})")
                .status,
            200);
}

TEST(ScopedTokens, InputResponseNeedsTheScopeOfItsRow) {
  mcp::ScopedTokens tokens(three_tokens);
  Pump pump({.authorizer = &tokens}, test::scoped_tasks);
  const std::string session =
      "MCP-Session-Id: " +
      pump.post("operator", "",
                R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                R"("capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"0"}}})")
          .header("mcp-session-id") +
      "\r\n";
  pump.post("operator", session, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  HttpClient caller = pump.connect();
  const std::string body = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"agreed"}})";
  pump.ask(caller, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer operator\r\n" + session +
                       "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
                       "Content-Length: " +
                       std::to_string(body.size()) + "\r\n\r\n" + body);
  std::string question;
  for (const test::HttpEvent& event : caller.events()) question += event.data.value_or("");
  const std::size_t at = question.find(R"("id":10)");
  ASSERT_NE(at, std::string::npos) << question;
  const std::string id = question.substr(at, question.find(',', at) - at);
  const std::string answer = R"({"jsonrpc":"2.0",)" + id + R"(,"result":{"action":"accept","content":{"yes":true}}})";
  const HttpResponse refused = pump.post("reader", session, answer);
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.header("www-authenticate"), write_challenge);
  EXPECT_EQ(refused.body, R"({"jsonrpc":"2.0","error":{"code":-32600,)"
                          R"("message":"The scope pump:write is required; use a token that has it."}})");
  EXPECT_EQ(pump.post("operator", session, answer).status, 202);
  std::string result;
  for (const test::HttpEvent& event : caller.events()) result += event.data.value_or("");
  EXPECT_NE(result.find("Agreed."), std::string::npos) << result;
}

// ---- Other Authorizers ----------------------------------------------------------------------------------------------

// Of an application, from before there were scopes.
class Everybody final : public mcp::Authorizer {
  mcp::Grant do_check(const mcp::http::RequestHead&) override { return {mcp::Access::granted, 1, true}; }
  void do_challenge(mcp::Access access, mcp::http::ResponseHead& out) override {
    mcp::http::begin_challenge(access, out);
  }
};

TEST(Authorizer, GrantsNoScopesThatItDoesNotSet) {
  Everybody everybody;
  Pump pump({.authorizer = &everybody});
  expect_forbidden(pump.call_stateless("", "start"), write_challenge);
  EXPECT_NE(pump.call_stateless("", "status").body.find("is off"), std::string::npos);
}

TEST(StaticTokens, HaveAllScopes) {
  static constexpr std::string_view one[] = {"only"};
  mcp::StaticTokens tokens(one);
  Pump pump({.authorizer = &tokens});
  expect_served(pump.call_stateless("only", "start"));
}

TEST(RotatingTokens, HaveAllScopes) {
  mcp::RotatingToken users[1]{};
  mcp::RotatingTokens tokens(users);
  Pump pump({.authorizer = &tokens});
  EXPECT_TRUE(tokens.rotate(0, "only", 0, 0).is_accepted);
  expect_served(pump.call_stateless("only", "start"));
}

TEST(ScopedRotatingTokens, HaveTheScopesOfTheirUser) {
  static constexpr mcp::TokenScopes scopes[] = {"pump:read", "pump:write"};
  mcp::RotatingToken users[3]{};
  mcp::RotatingTokens tokens(users);
  mcp::ScopedRotatingTokens scoped(tokens, scopes);
  Pump pump({.authorizer = &scoped});
  EXPECT_TRUE(tokens.rotate(0, "reader", 0, 0).is_accepted);
  EXPECT_TRUE(tokens.rotate(1, "operator", 0, 0).is_accepted);
  EXPECT_TRUE(tokens.rotate(2, "third", 0, 0).is_accepted);
  expect_forbidden(pump.call_stateless("reader", "start"), write_challenge);
  expect_forbidden(pump.call_stateless("third", "start"), write_challenge);
  expect_served(pump.call_stateless("operator", "start"));
  // The principal and the scopes stay for a new token.
  const std::string session = pump.begin("operator");
  EXPECT_EQ(tokens.rotate(1, "new", 0, 60'000).ended_principal, 0U);
  for (const std::string_view token : {"operator", "new"}) expect_served(pump.call(token, session, "start"));
  EXPECT_EQ(pump.call_stateless("other", "start").header("www-authenticate"), R"(Bearer error="invalid_token")");
  EXPECT_EQ(pump.call_stateless("", "start").header("www-authenticate"), "Bearer");
}

TEST(ScopedTokens, ServerWithoutScopesServesEachToken) {
  mcp::ScopedTokens tokens(three_tokens);
  PumpSite<false> pump({.authorizer = &tokens}, test::features);
  EXPECT_EQ(pump.call_stateless("none", "echo").header("www-authenticate"), R"(Bearer error="invalid_token")");
  EXPECT_EQ(pump.call_stateless("reader", "none").status, 200);
}

class ScopedTokensDeathTest : public testing::TestWithParam<const mcp::Definition*> {};

TEST_P(ScopedTokensDeathTest, StorageWithoutScopesAbortsForAServerWithThem) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  using Storage = mcp::HttpStorage<test::shape<512, 32, false, false>, scope_limits>;
  const std::unique_ptr<Storage> storage(new Storage());
  test::Bench bench(*GetParam(), {.transmit_size = 512});
  test::FakeListener listener;
  const mcp::HttpOptions options{};
  mcp::HttpTransport transport(bench.server, listener, bench.entropy, *storage, options);
  EXPECT_DEATH(static_cast<void>(transport.poll(0)), "contract");
}

INSTANTIATE_TEST_SUITE_P(ScopesOfRowsAndOfMethods, ScopedTokensDeathTest,
                         testing::Values(&test::scoped, &with_methods));

// ---- Challenges of an application ---------------------------------------------------------------------------------

// Each caller may read.
class OwnChallenge final : public mcp::Authorizer {
 public:
  explicit OwnChallenge(std::string challenge) : challenge_(std::move(challenge)) {}

 private:
  mcp::Grant do_check(const mcp::http::RequestHead&) override {
    return {.access = mcp::Access::granted, .principal = 1, .scopes = scopes_.c_str()};
  }
  void do_challenge(mcp::Access, mcp::http::ResponseHead& out) override {
    if (challenge_.empty()) return;
    out.begin("WWW-Authenticate");
    out.append(challenge_);
  }

  std::string scopes_ = "pump:read";
  std::string challenge_;
};

TEST(Challenge, NamesTheScopeOfTheRowOnceAtItsEnd) {
  constexpr struct {
    std::string_view own;
    std::string_view sent;
  } cases[] = {
      {"", "(none)"},
      {R"(Bearer realm="a")", R"(Bearer realm="a", scope="pump:write")"},
      {"Bearer", R"(Bearer scope="pump:write")"},
      {"Bearer realm=a", R"(Bearer realm=a, scope="pump:write")"},
      {R"(Bearer scope="pump")", R"(Bearer scope="pump pump:write")"},
      {R"(Bearer scope="pump", error="a")", R"(Bearer scope="pump", error="a")"},
      {R"(Bearer scope="pump", max_age=1)", R"(Bearer scope="pump", max_age=1)"},
  };
  for (const auto& one : cases) {
    OwnChallenge authorizer{std::string(one.own)};
    Pump pump({.authorizer = &authorizer});
    const HttpResponse response = pump.call_stateless("", "start");
    EXPECT_EQ(response.status, 403) << one.own;
    EXPECT_EQ(response.header("www-authenticate"), one.sent);
  }
}

TEST(Challenge, IsLeftOutIfItDoesNotFit) {
  OwnChallenge authorizer("Bearer realm=\"" + std::string(3000, 'a') + '"');
  Pump pump({.authorizer = &authorizer});
  const HttpResponse response = pump.call_stateless("", "start");
  EXPECT_EQ(response.header("www-authenticate"), "(none)");
}

// ---- OAuth --------------------------------------------------------------------------------------------------------

// The token is its scopes.
class ScopesValidator final : public mcp::TokenValidator {
  std::optional<mcp::AccessToken> do_validate(std::string_view token, mcp::http::Method) override {
    if (token == "none") return mcp::AccessToken{.audience = "https://pump.example/mcp", .scopes = {}, .principal = 1};
    return mcp::AccessToken{.audience = "https://pump.example/mcp",
                            .scopes = token == "write" ? "pump pump:write" : "pump",
                            .principal = 1};
  }
};

constexpr std::string_view issuers[] = {"https://login.example"};
constexpr std::string_view endpoint_scopes[] = {"pump"};

TEST(ResourceServer, ChallengeNamesTheScopesOfTheEndpointAndOfTheRow) {
  static constexpr mcp::ProtectedResource resource{
      .resource = "https://pump.example/mcp", .authorization_servers = issuers, .scopes = endpoint_scopes};
  ScopesValidator validator;
  mcp::ResourceServer server(resource, validator);
  Pump pump({.authorizer = &server});
  expect_forbidden(pump.call_stateless("read", "start"),
                   R"(Bearer error="insufficient_scope", )"
                   R"(resource_metadata="https://pump.example/.well-known/oauth-protected-resource/mcp", )"
                   R"(scope="pump pump:write")");
  expect_served(pump.call_stateless("write", "start"));
}

TEST(ResourceServer, TokenWithoutScopesUsesRowsWithoutScopesOnly) {
  static constexpr mcp::ProtectedResource resource{.resource = "https://pump.example/mcp",
                                                   .authorization_servers = issuers};
  ScopesValidator validator;
  mcp::ResourceServer server(resource, validator);
  Pump pump({.authorizer = &server});
  // In a session, too: its client reads the challenge, and gets another token.
  expect_forbidden(pump.call("none", pump.begin("none"), "start"),
                   R"(Bearer error="insufficient_scope", )"
                   R"(resource_metadata="https://pump.example/.well-known/oauth-protected-resource/mcp", )"
                   R"(scope="pump:write")");
  expect_forbidden(pump.call_stateless("none", "start"),
                   R"(Bearer error="insufficient_scope", )"
                   R"(resource_metadata="https://pump.example/.well-known/oauth-protected-resource/mcp", )"
                   R"(scope="pump:write")");
  EXPECT_EQ(pump.call_stateless("none", "status").status, 200);
}

// ---- Callers -----------------------------------------------------------------------------------------------------

constexpr mcp::StaticToken caller_tokens[] = {{.token = "ada", .scopes = "read", .principal = 7},
                                              {.token = "bob", .scopes = "read write", .principal = 8}};

std::string text_of(const HttpResponse& response) {
  constexpr std::string_view key = R"("text":")";
  const std::size_t begin = response.body.find(key);
  if (begin == std::string::npos) return response.body;
  return response.body.substr(begin + key.size(), response.body.find('"', begin + key.size()) - begin - key.size());
}

TEST(HttpCallers, EachTokenHasItsPrincipalAndItsScopes) {
  mcp::ScopedTokens tokens(caller_tokens);
  Pump pump({.authorizer = &tokens}, test::callers, 24);
  EXPECT_EQ(text_of(pump.call_stateless("ada", "who")), "7 of   in 2026-07-28 asks 1 for nothing may read");
  EXPECT_EQ(text_of(pump.call_stateless("bob", "who")), "8 of   in 2026-07-28 asks 1 for nothing may read may write");
  EXPECT_EQ(text_of(pump.call("ada", pump.begin("ada"), "who")), "7 of c 0 in 2025-11-25 asks 1 for nothing may read");
  EXPECT_EQ(text_of(pump.call("bob", pump.begin("bob", "2025-06-18"), "who")),
            "8 of c 0 in 2025-06-18 asks 1 for nothing may read may write");
}

// The token of the other user is used while the job runs.
TEST(HttpCallers, JobKeepsThePrincipalAndTheScopesOfItsToken) {
  mcp::ScopedTokens tokens(caller_tokens);
  Pump pump({.authorizer = &tokens}, test::callers, 24);
  const std::string session = pump.begin("ada");
  EXPECT_EQ(pump.post("ada", session, R"({"jsonrpc":"2.0","method":"notifications/initialized"})").status, 202);
  HttpClient client = pump.connect();
  const std::string body = R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"work"}})";
  client.send("POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ada\r\n" + session +
              "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n" + body);
  pump.run();
  EXPECT_NE(text_of(pump.call_stateless("bob", "who")).find("may write"), std::string::npos);
  pump.pass(200);
  EXPECT_EQ(client.response().status, 200);
  std::string data;
  for (const test::HttpEvent& event : client.events()) data += event.data.value_or("");
  EXPECT_NE(data.find(R"("7 of c 0 in 2025-11-25 asks 5 for nothing may read")"), std::string::npos) << data;
  client.leave();
  pump.run();
}

// What keeps the caller comes before the guard.
TEST(HttpCallers, GuardRejectsACallWhoseCallerIsKept) {
  mcp::ScopedTokens tokens(three_tokens);
  Pump pump({.authorizer = &tokens}, test::scoped_tasks, 24);
  expect_forbidden(pump.call_stateless("reader", "pump"), write_challenge);
  EXPECT_EQ(pump.call_stateless("operator", "pump").status, 200);
}

// The transport rejects a token before it reads who is calling.
TEST(HttpCallers, RejectedTokenHasNoCaller) {
  mcp::ScopedTokens tokens(caller_tokens);
  Pump pump({.authorizer = &tokens}, test::callers, 24);
  static_cast<void>(test::take_callers());
  EXPECT_EQ(pump.call_stateless("eve", "who").status, 401);
  EXPECT_EQ(test::take_callers(), "rejected : 0 of   in  asks  for nothing; ");
  EXPECT_EQ(pump.call_stateless("ada", "who").status, 200);
  EXPECT_EQ(test::take_callers(), "ok tools/call: 7 of   in 2026-07-28 asks 1 for nothing; ");
}

TEST(HttpCallers, CallerOfNoRequestHasNoScope) {
  EXPECT_FALSE(mcp::Caller().has_scope("read"));
  EXPECT_FALSE(mcp::Caller().has_scope(""));
}

}  // namespace
