// SPDX-License-Identifier: Apache-2.0
/// @file
/// Prompts that send input requests. Source: basic/patterns/mrtr, 2026-07-28.
/// @code
/// struct Person { mcp::FixedString<20> name; };
/// constexpr auto person = mcp::params(mcp::param<&Person::name>("name"));
/// mcp::Errc greet(const mcp::PromptArguments&, mcp::AskPromptResult& out) {
///   const mcp::Answer who = out.answer("who");
///   if (who.outcome() == mcp::Outcome::none) return out.key("who").elicit(person, "Who are you?");
///   if (who.outcome() != mcp::Outcome::accepted) return out.fail_input(who);
///   Person filled{};
///   if (const mcp::Errc errc = out.read_form(who, person, filled); errc != mcp::Errc::ok) return errc;
///   return out.user().text("I am ", filled.name, ".");
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <span>

#include "mcp/caller.hpp"
#include "mcp/input_request.hpp"
#include "mcp/json/value.hpp"
#include "mcp/prompt.hpp"

namespace mcp {

namespace protocol {
class Request;
struct UnsupportedKeys;
}  // namespace protocol

/// The result of a prompt that may send input requests: its handler takes this instead of a PromptResult. The server
/// stores nothing between the requests of the client. So the handler reads the input response, and sends the input
/// request if there is none: `const mcp::Answer who = out.answer("who");`
/// `if (who.outcome() == mcp::Outcome::none) return out.key("who").elicit(form, "Who are you?");`
///
/// Limits: 4 input requests at once. Only stateless clients (2026-07-28) can get them. For sessions, each outcome is
/// Outcome::unsupported, and an input request becomes an error. If a stateless client has not declared the capability
/// for all input requests of a run, the handler runs again at once, and the outcome of their keys is
/// Outcome::unsupported. The client gets the error -32021 only if the handler then requests the same again.
class AskPromptResult : public PromptResult, public InputRequests<AskPromptResult, Errc> {
 public:
  /// Returns the response with this key. Outcome::none: the input request was not sent. Outcome::unsupported: the
  /// client does not declare the capability. Without Prompt::asks_itself, a client that knows the key may send a
  /// response to an input request that the server never sent. With it, only responses to input requests of the previous
  /// result count.
  [[nodiscard]] Answer answer(json::Text key = "answer") const;

  /// Returns who is calling. See Call::caller. Lifetime: valid until the handler returns.
  [[nodiscard]] Caller caller() const;

  /// @cond server
  /// For InputRequests.
  [[nodiscard]] InputRequestWriter& input_writer() { return writer_; }
  [[nodiscard]] Errc sent() const { return Errc::handled; }
  json::Writer& fail_begin();
  Errc fail_end();
  Errc read_rows(const Answer& filled, std::span<const detail::ParamInfo> rows, void* into);

  AskPromptResult(protocol::Request& request, json::Value responses, const detail::PendingInputs* answered,
                  const protocol::UnsupportedKeys& unsupported);
  [[nodiscard]] const detail::PendingInputs& asked() const { return asked_; }
  [[nodiscard]] bool has_failed() const { return has_failed_; }
  /// @endcond

 private:
  protocol::Request& request_;
  json::Value responses_;
  const detail::PendingInputs* answered_;  // that were asked in the response before; nullptr: any answer counts
  const protocol::UnsupportedKeys& unsupported_;
  detail::PendingInputs asked_;
  InputRequestWriter writer_;
  bool has_failed_ = false;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
