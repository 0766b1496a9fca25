// SPDX-License-Identifier: Apache-2.0
// The answer to one JSON-RPC request, written into a window: a result or an error, never half of one. Knows no method.
#pragma once

#include <string_view>

#include "mcp/json/writer.hpp"

namespace mcp::rpc {

/// What a protocol puts into the `_meta` of every result. Without a function, results have neither it nor a
/// `resultType`.
struct ResultMeta {
  /// Writes members, the first of them too.
  void (*write)(json::Writer& out, const void* context) = nullptr;
  const void* context = nullptr;
};

/// Writes one answer. Source: JSON-RPC 2.0 section 5; an id that could not be read is left out, as MCP's schema wants
/// it.
class Response {
 public:
  /// `id` as it stands in the request, or empty; it must stay until the answer is written.
  Response(json::Writer& transmit_buffer, const std::string_view& id, const ResultMeta& meta = {})
      : out(transmit_buffer), id_(id), start_(transmit_buffer.mark()), meta_(meta) {}

  /// Begins a result, in place of whatever was written: up to the result object's brace. Its members follow, written to
  /// `out`. Where results have a `resultType`, it is "complete".
  void result_begin();
  /// The same with what the result begins with: `head` is `"result":{` and that.
  void result_begin_with(json::Text head);
  /// The same with another `resultType`.
  void result_begin_as(const char* type);
  /// The same for a result that asks the client for input: a `resultType` of "input_required".
  void input_required_begin();
  /// Begins its `_meta`, once: up to the brace. Members follow, and a brace.
  void meta_begin();
  /// Writes the `_meta` that results have anyhow, if they have one: now, where what follows fills the rest of the
  /// window; without it, result_end() does so.
  void write_meta();
  /// Ends the result. False when it did not fit; an error must then be written.
  [[nodiscard]] bool result_end();

  /// For a caller that removes the `_meta` that it wrote, and what stands behind it.
  void forget_meta() { has_meta_ = false; }

  /// Takes back whatever was written.
  void discard() { out.rollback(start_); }

  /// Begins an error, in place of whatever was written: up to the opening quote of its message, which is appended to
  /// `out`.
  void error_begin(int code);
  /// Ends the message and the error. When it did not fit, a short one goes out under the same code.
  void error_end();
  /// A whole error, all of whose message is this.
  void fail(int code, const char* message);
  /// Ends the message and begins the error's data, a value that is written to `out`; then error_data_end(). False when
  /// it did not fit; another error must then be written.
  void error_data_begin();
  [[nodiscard]] bool error_data_end();

  json::Writer& out;

  /// The code of the error that was written last; 0 for a result.
  [[nodiscard]] int code() const { return code_; }

  /// True when the result that was begun last asks the client for input.
  [[nodiscard]] bool asks() const { return asks_; }

  /// The code of an error that other code has written.
  void answered_with(int code) { code_ = code; }

  /// The id as it came.
  [[nodiscard]] std::string_view id() const { return id_; }

 private:
  void begin();
  bool end();

  std::string_view id_;
  json::Writer::Mark start_;
  ResultMeta meta_;
  int code_ = 0;
  bool has_meta_ = false;
  bool asks_ = false;
};

}  // namespace mcp::rpc
