// SPDX-License-Identifier: Apache-2.0
/// @file
/// Gives the caller to functions that have no Call: of prompts and of the audit.
/// @code
/// mcp::Errc greet(const mcp::PromptArguments&, mcp::PromptResult& out, const mcp::Caller& caller) {
///   return out.user().text("I use ", caller.client_name(), ". Greet me.");
/// }
/// void audit(const mcp::AuditRecord& record, const mcp::Caller& caller) {
///   if (record.outcome == mcp::AuditRecord::Outcome::failed && !caller.request_id().empty()) board::led(100);
/// }
/// constexpr mcp::Limits limits{.client_info_size = 64};  // keeps the name and version of clients with sessions
/// constexpr mcp::Prompt prompts[] = {{.name = "greet", .get = mcp::with_caller<greet>}};
/// constexpr mcp::Definition definition{
///     .name = "door", .version = "1.0.0", .prompts = prompts, .audit = mcp::with_caller<audit>};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <type_traits>

#include "mcp/audit.hpp"
#include "mcp/caller.hpp"
#include "mcp/errors.hpp"
#include "mcp/prompt.hpp"

namespace mcp {

namespace detail {

/// What the server gives to the functions of with_caller(), by their base.
struct CallerRecord : AuditRecord {
  CallerRecord(const AuditRecord& record, const Caller& the_caller) : AuditRecord(record), caller(the_caller) {}
  const Caller& caller;
};
struct CallerPromptResult : PromptResult {
  CallerPromptResult(json::Writer& out, Known known, const Caller& the_caller)
      : PromptResult(out, known), caller(the_caller) {}
  const Caller& caller;
};

template <auto Function>
Errc get_with_caller(const PromptArguments& arguments, PromptResult& out) {
  return Function(arguments, out, static_cast<const CallerPromptResult&>(out).caller);
}

// The transport rejects a token before there is a caller, and gives a plain record.
template <auto Function>
void audit_with_caller(const AuditRecord& record) {
  if (record.outcome == AuditRecord::Outcome::rejected) return Function(record, Caller());
  Function(record, static_cast<const CallerRecord&>(record).caller);
}

template <auto Function>
consteval auto make_with_caller() {
  constexpr bool is_prompt =
      std::is_invocable_r_v<Errc, decltype(Function), const PromptArguments&, PromptResult&, const Caller&>;
  constexpr bool is_audit = std::is_invocable_r_v<void, decltype(Function), const AuditRecord&, const Caller&>;
  static_assert(is_prompt || is_audit,
                "the function of with_caller is Errc(const mcp::PromptArguments&, mcp::PromptResult&, const "
                "mcp::Caller&), or void(const mcp::AuditRecord&, const mcp::Caller&)");
  if constexpr (is_prompt) {
    return PromptWithCaller{get_with_caller<Function>};
  } else {
    return AuditWithCaller{audit_with_caller<Function>};
  }
}

}  // namespace detail

/// A function that also takes the caller, for Prompt::get or Definition::audit: `.get = mcp::with_caller<greet>`,
/// `.audit = mcp::with_caller<audit>`. The function is `Errc(const PromptArguments&, PromptResult&, const Caller&)`, or
/// `void(const AuditRecord&, const Caller&)`. A prompt that sends input requests has AskPromptResult::caller() instead.
/// The caller of an AuditRecord with Outcome::rejected has no principal, no scope and no revision. In the record of the
/// end of a job, has_scope() asserts Limits::job_scopes or Limits::client_info_size.
template <auto Function>
inline constexpr auto with_caller = detail::make_with_caller<Function>();

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
