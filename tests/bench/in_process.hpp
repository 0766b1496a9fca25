// SPDX-License-Identifier: Apache-2.0
// A server, its transport and its clients in one process, without a system call: an instruction counter sees the
// transport and the server alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "mcp/http_transport.hpp"
#include "mcp/stdio_transport.hpp"
#include "requests.hpp"

namespace bench {

/// The client's end of a wire: a request comes in one piece, as it does from a network, and an answer is kept.
class Wire {
 public:
  void send(std::string_view request) {
    request_ = request;
    size_ = 0;
  }
  [[nodiscard]] std::string_view answer() const { return {answer_, size_}; }

  void end() { ended_ = true; }

  mcp::IoResult read(std::span<char> into) {
    if (request_.empty()) return {ended_ ? mcp::IoStatus::closed : mcp::IoStatus::would_block, 0};
    const std::size_t bytes = std::min(into.size(), request_.size());
    std::memcpy(into.data(), request_.data(), bytes);
    request_.remove_prefix(bytes);
    return {mcp::IoStatus::ok, bytes};
  }
  mcp::IoResult write(std::span<const char> from) {
    const std::size_t bytes = std::min(from.size(), sizeof answer_ - size_);
    std::memcpy(answer_ + size_, from.data(), bytes);
    size_ += bytes;
    return {mcp::IoStatus::ok, from.size()};
  }

 private:
  std::string_view request_;
  char answer_[4096];  // longer ones lose their end
  std::size_t size_ = 0;
  bool ended_ = false;
};

class Stream final : public mcp::ByteStream {
 public:
  Wire wire;

  void send(std::string_view request) { wire.send(request); }

 private:
  mcp::IoResult do_read(std::span<char> into) override { return wire.read(into); }
  mcp::IoResult do_write(std::span<const char> from) override { return wire.write(from); }
};

class Connection final : public mcp::Connection {
 public:
  Wire wire;

  void send(std::string_view request) {
    wire.send(request);
    set_may_read(true);
  }

 private:
  mcp::IoResult do_read(std::span<char> into) override {
    const mcp::IoResult result = wire.read(into);
    set_may_read(result.status == mcp::IoStatus::ok && result.size == into.size());
    return result;
  }
  mcp::IoResult do_write(std::span<const char> from) override { return wire.write(from); }
  void do_finish() override {}
  void do_close() override {}
};

/// Hands out each of `clients` once.
class Listener final : public mcp::Listener {
 public:
  explicit Listener(std::span<Connection> clients) : clients_(clients) {}

 private:
  mcp::Connection* do_accept() override {
    if (clients_.empty()) return nullptr;
    mcp::Connection& client = clients_.front();
    clients_ = clients_.subspan(1);
    return &client;
  }
  bool do_has_waiting() override { return !clients_.empty(); }

  std::span<Connection> clients_;
};

/// 0, 1, 2, …
class Entropy final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t> into) override {
    for (std::uint8_t& byte : into) byte = next_++;
    return true;
  }
  std::uint8_t next_ = 0;
};

/// As a main loop does: the transport is polled until there is nothing left to do.
template <class Transport, class Way>
std::string_view ask(Transport& transport, Way& way, std::string_view request) {
  way.send(request);
  while (transport.poll(0) == 0) continue;
  return way.wire.answer();
}

/// Ends the program if this is not a result, or is an error.
inline void expect_result(std::string_view answer) {
  const bool is_result = answer.find("\"result\"") != std::string_view::npos;
  if (is_result && answer.find("\"isError\"") == std::string_view::npos) return;
  static_cast<void>(std::fprintf(stderr, "no result: %.*s\n", static_cast<int>(answer.size()), answer.data()));
  std::exit(1);
}

/// A server over stdio, and its client.
class OverStdio {
 public:
  explicit OverStdio(const mcp::Server& server) : transport_{server, stream_} {}
  OverStdio(const OverStdio&) = delete;
  OverStdio& operator=(const OverStdio&) = delete;
  /// Ends the session, so that its slot is free.
  ~OverStdio() {
    stream_.wire.end();
    while (!transport_.closed()) static_cast<void>(transport_.poll(0));
  }

  void begin_session() {
    expect_result(ask(transport_, stream_, complete(initialize)));
    ask(transport_, stream_, complete(initialized));
  }
  /// Returns the bytes to send for this message.
  static std::string complete(std::string_view json) { return std::string(json) + '\n'; }
  std::string_view operator()(std::string_view request) { return ask(transport_, stream_, request); }

 private:
  Stream stream_;
  mcp::StdioTransport transport_;
};

/// A server over HTTP, and clients of which each has a connection.
template <auto& server_storage, mcp::HttpLimits limits, std::size_t clients = 1>
class OverHttp {
 public:
  explicit OverHttp(const mcp::Server& server)
      : listener_(connections_), transport_{server, listener_, entropy_, storage_, options_} {}

  void begin_session() {
    session_.clear();
    const std::string_view head = (*this)(complete(initialize));
    expect_result(head);
    const std::size_t at = head.find(session_header) + session_header.size();
    session_ = head.substr(at, head.find('\r', at) - at);
    (*this)(complete(initialized));
  }
  [[nodiscard]] std::string complete(std::string_view json) const {
    std::string text(request_lines);
    const bool begins = json == initialize;
    if (!begins) text.append(version_line).append(session_line).append(session_).append("\r\n");
    return text.append(length_line).append(std::to_string(json.size())).append("\r\n\r\n").append(json);
  }
  std::string_view operator()(std::string_view request, std::size_t client = 0) {
    return ask(transport_, connections_[client], request);
  }
  /// All clients send it at the same time.
  void all(std::string_view request) {
    for (Connection& connection : connections_) connection.send(request);
    while (transport_.poll(0) == 0) continue;
    for (const Connection& connection : connections_) expect_result(connection.wire.answer());
  }

 private:
  static constexpr mcp::HttpOptions options_{};
  std::array<Connection, clients> connections_;
  Listener listener_;
  Entropy entropy_;
  mcp::HttpStorage<server_storage, limits> storage_{};
  mcp::HttpTransport transport_;
  std::string session_;
};

}  // namespace bench
