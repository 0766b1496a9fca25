// SPDX-License-Identifier: Apache-2.0
// MCP over TCP, one message per line, one client at a time. It is written against mcp/transport.hpp and mcp/port.hpp.
#pragma once

#include <mcp/transport.hpp>

#include <algorithm>
#include <cstring>

/// Serves one client after the other. Lifetime: both arguments must outlive the transport. Context: main loop.
class LineTransport {
 public:
  LineTransport(const mcp::Server& server, mcp::Listener& listener) : server_(server), listener_(listener) {}

  /// Does all pending work. Returns the time in milliseconds until the next call, if the network has no event before.
  mcp::Millis poll(mcp::Millis now) {
    for (int i = 0; i < 32; ++i) {
      if (step(now)) continue;
      if (client_ == nullptr || !output_.empty()) return mcp::forever;  // until a client comes, or takes bytes
      const mcp::Millis due = server_.poll(now);
      if (due != 0) return due;
    }
    return 0;
  }

 private:
  // Makes one step. False if there is none before the next event.
  bool step(mcp::Millis now) {
    if (client_ == nullptr) return accept(now);
    if (!output_.empty()) return flush(now);
    if (is_unfinished_) return speak(now);
    // By turns: neither a client that sends without a pause nor a job with constant progress keeps the other one out.
    is_turn_of_server_ = !is_turn_of_server_;
    return (is_turn_of_server_ && speak(now)) || take_line(now) || read(now) || speak(now);
  }

  bool accept(mcp::Millis now) {
    client_ = listener_.accept();
    if (client_ != nullptr) session_ = server_.open(now);
    return client_ != nullptr;
  }

  void leave(mcp::Millis now) {
    server_.close(session_, now);
    client_->close();
    client_ = nullptr;
    received_ = 0;
    output_ = {};
    is_unfinished_ = is_too_long_ = false;
    finder_ = {};
  }

  bool flush(mcp::Millis now) {
    const mcp::IoResult result = client_->write(output_);
    if (result.status == mcp::IoStatus::would_block) return false;
    output_ = output_.subspan(result.size);
    if (result.status != mcp::IoStatus::ok) leave(now);
    return true;
  }

  bool read(mcp::Millis now) {
    const mcp::IoResult result = client_->read(server_.receive_buffer().subspan(received_));
    if (result.status == mcp::IoStatus::would_block) return false;
    received_ += result.size;
    if (result.status != mcp::IoStatus::ok) leave(now);
    return true;
  }

  // Takes a line, or what fills the receive buffer without a line end. False if neither is there.
  bool take_line(mcp::Millis now) {
    const std::span<char> buffer = server_.receive_buffer();
    const char* const line_end = std::find(buffer.data(), buffer.data() + received_, '\n');
    const auto size = static_cast<std::size_t>(line_end - buffer.data());
    const bool is_complete = size != received_;
    if (!is_complete && received_ != buffer.size()) return false;
    take(buffer.first(size), is_complete, now);
    if (client_ == nullptr) return true;
    const std::size_t used = is_complete ? size + 1 : size;
    received_ -= used;
    std::memmove(buffer.data(), buffer.data() + used, received_);
    return true;
  }

  void take(std::span<char> line, bool is_complete, mcp::Millis now) {
    while (is_complete && !line.empty() && line.back() == '\r') line = line.first(line.size() - 1);
    if (is_complete && !is_too_long_ && line.size() <= server_.receive_size()) {
      if (!line.empty()) send(server_.receive(session_, line, server_.transmit_buffer(), now), now);
      return;
    }
    finder_.feed({line.data(), line.size()});
    is_too_long_ = !is_complete;
    if (!is_complete) return;
    send(server_.receive_oversized(session_, finder_, server_.transmit_buffer(), now), now);
    finder_ = {};
  }

  // False if the server has nothing to send.
  bool speak(mcp::Millis now) {
    const mcp::Reply reply = server_.transmit(session_, server_.transmit_buffer(), now);
    send(reply, now);
    return reply.status != mcp::Reply::Status::none;
  }

  void send(const mcp::Reply& reply, mcp::Millis now) {
    using Status = mcp::Reply::Status;
    if (reply.status == Status::no_session) return leave(now);
    if (reply.status == Status::none) return;
    is_unfinished_ = reply.status == Status::part || reply.status == Status::broken;
    // A broken message ends early, so that it is no JSON. Each log message of `logged` has its line end already.
    const bool ends = reply.status != Status::part;
    char* const text = server_.transmit_buffer().data();
    if (ends) text[reply.size] = '\n';
    output_ = {text, reply.size + (ends ? 1 : 0)};
  }

  const mcp::Server& server_;
  mcp::Listener& listener_;
  mcp::Connection* client_ = nullptr;
  mcp::SessionId session_;
  std::size_t received_ = 0;       // bytes in the receive buffer
  std::span<const char> output_;   // what the client has not taken yet
  bool is_unfinished_ = false;     // the server continues its last message, or explains its end
  bool is_too_long_ = false;       // the begin of the line is gone
  bool is_turn_of_server_ = false;
  mcp::rpc::IdFinder finder_;      // of a line that is too long
};
