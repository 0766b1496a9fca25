// SPDX-License-Identifier: Apache-2.0
// Tokens with scopes at one endpoint: 403 with a challenge that names the scope, in both eras.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "mcp/http_access.hpp"
#include "mcp/http_oauth.hpp"
#include "mcp/http_transport.hpp"
#include "support/device.hpp"
#include "support/http_client.hpp"
#include "transports/http/site.hpp"

namespace {

using test::HttpClient;
using test::HttpResponse;

constexpr mcp::HttpLimits scope_limits{.connections = 4, .head_size = 1024};

struct Pump : test::HttpSite<scope_limits, 2048> {
  explicit Pump(const mcp::HttpOptions& options, const mcp::Definition& definition = test::scoped)
      : HttpSite(definition, {.receive_size = 1024, .sessions = 3, .subscriptions = 1}, options) {}

  HttpResponse post(std::string_view token, std::string_view more, std::string_view body) {
    HttpClient client = connect();
    const HttpResponse response =
        ask(client, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n" +
                        (token.empty() ? std::string() : "Authorization: Bearer " + std::string(token) + "\r\n") +
                        "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
                        std::string(more) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                        std::string(body));
    client.leave();
    run();
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

void expect_forbidden(const HttpResponse& response, std::string_view challenge) {
  EXPECT_EQ(response.status, 403);
  EXPECT_EQ(response.header("www-authenticate"), challenge);
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
  expect_forbidden(pump.call("reader", pump.begin("reader"), "start"), write_challenge);
  expect_forbidden(pump.call_stateless("reader", "start"), write_challenge);
  for (const std::string_view token : {"operator", "root"}) {
    expect_served(pump.call(token, pump.begin(token), "start"));
    expect_served(pump.call_stateless(token, "start"));
  }
  EXPECT_NE(pump.call_stateless("reader", "status").body.find("is off"), std::string::npos);
}

TEST(ScopedTokens, ScopesOfEachMessageCountInASession) {
  mcp::ScopedTokens tokens(three_tokens);
  Pump pump({.authorizer = &tokens});
  const std::string session = pump.begin("operator");
  expect_served(pump.call("operator", session, "start"));
  expect_forbidden(pump.call("reader", session, "start"), write_challenge);
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
  expect_forbidden(pump.call_stateless("none", "start"),
                   R"(Bearer error="insufficient_scope", )"
                   R"(resource_metadata="https://pump.example/.well-known/oauth-protected-resource/mcp", )"
                   R"(scope="pump:write")");
  EXPECT_EQ(pump.call_stateless("none", "status").status, 200);
}

}  // namespace
