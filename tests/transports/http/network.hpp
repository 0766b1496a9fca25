// SPDX-License-Identifier: Apache-2.0
// One device on a network of real sockets, in one process and one thread. Clients and server take turns, and the test
// sets the time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "mcp/http_transport.hpp"
#include "mcp/ports/posix.hpp"
#include "mcp/ports/posix_tcp.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/http_shape.hpp"
#include "support/tcp_client.hpp"

namespace test {

/// Fails if the test leaves a descriptor open.
class DescriptorsStay {
 public:
  DescriptorsStay() : before_(open_descriptors()) {}
  ~DescriptorsStay() { EXPECT_EQ(open_descriptors(), before_) << "file descriptors leak"; }
  DescriptorsStay(const DescriptorsStay&) = delete;
  DescriptorsStay& operator=(const DescriptorsStay&) = delete;

 private:
  std::size_t before_;
};

template <mcp::HttpLimits H, std::size_t transmit_size = 2048>
class Network {
 public:
  using Answer = TcpClient::Answer;

  explicit Network(const mcp::Definition& definition = features)
      : bench(definition, {.receive_size = 4096,
                           .transmit_size = transmit_size,
                           .sessions = 4,
                           .jobs = 3,
                           .job = 128,
                           .own_session_idle_ms = 0}),
        listener(sockets_, "127.0.0.1", 0),
        transport_(bench.server, listener, entropy_, *storage_, options_) {
    reset_device();
    EXPECT_TRUE(act(bench.server, "reset"));
    EXPECT_TRUE(listener.ok());
  }
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  ~Network() { expect_nothing_left(); }

  /// After all clients have gone, expects that no exchange is in use and no call runs.
  void expect_nothing_left() {
    for (int i = 0; i < 20 && links_in_use() != 0; ++i) {
      run();
      if (links_in_use() != 0) pass(100);
    }
    EXPECT_EQ(links_in_use(), 0U) << "links leak";
    EXPECT_EQ(open_descriptors(), descriptors_) << "connections leak";
  }

  TcpClient connect(int receive_buffer = 0, const char* from = nullptr) {
    return TcpClient(listener.port(), receive_buffer, "127.0.0.1", from);
  }

  /// Polls until there is no more work. Returns the milliseconds until the next poll is due.
  mcp::Millis run() {
    for (int i = 0; i < 100'000; ++i) {
      listener.wait(0);  // as the main loop does
      if (const mcp::Millis due = transport_.poll(now_); due != 0) return due;
    }
    ADD_FAILURE() << "there is always more to do";
    return mcp::forever;
  }

  /// Polls `turns` times, for a server that always has work.
  void run_busily(int turns = 1) {
    while (turns-- != 0) {
      listener.wait(0);
      static_cast<void>(transport_.poll(now_));
    }
  }

  /// Lets time pass, for a server that always has work.
  void pass_busily(mcp::Millis ms) {
    now_ += ms;
    run_busily(10);
  }

  /// Lets time pass, and polls as late as poll() allows.
  void pass(mcp::Millis ms) {
    const mcp::Millis end = now_ + ms;
    for (int i = 0; i < 100'000; ++i) {
      const mcp::Millis due = run();
      if (due > end - now_) break;
      now_ += due;
    }
    if (now_ == end) return;
    now_ = end;
    run();
  }

  /// Polls until `done()`, without time passing for the server. False after 5 s: the kernel may deliver bytes late.
  template <class Done>
  bool until(Done done) {
    const mcp::Millis begin = mcp::posix::now();
    while (!done()) {
      if (mcp::posix::now() - begin > 5'000) return false;
      listener.wait(transport_.poll(now_) != 0 ? 1 : 0);
    }
    return true;
  }

  Answer answer(TcpClient& client) {
    Answer answer;
    EXPECT_TRUE(until([&] {
      answer = client.take_answer();
      return answer.status != 0 || client.ended() || client.broken();
    })) << "no answer: "
        << client.received();
    return answer;
  }
  Answer ask(TcpClient& client, std::string_view request) {
    client.send(request);
    return answer(client);
  }
  /// True if the client receives `text`.
  bool comes(TcpClient& client, std::string_view text) {
    return until([&] {
             return client.received().find(text) != std::string::npos || client.ended() || client.broken();
           }) &&
           client.received().find(text) != std::string::npos;
  }

  /// Begins a session, and returns its header.
  std::string begin(TcpClient& client);
  std::string begin() {
    TcpClient client = connect();
    return begin(client);
  }
  /// Expects that the server serves a new client.
  void expect_next_is_served() {
    TcpClient client = connect();
    EXPECT_EQ(ask(client, post(ping(99), begin(client))).body, pong(99));
  }

  [[nodiscard]] std::size_t links_in_use() {
    const auto links = storage_->view().exchanges;
    return static_cast<std::size_t>(std::count_if(
        links.begin(), links.end(), [](const auto& link) { return link.state != mcp::http::Exchange::State::free; }));
  }
  /// True if an exchange has bytes that the kernel does not accept.
  [[nodiscard]] bool is_stuck() {
    const auto links = storage_->view().exchanges;
    return std::any_of(links.begin(), links.end(), [](const auto& link) { return !link.out.empty(); });
  }
  [[nodiscard]] mcp::Millis now() const { return now_; }

  static std::string post(std::string_view body, std::string_view more = "") {
    std::string text =
        "POST /mcp HTTP/1.1\r\nHost: localhost:8080\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\n";
    text.append(more);
    text += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    return text.append(body);
  }
  static std::string get(std::string_view more) {
    std::string text = "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n";
    return text.append(more) + "\r\n";
  }
  static std::string initialize() {
    return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
           R"("capabilities":{},"clientInfo":{"name":"c","version":"0"}}})";
  }
  static std::string ping(int id) { return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"ping"})"; }
  static std::string pong(int id) { return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{}})"; }
  /// Calls the tool of features.cpp that takes 100 ms for each number.
  static std::string count_to(int n, int id = 1) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
           R"(,"method":"tools/call","params":{"name":"count","arguments":{"to":)" + std::to_string(n) +
           R"(},"_meta":{"progressToken":"p"}}})";
  }
  static std::string call(std::string_view tool, int id = 1) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" +
           std::string(tool) + R"(","_meta":{"progressToken":"p"}}})";
  }

 private:
  DescriptorsStay descriptors_stay_;
  static constexpr mcp::HttpOptions options_{};
  using Storage = mcp::HttpStorage<shape<transmit_size>, H>;
  std::unique_ptr<Storage> storage_{new Storage()};
  mcp::posix::TcpConnection sockets_[H.connections];
  mcp::posix::SystemEntropy entropy_;
  mcp::Millis now_ = 0xFFFF'F000;  // it wraps soon

 public:
  Bench bench;
  mcp::posix::TcpListener listener;

 private:
  mcp::HttpTransport transport_;
  std::size_t descriptors_ = open_descriptors();
};

template <mcp::HttpLimits H, std::size_t transmit_size>
std::string Network<H, transmit_size>::begin(TcpClient& client) {
  const Answer response = ask(client, post(initialize()));
  EXPECT_EQ(response.status, 200);
  std::string session = "MCP-Session-Id: " + response.header("MCP-Session-Id") + "\r\n";
  EXPECT_EQ(ask(client, post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", session)).status, 202);
  return session;
}

}  // namespace test
