// SPDX-License-Identifier: Apache-2.0
/// @file
/// The caller of a request: its principal, scopes, client, revision, id and `_meta`.
/// @code
/// mcp::Errc unlock(mcp::Call& call) {
///   const mcp::Caller caller = call.caller();
///   if (!caller.has_scope("door:write")) return call.fail("This token may not unlock the door.");
///   if (caller.meta("com.example/room").equals("cellar")) return call.fail("The cellar has no door.");
///   return call.result().text("Unlocked for ", caller.client_name(), " ", caller.client_version(), ".");
/// }
/// constexpr mcp::Tool tools[] = {mcp::tool<unlock>({.name = "unlock"})};
/// constexpr std::string_view scopes[] = {"door:write"};
/// constexpr mcp::Limits limits{.client_info_size = 64};  // keeps the name and version of clients with sessions
/// constexpr mcp::Definition definition{.name = "door", .version = "1.0.0", .tools = tools, .scopes = scopes};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <string_view>

#include "mcp/json/text.hpp"
#include "mcp/json/value.hpp"
#include "mcp/scopes.hpp"

namespace mcp {

struct Definition;
namespace detail {
struct Job;
struct StoredCaller;
}  // namespace detail
namespace protocol {
class Request;
struct SendContext;
}  // namespace protocol

/// The caller of a request. Get it from caller() of a Call (and so of a JobContext), a CoroutineContext, a ReadResult,
/// a ReadContext, an AskPromptResult or a MethodCall. Other functions get it by with_caller(). It cannot be copied, so
/// no job can store it. Call caller() again in the next step.
///
/// Lifetime: valid until the handler, the step, or the function of with_caller() returns; in a coroutine until the next
/// co_await. To use the bytes of a view after that, copy them.
///
/// A job outlives its request. The server stores principal(), revision() and request_id() for it. With
/// Limits::job_scopes, it also stores has_scope(), and with Limits::client_info_size client_name() and
/// client_version(). If a stateless client retries the call to continue a job, the job has the caller of the retry.
///
/// In a scheduled call (mcp/schedule.hpp), only principal() and has_scope() are known. They are from the request that
/// scheduled the call.
class Caller {
 public:
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;
  /// Not defaulted, so that a struct with a Caller is not trivially copyable. A job must be trivially copyable.
  ~Caller() {}  // NOLINT(modernize-use-equals-default): it would be trivial

  /// Returns TransportInfo::principal of the request, the user of the token. Returns 0 without a token, as on a UART
  /// and on stdio.
  [[nodiscard]] std::uint64_t principal() const { return principal_; }

  /// Returns whether the token of the request grants a scope, one of Definition::scopes. Without tokens (on a UART and
  /// on stdio, and over HTTP without an Authorizer) a caller has all of them. False for a name that is not in the
  /// Definition. Errors: in a job, asserts Limits::job_scopes or Limits::client_info_size.
  [[nodiscard]] bool has_scope(std::string_view name) const;

  /// Returns the name of the client, UTF-8. The client states it, and nothing proves it. A stateless client
  /// (2026-07-28) gives it in the `_meta` of each request, as `io.modelcontextprotocol/clientInfo`. A client with a
  /// session (2025-11-25 and earlier) gives it in `initialize` only, so the server stores it.
  /// Limits: empty in sessions and in jobs if Limits::client_info_size is 0 or the name does not fit. Empty if the
  /// client gives no name. Source: schema 2026-07-28, RequestMetaObject; basic/lifecycle#initialization, 2025-11-25.
  [[nodiscard]] std::string_view client_name() const;

  /// Returns the version of the client, as client_name(). Limits: Limits::client_info_size holds the name first, then
  /// the version.
  [[nodiscard]] std::string_view client_version() const;

  /// Returns the revision of the session or of the stateless request, such as "2025-11-25". Empty before `initialize`,
  /// and in a scheduled call. Lifetime: the string lives as long as the program.
  [[nodiscard]] std::string_view revision() const { return revision_; }

  /// Returns the id of the request as JSON: `7`, or `"a"` with its quotes. Empty in a notification, in a scheduled
  /// call, and in a job of a task, whose call has already got its response.
  [[nodiscard]] std::string_view request_id() const { return request_id_; }

  /// Returns a member of `_meta` of the request, such as `meta("com.example/room")`. Returns a missing value if there
  /// is no such member, and in a job, because a job outlives the bytes of its request. List the key in
  /// ServerExtras::meta_keys, because toolchains/attach may leave out members that the device does not list. Source:
  /// basic/index#_meta, 2025-11-25.
  [[nodiscard]] json::Value meta(json::Text key) const { return json::find_member(meta_, key); }

  /// @cond server
  /// No caller, because the transport rejected the token.
  Caller() = default;
  explicit Caller(const protocol::Request& request);
  /// The caller of a job, or of a scheduled call, whose job is in no slot.
  Caller(const protocol::SendContext& context, const detail::Job& job);
  /// @endcond

 private:
  std::uint64_t principal_ = 0;
  const Definition* definition_ = nullptr;
  Scopes scopes_;
  bool knows_scopes_ = true;
  std::string_view revision_;
  std::string_view request_id_;
  json::Value meta_;
  json::Value client_info_;                   // of a stateless client
  const detail::StoredCaller* stored_ = nullptr;  // of a session or a job
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
