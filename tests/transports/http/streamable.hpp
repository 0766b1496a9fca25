// SPDX-License-Identifier: Apache-2.0
// Clients of the Streamable HTTP transport in tests without sockets: the device on its network, the requests of the
// clients, and the results of the tools of features.cpp.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/device.hpp"
#include "support/http_client.hpp"
#include "transports/http/site.hpp"

namespace test {

inline constexpr std::string_view revision = "2025-11-25";
inline constexpr std::string_view both_types = "Accept: application/json, text/event-stream\r\n";

inline constexpr mcp::HttpLimits usual{
    .connections = 5, .head_size = 512, .replay_size = 2048, .request_timeout_ms = 10'000, .idle_timeout_ms = 60'000};

struct Setting {
  std::size_t receive_size = 1024;
  std::size_t sessions = 2;  // of clients, in addition to the shared one
  std::size_t jobs = 3;
  std::size_t write_limit = FakeStream::no_limit;
  bool blocks = false;
  const mcp::HttpOptions* options = nullptr;
  mcp::Millis own_session_idle_ms = 10'000;
};

inline constexpr mcp::HttpOptions default_options{};

// One device on a network.
template <mcp::HttpLimits H = usual, std::size_t transmit_size = 2048, bool legacy = false>
class Site : public HttpSite<H, transmit_size, 32, legacy> {
  using Base = HttpSite<H, transmit_size, 32, legacy>;

 public:
  using Base::ask;
  using Base::listener;
  using Base::run;

  explicit Site(const mcp::Definition& definition = features, const Setting& setting = {})
      : Base(definition,
             {.receive_size = setting.receive_size,
              .sessions = setting.sessions + 1,
              .jobs = setting.jobs,
              .job = 128,
              .own_session_idle_ms = setting.own_session_idle_ms},
             setting.options != nullptr ? *setting.options : default_options),
        setting_(setting) {}

  /// `host` is the number of the host of the client; 0: unknown.
  HttpClient connect(std::uint64_t host = 0) {
    FakeConnection& connection = listener.connect();
    connection.host = host;
    connection.wire.write_limit = setting_.write_limit;
    connection.wire.blocks_every_second_write = setting_.blocks;
    return HttpClient(connection);
  }

  // Begins a session, and returns its header.
  std::string begin(HttpClient& client, std::string_view version = revision);
  std::string begin() {
    HttpClient client = connect();
    std::string session = begin(client);
    client.leave();
    run();
    return session;
  }

  // Opens a standalone stream of a session, and reads its first event.
  HttpClient listen(std::string_view session, std::string_view more = "");

 private:
  Setting setting_;
};

inline std::string post(std::string_view body, std::string_view more = "") {
  std::string text = "POST /mcp HTTP/1.1\r\nHost: localhost:8080\r\nContent-Type: application/json\r\n";
  text.append(both_types).append(more);
  text += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  return text.append(body);
}

inline std::string get(std::string_view more) {
  std::string text = "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n";
  return text.append(more) + "\r\n";
}

inline std::string delete_request(std::string_view more) {
  std::string text = "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\n";
  return text.append(more) + "\r\n";
}

// Returns the request with `old_text` replaced.
inline std::string with(std::string request, std::string_view old_text, std::string_view new_text) {
  const std::size_t at = request.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return request.replace(at, old_text.size(), new_text);
}

inline std::string initialize(std::string_view version = revision) {
  return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" + std::string(version) +
         R"(","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"0"}}})";
}

inline constexpr std::string_view initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

inline std::string ping(int id = 1) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"ping"})";
}
inline std::string pong(int id = 1) { return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{}})"; }

// The response of a client to the elicitation with this number of the server.
inline std::string decline(int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(1'000'000'000 + id) + R"(,"result":{"action":"decline"}})";
}

// Calls of the tools of features.cpp.
inline std::string count_to(int n, int id = 1) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":"count","arguments":{"to":)" + std::to_string(n) +
         R"(},"_meta":{"progressToken":"p"}}})";
}
inline std::string counting(int at, int n) {
  return R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":)" +
         std::to_string(at) + R"(,"total":)" + std::to_string(n) + R"(,"message":"counting"}})";
}
inline std::string counted(int n, int id = 1) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"result":{"content":[{"type":"text","text":"counted to )" + std::to_string(n) + R"("}]}})";
}
inline std::string call(std::string_view tool, int id = 1) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" +
         std::string(tool) + R"("}})";
}
inline std::string read_resource(std::string_view uri, int id = 1) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"resources/read","params":{"uri":")" +
         std::string(uri) + R"("}})";
}
inline constexpr std::string_view set_debug =
    R"({"jsonrpc":"2.0","id":7,"method":"logging/setLevel","params":{"level":"debug"}})";
inline std::string subscribe(std::string_view uri) {
  return R"({"jsonrpc":"2.0","id":7,"method":"resources/subscribe","params":{"uri":")" + std::string(uri) + R"("}})";
}
inline std::string updated(std::string_view uri) {
  return R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":")" + std::string(uri) +
         R"("}})";
}
inline constexpr std::string_view tools_changed = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";

template <mcp::HttpLimits H, std::size_t transmit_size, bool legacy>
std::string Site<H, transmit_size, legacy>::begin(HttpClient& client, std::string_view version) {
  const HttpResponse response = ask(client, post(initialize(version)));
  EXPECT_EQ(response.status, 200);
  EXPECT_NE(response.body.find("\"result\""), std::string::npos);
  std::string session = "MCP-Session-Id: " + response.header("mcp-session-id") + "\r\n";
  const HttpResponse ready = ask(client, post(initialized, session));
  EXPECT_EQ(ready.status, 202);
  EXPECT_EQ(ready.header("content-length"), "0");
  return session;
}

template <mcp::HttpLimits H, std::size_t transmit_size, bool legacy>
HttpClient Site<H, transmit_size, legacy>::listen(std::string_view session, std::string_view more) {
  HttpClient client = connect();
  const HttpResponse response = ask(client, get(std::string(session) + std::string(more)));
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(response.streams);
  if (response.streams && more.empty()) {
    const std::vector<HttpEvent> events = client.events();
    EXPECT_EQ(events.size(), 1U);
    if (!events.empty()) {
      EXPECT_NE(events[0].id, "");
      EXPECT_EQ(events[0].data, "");
    }
  }
  return client;
}

// The time of a request of a client that waits after all others. Every `interval` ms, the other clients `act`.
template <class S, class Act>
mcp::Millis time_of(S& site, const std::string& request, Act act, mcp::Millis interval = 900) {
  const mcp::Millis begin = site.now();
  HttpClient client = site.connect(1000);
  client.send(request);
  for (mcp::Millis ms = 1; ms < 20'000; ++ms) {
    site.pass(1);
    if (ms % interval == 0) act();
    if (client.response().status == 200) break;
  }
  return site.now() - begin;
}

inline std::vector<std::string> data_of(const std::vector<HttpEvent>& events) {
  std::vector<std::string> data;
  for (const HttpEvent& event : events) data.push_back(event.data ? *event.data : "(" + event.comment + ")");
  return data;
}
using Texts = std::vector<std::string>;

// Expects an error with a reason. It has no id, except if the server has read the body; then `id` is its member.
inline void expect_rejection(const HttpResponse& response, int status, const std::string& id = "") {
  EXPECT_EQ(response.status, status);
  const std::string begin = R"({"jsonrpc":"2.0",)" + id + R"("error":{"code":-32600,"message":")";
  EXPECT_EQ(response.body.substr(0, begin.size()), begin);
}

}  // namespace test
