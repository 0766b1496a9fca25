// What the handler of a tool sees of the call, and how it answers. Knows no transport.
#pragma once

#include <string_view>

#include "json/writer.hpp"
#include "mcp/errors.hpp"
#include "mcp/text.hpp"

namespace mcp {

/// The result of a tool call: content items, written straight into the outgoing message, in the order of the calls.
/// Every function answers Errc::no_space when the message has no room left; the client then gets an error instead of the
/// result. Source: server/tools#tool-result, 2025-11-25.
class ToolResult {
 public:
  /// Adds a text item, made of pieces (see TextPiece). Bytes that are not UTF-8 become U+FFFD.
  template <TextPiece... Pieces>
  Errc text(Pieces&&... pieces) {
    text_begin();
    (detail::append_piece(out_, pieces), ...);
    return text_end();
  }

 private:
  friend class Call;
  explicit ToolResult(json::Writer& out) : out_(out) {}
  void text_begin();
  Errc text_end();

  json::Writer& out_;
};

/// One call of a tool. Lives on the stack of the server while the handler runs: main loop, must not block.
class Call {
 public:
  /// The result so far.
  [[nodiscard]] ToolResult& result() { return result_; }

  /// Ends the call as failed, with a text (made of pieces, see TextPiece) that tells the model what went wrong and what it
  /// can do. What was written into the result before is dropped. Returns Errc::failed, to be passed on:
  /// `return call.fail("The valve is stuck at ", percent, " %.");`
  template <TextPiece... Pieces>
  Errc fail(Pieces&&... pieces) {
    fail_begin();
    (detail::append_piece(out_, pieces), ...);
    return fail_end();
  }

  /// For the server: a call whose result is written to `out`, from where it stands now.
  explicit Call(json::Writer& out) : out_(out), start_(out.mark()), result_(out) {}
  /// For the server and its decoders: the two ends of fail(), for texts that are made by a loop, written to what the first
  /// returns.
  json::Writer& fail_begin();
  Errc fail_end();
  [[nodiscard]] bool has_failed() const { return has_failed_; }

 private:
  json::Writer& out_;
  json::Writer::Mark start_;
  ToolResult result_;
  bool has_failed_ = false;
};

}  // namespace mcp
