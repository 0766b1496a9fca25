// SPDX-License-Identifier: Apache-2.0
/// @file
/// One call of a tool: its result, its error, and its client.
/// @code
/// mcp::Errc move(mcp::Call& call) {
///   if (board::motor_stuck()) return call.fail("The motor is stuck. Remove the obstacle and call move again.");
///   if (board::motor_runs()) return call.busy(500, "The motor moves already.");
///   board::start_motor();
///   return call.result().text("The motor moves.");
/// }
/// constexpr mcp::Tool tools[] = {mcp::tool<move>({.name = "move"})};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "mcp/caller.hpp"
#include "mcp/client.hpp"
#include "mcp/content.hpp"
#include "mcp/errors.hpp"
#include "mcp/feature_flags.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/params.hpp"
#include "mcp/port.hpp"
#include "mcp/rpc/response.hpp"
#include "mcp/text_pieces.hpp"

namespace mcp {

class JobRunner;
struct Tool;
namespace protocol {
class Request;
}

/// A page that the user opens in a browser: to sign in, pay, or enter a secret.
/// Lifetime: the strings (UTF-8) are copied when the input request is sent. Source: client/elicitation#url-mode,
/// 2025-11-25.
struct UrlElicitation {
  std::string_view message = {};  ///< The reason, for the user.
  std::string_view url = {};      ///< An https: URL without secrets and personal data. The page requires a sign-in.
  std::string_view id = {};       ///< Unique. At most 36 bytes if Server::elicitation_completed() is used.
};

/// The result of a tool call: content items. Source: server/tools#tool-result, 2025-11-25.
class ToolResult : public Content {
 private:
  friend class Call;
  friend class SampleMessages;
  ToolResult(json::Writer& out, Known known) : Content(out, known) {}
};

/// The member that says after how many milliseconds a client should retry a rejected request: in `_meta` of a result
/// with isError, and in the data of an error. The value is at least 1, and may be an estimate.
inline constexpr json::Text retry_after_key = "mote/retryAfterMs";

/// One call of a tool. Lifetime: valid until the handler returns. Context: main loop; the handler must not block.
class Call {
 public:
  /// Returns the result, to which the handler adds content.
  [[nodiscard]] ToolResult& result() { return result_; }

  /// Ends the call as failed, with an error message for the model: what is wrong and what to do. The message is made of
  /// pieces (see TextPiece). Content written before is discarded. Returns Errc::failed, which the handler returns:
  /// `return call.fail("The valve is stuck at ", percent, " %.");`
  template <TextPiece... Pieces>
  Errc fail(Pieces&&... pieces) {
    fail_begin();
    (detail::append_piece(out_, pieces), ...);
    return fail_end();
  }

  /// Ends the call as failed because something is busy. The result has `retry_after_key` in its `_meta`.
  /// `retry_after_ms` is the time in milliseconds after which the client should retry, at least 1. The message is made
  /// of pieces. The handler returns the returned value: `return call.busy(500, "The motor moves.");`
  template <TextPiece... Pieces>
  Errc busy(Millis retry_after_ms, Pieces&&... pieces) {
    fail_begin();
    (detail::append_piece(out_, pieces), ...);
    return busy_end(retry_after_ms);
  }

  /// Ends the call because the user must open URLs first. The handler returns the returned value, a job passes it to
  /// done(). A client with a session gets the error -32042 with all URLs, and retries the call after
  /// Server::elicitation_completed(). A stateless client gets the URLs as input requests with the keys "url1", "url2"….
  /// It retries the call when its user has agreed to open them. The handler then checks again whether the user is
  /// done. If the user has declined, the retry of a plain tool fails with an error that says so.
  /// Limits: for a tool with `.knows_client`, or if a tool is a job that sends input requests.
  /// Errors: a client that cannot open URLs gets the error of needs_client(). A stateless task fails.
  /// Source: client/elicitation#url-elicitation-required-error, 2025-11-25; basic/patterns/mrtr, 2026-07-28.
  Errc needs_urls(std::span<const UrlElicitation> urls);

  /// Returns whether the client has declared this capability.
  /// Limits: for a tool with `.knows_client`, or if a tool is a job that sends input requests; else it returns false.
  [[nodiscard]] bool client_can(ClientCapability capability) const;

  /// Returns Errc::ok if the client has declared this capability (see client_can()). Otherwise ends the call, and the
  /// handler returns the returned value. Errors: a stateless client gets the error -32021, which names the capability.
  /// A client with a session gets a failed result. Source: basic/index#_meta, 2026-07-28.
  Errc needs_client(ClientCapability capability);

  /// Adds the values of a struct, as its table describes them: as a text item with the JSON, and as structuredContent
  /// for clients of revision 2025-06-18 and later. For tools with an output(). A handler that takes the struct does not
  /// call it. Limits: call it once, after all other content.
  /// Errors: a value that the table does not allow (out of bounds, an invalid choice, NaN) is never sent. The call
  /// fails with an error that names the member. Source: server/tools#structured-content, 2025-11-25.
  template <class S, std::size_t N>
  Errc structured(const Output<S, N>& output, const std::type_identity_t<S>& value) {
    return structured(std::span<const detail::ParamInfo>(output.rows), &value);
  }

  /// Adds one JSON value that `write` writes to a json::Writer&: as a text item, and as structuredContent. For tools
  /// with an OutputSchema, which the value must match; it is not checked. An object goes to clients of revision
  /// 2025-06-18 and later, another value to those of 2026-07-28. The function is called twice, and must write the same
  /// each time. Limits: call it once, after all other content. `return call.structured([&](mcp::json::Writer& out) {
  /// out.object_begin(); …; out.object_end(); });`
  template <std::invocable<json::Writer&> Write>
  Errc structured(Write&& write) {
    const char* const begin = structured_begin();
    write(out_);
    if (structured_again(begin)) write(out_);
    return structured_end();
  }

  /// Adds a `_meta` to the result. `write` gets a json::Writer& and writes members; their keys follow the rules of
  /// mcp::Meta. Limits: call it once, after all content and structured(), and not for a failed call.
  /// `return call.meta([&](mcp::json::Writer& out) { out.member("com.example/bus", 2); });`
  template <std::invocable<json::Writer&> Write>
  Errc meta(Write&& write) {
    write(meta_begin());
    return meta_end();
  }

  /// Returns the session of the call, for applications that store data per client. Stateless requests over HTTP share
  /// one session.
  [[nodiscard]] SessionId session() const { return session_; }

  /// Returns the number of the found tool that is called, for the handler of a kind (FoundTools::kinds); else
  /// no_number. The steps of a job find it in their state (see job()).
  [[nodiscard]] std::uint16_t row() const;

  /// Returns who is calling: principal, scopes, client, revision, request id and `_meta`. Lifetime: valid until the
  /// handler or the step returns. Limits: a job knows less of its caller, see Caller.
  [[nodiscard]] Caller caller() const;

  /// @cond server
  /// A call whose result was begun in `response`, up to its first content item.
  Call(rpc::Response& response, Content::Known known, SessionId session, protocol::Request* request = nullptr)
      : out_(response.out),
        response_(response),
        start_(response.out.mark()),
        known_(known),
        result_(response.out, known),
        request_(request),
        session_(session) {}
  /// The two ends of fail(), for error messages that a loop writes to the returned writer.
  json::Writer& fail_begin();
  Errc fail_end();
  /// The other end of busy().
  Errc busy_end(Millis retry_after_ms);
  [[nodiscard]] bool has_failed() const { return (state_ & failed) != 0; }
  /// structured() for the rows of any table, and its parts.
  Errc structured(std::span<const detail::ParamInfo> rows, const void* value);
  /// structured() for an output that is one value.
  Errc structured(const detail::ParamInfo& row, const void* value);
  [[nodiscard]] bool has_structured() const { return (state_ & with_structured) != 0; }
  [[nodiscard]] json::Writer& writer() { return out_; }
  /// The bracket of the content is written already.
  [[nodiscard]] bool is_closed() const { return (state_ & closed) != 0; }
  /// There is a `_meta`, and its brace is the last byte written.
  [[nodiscard]] bool has_meta() const { return (state_ & with_meta) != 0; }
  /// For the server: the request of a call that is not a step of a job.
  [[nodiscard]] protocol::Request& request() const { return *request_; }
  /// @endcond

 private:
  friend class JobRunner;
  enum : std::uint8_t { failed = 1, closed = 2, with_structured = 4, with_meta = 8 };  // bits of state_
  [[nodiscard]] bool refuses_urls() const;
  Errc ask_for_urls(std::span<const UrlElicitation> urls);
  void close();
  // The parts of structured() around its value. structured_begin() returns where the value begins, and
  // structured_again() whether it must be written once more.
  const char* structured_begin();
  bool structured_again(const char* begin);
  Errc structured_end();
  json::Writer& meta_begin();
  Errc meta_end();

 protected:
  /// @cond server
  json::Writer& out_;
  rpc::Response& response_;
  json::Writer::Mark start_;
  Content::Known known_;
  /// @endcond

 private:
  ToolResult result_;
  protocol::Request* request_;
  SessionId session_;
  std::uint8_t state_ = 0;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
