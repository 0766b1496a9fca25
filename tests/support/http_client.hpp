// SPDX-License-Identifier: Apache-2.0
// Clients of an HTTP endpoint as test devices: connections whose bytes are a script, and a strict reader of what comes
// back. What a server may not send fails the test that reads it.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/port.hpp"
#include "support/fake_stream.hpp"

namespace test {

/// The server's end of a connection. Its client ends it, too, when the server has.
class FakeConnection final : public mcp::Connection {
 public:
  FakeStream wire;
  /// The client does not notice the end.
  bool stays = false;
  /// Sets may_read(), as ports with events do. Without it, each read may have a result.
  bool has_events = false;
  /// What peer() returns.
  std::uint64_t host = 0;
  /// Runs before each call of the server.
  std::function<void()> on_call;

  /// The server has ended it: the client reads the end.
  [[nodiscard]] bool closed() const { return closed_ || finished_; }
  /// The object is the listener's again.
  [[nodiscard]] bool released() const { return closed_; }
  /// It was used after it had been closed, or as no ByteStream may be.
  [[nodiscard]] bool misused() const { return misused_ || wire.misused(); }

  /// The client sends these bytes.
  void give(std::string_view bytes) {
    wire.give(bytes);
    set_may_read(true);
  }

 private:
  mcp::IoResult do_read(std::span<char> into) override {
    called();
    misused_ = misused_ || closed_;
    const mcp::IoResult result = wire.read(into);
    if (has_events) set_may_read(result.status != mcp::IoStatus::would_block);
    return result;
  }
  mcp::IoResult do_write(std::span<const char> from) override {
    called();
    misused_ = misused_ || closed();
    return wire.write(from);
  }
  void do_finish() override {
    called();
    misused_ = misused_ || closed();
    finished_ = true;
    if (!stays) wire.end();
  }
  void do_close() override {
    called();
    misused_ = misused_ || closed_;
    closed_ = true;
  }
  std::uint64_t do_peer() const override { return host; }

  void called() const {
    if (on_call) on_call();
  }

  bool finished_ = false;
  bool closed_ = false;
  bool misused_ = false;
};

/// Connections in the order in which they were made; all that were ever made stay.
class FakeListener final : public mcp::Listener {
 public:
  /// Runs before each call of the server, also of connections that are made later.
  std::function<void()> on_call;

  FakeConnection& connect() {
    connections_.emplace_back().on_call = on_call;
    waiting_.push_back(&connections_.back());
    return connections_.back();
  }
  using mcp::Listener::set_capacity;
  /// Connections that the server has not accepted yet.
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
  std::list<FakeConnection>& connections() { return connections_; }

 private:
  mcp::Connection* do_accept() override {
    if (on_call) on_call();
    if (waiting_.empty()) return nullptr;
    FakeConnection* const next = waiting_.front();
    waiting_.pop_front();
    return next;
  }
  bool do_has_waiting() override {
    if (on_call) on_call();
    return !waiting_.empty();
  }

  std::list<FakeConnection> connections_;
  std::deque<FakeConnection*> waiting_;
};

/// What came back.
struct HttpResponse {
  int status = 0;                              // 0: none, or none that is complete
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  bool streams = false;  // its body is read with HttpClient::events(), or text() if it is JSON

  [[nodiscard]] std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "(none)" : found->second;
  }
};

/// One event of a stream, or a comment.
struct HttpEvent {
  std::string type;  // empty if there is none
  std::string id;
  std::optional<std::string> data;
  std::string retry;
  std::string comment;
};

/// The client's end of a connection.
class HttpClient {
 public:
  explicit HttpClient(FakeConnection& connection) : connection_(&connection) {}

  [[nodiscard]] FakeConnection& connection() const { return *connection_; }
  void send(std::string_view bytes) { connection_->give(bytes); }
  /// The client has closed the connection.
  void leave() { connection_->wire.end(); }

  /// The next response that is there, as a whole; of a stream, its head.
  HttpResponse response();
  /// The events that came since.
  std::vector<HttpEvent> events();
  /// The bytes of a stream that came since, for one that is JSON.
  std::string text();
  /// The stream has come to its end as it should.
  [[nodiscard]] bool ended() const { return ended_; }
  /// Nothing is there that was not read.
  bool idle() {
    take();
    return received_.empty() && text_.empty();
  }

 private:
  void take() { received_ += connection_->wire.take(); }
  void take_chunks();
  void take_stream();

  FakeConnection* connection_;
  std::string received_;
  std::string text_;  // of a stream
  bool streams_ = false;
  bool chunked_ = false;
  bool ended_ = false;
};

}  // namespace test
