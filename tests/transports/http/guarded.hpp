// SPDX-License-Identifier: Apache-2.0
// An endpoint with an Authorizer, the requests of its clients, and the errors of rejected requests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "mcp/http_access.hpp"
#include "mcp/http_transport.hpp"
#include "support/device.hpp"
#include "support/http_client.hpp"
#include "transports/http/site.hpp"

namespace test::access {

inline constexpr mcp::HttpLimits access_limits{.connections = 4, .head_size = 1024, .replay_size = 1024};
inline constexpr std::size_t access_transmit_size = 2048;

// An endpoint with an Authorizer.
class Guarded : public test::HttpSite<access_limits, access_transmit_size> {
 public:
  explicit Guarded(const mcp::HttpOptions& options)
      : HttpSite(test::features, {.receive_size = 1024, .sessions = 3, .jobs = 2, .job = 128, .own_session_idle_ms = 0},
                 options) {}

  // Sends a request on a new connection, in pieces of `size` bytes.
  HttpResponse ask(std::string_view request, std::size_t size = std::string_view::npos) {
    HttpClient client = connect();
    for (std::size_t at = 0; at < request.size(); at += std::min(size, request.size())) {
      client.send(request.substr(at, size));
    }
    run();
    const HttpResponse response = client.response();
    if (!response.streams) {
      EXPECT_TRUE(client.idle());
    }
    client.leave();
    run();
    return response;
  }
};

inline std::string request(std::string_view line, std::string_view more = "", std::string_view body = "") {
  std::string text = std::string(line) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(more);
  if (line.starts_with("POST")) {
    text += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  }
  if (more.find("Accept: ") == std::string_view::npos) text += "Accept: application/json, text/event-stream\r\n";
  return text + "\r\n" + std::string(body);
}

inline constexpr std::string_view initialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
    R"("clientInfo":{"name":"c","version":"0"}}})";
inline constexpr std::string_view ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
inline constexpr std::string_view pong = R"({"jsonrpc":"2.0","id":1,"result":{}})";

inline std::string bearer(std::string_view token) { return "Authorization: Bearer " + std::string(token) + "\r\n"; }

// Expects an error with a reason and without an id, and the end of the connection.
inline void expect_rejection(const HttpResponse& response, int status, std::string_view challenge) {
  EXPECT_EQ(response.status, status);
  EXPECT_EQ(response.header("www-authenticate"), challenge);
  EXPECT_EQ(response.header("connection"), "close");
  const std::string_view begin = challenge == "(none)"
                                     ? R"({"jsonrpc":"2.0","error":{"code":-32600,"message":")"
                                     : R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":")";
  EXPECT_EQ(response.body.substr(0, begin.size()), response.body.empty() ? "" : begin);
}

// A client that learns the id of another session cannot use it. The responses are those for an unknown id.
inline void expect_bound_sessions(Guarded& site, std::string_view owner, std::string_view other) {
  const HttpResponse begun = site.ask(request("POST /mcp", bearer(owner), initialize));
  ASSERT_EQ(begun.status, 200);
  const std::string session = "MCP-Session-Id: " + begun.header("mcp-session-id") + "\r\n";
  const std::string never = "MCP-Session-Id: ffffffffffffffffffffffffffffffff\r\n";
  for (const std::string_view line : {"POST /mcp", "GET /mcp", "DELETE /mcp"}) {
    for (const std::string_view resumed : {"", "Last-Event-ID: 1-0\r\n"}) {
      const HttpResponse response = site.ask(request(line, bearer(other) + session + std::string(resumed), ping));
      EXPECT_EQ(response.status, 404) << line;
      const HttpResponse unknown = site.ask(request(line, bearer(other) + never + std::string(resumed), ping));
      EXPECT_EQ(unknown.status, 404);
      EXPECT_EQ(response.body, unknown.body);
      EXPECT_EQ(response.headers, unknown.headers);
    }
    // Without a token, each request is rejected.
    EXPECT_EQ(site.ask(request(line, session, ping)).status, 401);
  }
  EXPECT_EQ(site.bench.open_sessions(), 1U);
  EXPECT_EQ(site.ask(request("POST /mcp", bearer(owner) + session, ping)).body, pong);
  // The token of each request counts, not the first one on the connection.
  HttpClient client = site.connect();
  client.send(request("POST /mcp", bearer(owner) + session, ping));
  client.send(request("POST /mcp", bearer(other) + session, ping));
  site.run();
  EXPECT_EQ(client.response().body, pong);
  EXPECT_EQ(client.response().status, 404);
  client.leave();
  site.run();
  EXPECT_EQ(site.ask(request("DELETE /mcp", bearer(owner) + session)).status, 200);
  EXPECT_EQ(site.bench.open_sessions(), 0U);
}

}  // namespace test::access
