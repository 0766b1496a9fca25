// What the handler of a tool sees of the call, and how it answers. Knows no transport.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/writer.hpp"
#include "mcp/content.hpp"
#include "mcp/errors.hpp"
#include "mcp/text.hpp"

namespace mcp {

struct Tool;
namespace protocol {
class Request;
}

/// The result of a tool call: its content items. Source: server/tools#tool-result, 2025-11-25.
class ToolResult : public Content {
 private:
  friend class Call;
  ToolResult(json::Writer& out, Known known) : Content(out, known) {}
};

/// One call of a tool. Lives on the stack of the server while the handler runs: main loop, must not block.
class Call {
 public:
  /// The result so far.
  [[nodiscard]] ToolResult& result() { return result_; }

  /// Ends the call as failed, with a text (made of pieces, see TextPiece) that tells the model what went wrong and what
  /// it can do. What was written into the result before is dropped. Returns Errc::failed, to be passed on: `return
  /// call.fail("The valve is stuck at ", percent, " %.");`
  template <TextPiece... Pieces>
  Errc fail(Pieces&&... pieces) {
    fail_begin();
    (detail::append_piece(out_, pieces), ...);
    return fail_end();
  }

  /// For the server: a call whose result is written to `out`, from where it stands now.
  Call(json::Writer& out, Content::Known known, protocol::Request* request = nullptr)
      : out_(out), start_(out.mark()), result_(out, known), request_(request) {}
  /// For the server and its decoders: the two ends of fail(), for texts that are made by a loop, written to what the
  /// first returns.
  json::Writer& fail_begin();
  Errc fail_end();
  [[nodiscard]] bool has_failed() const { return has_failed_; }
  /// For tools that are jobs: memory for the state of a new one, or nullptr when there is none and the client was told.
  void* begin_job(const Tool& tool);
  /// The other end: keeps the new job if its arguments were right.
  Errc end_begin_job(Errc errc);

 private:
  json::Writer& out_;
  json::Writer::Mark start_;
  ToolResult result_;
  protocol::Request* request_;
  std::uint16_t job_ = 0;  // index of the job that was begun
  bool has_failed_ = false;
};

}  // namespace mcp
