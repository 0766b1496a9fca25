// SPDX-License-Identifier: Apache-2.0
// The response to one JSON-RPC request, written into a transmit buffer. It is a complete result or a complete error.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <string_view>

#include "mcp/json/writer.hpp"

namespace mcp::rpc {

/// Writes the members of `_meta` that all results of a protocol have. Without a function, results have no `_meta` and
/// no `resultType`.
struct ResultMeta {
  /// Writes the members, including the first one.
  void (*write)(json::Writer& out, const void* context) = nullptr;
  const void* context = nullptr;
};

/// Writes one response. An unreadable id is left out, as the schema of MCP requires. Source: JSON-RPC 2.0 section 5.
class Response {
 public:
  /// `id` has the bytes of the request, or is empty. Lifetime: `id` must stay valid until the response is written.
  Response(json::Writer& transmit_buffer, const std::string_view& id, const ResultMeta& meta = {})
      : out(transmit_buffer), id_(id), start_(transmit_buffer.mark()), meta_(meta) {}

  /// Sets another function that writes the members of `_meta`. Call it before the result begins.
  void write_meta_by(void (*write)(json::Writer& out, const void* context)) { meta_.write = write; }

  /// Begins a result, up to the brace of the result object. The caller writes the members to `out`. Replaces earlier
  /// output. If results have a `resultType`, it is "complete".
  void result_begin();
  /// Begins a result with `head`, which is `"result":{` and the first members.
  void result_begin_with(json::Text head);
  /// Begins a result with another `resultType`.
  void result_begin_as(const char* type);
  /// Begins a result with input requests, whose `resultType` is "input_required".
  void input_required_begin();
  /// Begins `_meta`, up to its brace. The caller writes further members and the closing brace. Call it at most once.
  void meta_begin();
  /// Writes the `_meta` of each result now, if there is one. Call it if the members that follow may fill the buffer.
  /// Without this call, result_end() writes the `_meta`.
  void write_meta();
  /// Ends the result. Errors: returns false if the result did not fit. The caller must then write an error.
  [[nodiscard]] bool result_end();

  /// Call it after removing the written `_meta` and all output after it.
  void forget_meta() { has_meta_ = false; }

  /// Removes all output.
  void discard() { out.rollback(start_); }

  /// Begins an error, up to the opening quote of its message. The caller appends the message to `out`. Replaces earlier
  /// output.
  void error_begin(int code);
  /// Ends the message and the error. Errors: a short error with the same code replaces an error that did not fit.
  void error_end();
  /// Writes a complete error with this message.
  void fail(int code, const char* message);
  /// Ends the message and begins the data of the error. The caller writes a value to `out`, and calls error_data_end().
  /// Errors: error_data_end() returns false if the error did not fit. The caller must then write another error.
  void error_data_begin();
  [[nodiscard]] bool error_data_end();

  json::Writer& out;

  /// Returns the code of the last error; 0 for a result.
  [[nodiscard]] int code() const { return code_; }

  /// True if the last result has input requests.
  [[nodiscard]] bool asks() const { return asks_; }

  /// True if the response is complete without the content of a handler: an error, or a result with input requests.
  [[nodiscard]] bool needs_no_content() const { return code_ != 0 || asks_; }

  /// Sets the code of an error that other code has written.
  void answered_with(int code) { code_ = code; }

  /// Returns the id as in the request.
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

#include <mcp/detail/epilogue.hpp>
