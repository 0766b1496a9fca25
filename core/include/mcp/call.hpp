// What the handler of a tool sees of the call, and how it answers. Knows no transport.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

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

struct Tool;
namespace protocol {
class Request;
}

/// Something that a user has to do in a browser: sign in, pay, enter a secret. UTF-8, copied when it is asked. Source:
/// client/elicitation#url-mode, 2025-11-25.
struct UrlElicitation {
  std::string_view message = {};  ///< Why, for the user.
  std::string_view url = {};      ///< https. No secrets, nothing of the user, no access without sign-in.
  std::string_view id = {};       ///< Unique; at most 36 bytes when its end is to be told.
};

/// The result of a tool call: its content items. Source: server/tools#tool-result, 2025-11-25.
class ToolResult : public Content {
 private:
  friend class Call;
  friend class SampleMessages;
  ToolResult(json::Writer& out, Known known) : Content(out, known) {}
};

/// The key under which a client finds after how many milliseconds a refused request may succeed: in `_meta` of a result
/// with isError, and in the data of an error. A number, 1 at least; an estimate where nothing better is known.
inline constexpr json::Text retry_after_key = "mote/retryAfterMs";

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

  /// fail(), for a call that found something taken which is free again later: `_meta` of the result then has
  /// `retry_after_key` with this number of milliseconds (1 at least). `return call.busy(500, "The motor is moving.");`
  template <TextPiece... Pieces>
  Errc busy(Millis retry_after_ms, Pieces&&... pieces) {
    fail_begin();
    (detail::append_piece(out_, pieces), ...);
    return busy_end(retry_after_ms);
  }

  /// Ends the call because the user has to open URLs first. Return its result from the handler, or pass it to done().
  /// A client with a session gets the error -32042 with all URLs, and retries the call after
  /// Server::elicitation_completed. A stateless client gets the URLs as input requests with the keys "url1", "url2"…,
  /// and retries the call when its user has agreed to open them: check again whether they are done. If the user has
  /// declined, the retry of a plain tool fails with a text that says so.
  /// A client that cannot open URLs gets what needs_client() says; a stateless task fails. For a tool with
  /// `.knows_client`, or beside a job that asks. Source: client/elicitation#url-elicitation-required-error, 2025-11-25;
  /// basic/patterns/mrtr, 2026-07-28.
  Errc needs_urls(std::span<const UrlElicitation> urls);

  /// What the client has declared that it can do. For a tool with `.knows_client`, or beside a job
  /// that asks; else false.
  [[nodiscard]] bool client_can(ClientCapability capability) const;

  /// Errc::ok when the client has declared this (see client_can). Otherwise ends the call, and what it returns must be
  /// passed on: a client without a session gets the error -32021 that says what it needs, one with a session a failed
  /// result. Source: basic/index#_meta, 2026-07-28.
  Errc needs_client(ClientCapability capability);

  /// Answers with the values of a struct, as its table says: as a text item with the JSON, for models, and as
  /// structuredContent for clients of revision 2025-06-18 and later. Once, behind all other content. A value that the
  /// table does not allow (out of its bounds, a choice that is none, NaN) is never sent: the call then fails with a
  /// text that names the member. For tools with an output(); a handler that takes the struct need not call it. Source:
  /// server/tools#structured-content, 2025-11-25.
  template <class S, std::size_t N>
  Errc structured(const Output<S, N>& output, const std::type_identity_t<S>& value) {
    return structured(std::span<const detail::ParamInfo>(output.rows), &value);
  }

  /// Gives the result a `_meta`: `write` gets a json::Writer& and writes members, keys as mcp::Meta has them. Once, as
  /// the last thing, behind all content and structured(); not for calls that failed.
  /// `return call.meta([&](mcp::json::Writer& out) { out.member("com.example/bus", 2); });`
  template <std::invocable<json::Writer&> Write>
  Errc meta(Write&& write) {
    write(meta_begin());
    return meta_end();
  }

  /// Whose call this is: for applications that keep something for each client. Clients without a session share one over
  /// HTTP.
  [[nodiscard]] SessionId session() const { return session_; }

  /// For the server: a call whose result was begun in `response`, up to its first content item.
  Call(rpc::Response& response, Content::Known known, SessionId session, protocol::Request* request = nullptr)
      : out_(response.out),
        response_(response),
        start_(response.out.mark()),
        known_(known),
        result_(response.out, known),
        request_(request),
        session_(session) {}
  /// For the server and its decoders: the two ends of fail(), for texts that are made by a loop, written to what the
  /// first returns.
  json::Writer& fail_begin();
  Errc fail_end();
  /// For the server: the other end of busy().
  Errc busy_end(Millis retry_after_ms);
  [[nodiscard]] bool has_failed() const { return (state_ & failed) != 0; }
  /// For the server: structured() for the rows of any table, and what it is made of.
  Errc structured(std::span<const detail::ParamInfo> rows, const void* value);
  [[nodiscard]] bool has_structured() const { return (state_ & with_structured) != 0; }
  [[nodiscard]] json::Writer& writer() { return out_; }
  /// For the server: the bracket of the content is written already.
  [[nodiscard]] bool is_closed() const { return (state_ & closed) != 0; }
  /// For the server: there is a `_meta`, and its brace is the last that was written.
  [[nodiscard]] bool has_meta() const { return (state_ & with_meta) != 0; }
  /// For the server: the request of a call that is not a step of a job.
  [[nodiscard]] protocol::Request& request() const { return *request_; }

 private:
  enum : std::uint8_t { failed = 1, closed = 2, with_structured = 4, with_meta = 8 };  // bits of state_
  [[nodiscard]] bool refuses_urls() const;
  Errc ask_for_urls(std::span<const UrlElicitation> urls);
  void close();
  json::Writer& meta_begin();
  Errc meta_end();

 protected:
  json::Writer& out_;
  rpc::Response& response_;
  json::Writer::Mark start_;
  Content::Known known_;

 private:
  ToolResult result_;
  protocol::Request* request_;
  SessionId session_;
  std::uint8_t state_ = 0;
};

}  // namespace mcp
