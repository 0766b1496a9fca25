// Prompts that ask their client before they answer. Knows no transport. Source: basic/patterns/mrtr, 2026-07-28.
#pragma once

#include <span>

#include "mcp/input_request.hpp"
#include "mcp/json/value.hpp"
#include "mcp/prompt.hpp"

namespace mcp {

namespace protocol {
class Request;
}

/// What a prompt that may ask writes into: its handler takes this instead of a PromptResult. It keeps nothing between
/// its requests: it looks for an answer, and asks when there is none. `const mcp::Answer who = out.answer("who");`
/// `if (who.outcome() == mcp::Outcome::none) return out.as("who").elicit(form, "Who are you?");`
///
/// Only clients without a session (2026-07-28) can be asked; to others all answers are Outcome::unsupported, and
/// asking them ends in an error.
class AskPromptResult : public PromptResult {
 public:
  /// What the client found out under this key; Outcome::none before it was asked, or when the client does not declare
  /// the capability for such an answer. Without Prompt::asks_itself, a client that knows the key may bring an answer
  /// that was never asked for; with it, only answers to what the prompt has asked in the response before count.
  [[nodiscard]] Answer answer(json::Text key) const;

  /// The key of the question that follows: a literal. Without it, "answer".
  AskPromptResult& as(json::Text key) {
    asker_.name(key);
    return *this;
  }

  /// The questions of AskContext; four at most. What they return is to be passed on.
  template <TextPiece... Pieces>
  Errc elicit(const Form& form, Pieces&&... message) {
    if (asker_.form_begin(form)) {
      (detail::append_piece(asker_.out(), message), ...);
      asker_.form_end(form);
    }
    return Errc::handled;
  }
  Errc elicit_url(const UrlElicitation& question) {
    asker_.url(question);
    return Errc::handled;
  }
  template <class Write>
  Errc sample(const Sampling& sampling, Write&& write) {
    if (asker_.sample_begin(sampling)) {
      SampleMessages messages(asker_.out(), known());
      write(messages);
      asker_.sample_end(sampling);
    }
    return Errc::handled;
  }
  Errc list_roots() {
    asker_.roots();
    return Errc::handled;
  }

  /// Reads what the user filled in. Errc::invalid_argument when it breaks the table.
  template <class S, std::size_t N>
  Errc read_form(const Answer& filled, const Params<S, N>& table, S& into) {
    return read_rows(filled, {table.rows, N}, &into);
  }

  /// For the server.
  AskPromptResult(protocol::Request& request, json::Value responses, const detail::PendingInputs* answered);
  [[nodiscard]] const InputRequestWriter& asker() const { return asker_; }
  [[nodiscard]] const detail::PendingInputs& asked() const { return asked_; }

 private:
  Errc read_rows(const Answer& filled, std::span<const detail::ParamInfo> rows, void* into);

  protocol::Request& request_;
  json::Value responses_;
  const detail::PendingInputs* answered_;  // that were asked in the response before; nullptr: any answer counts
  detail::PendingInputs asked_;
  InputRequestWriter asker_;
};

}  // namespace mcp
