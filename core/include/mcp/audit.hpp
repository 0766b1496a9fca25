// SPDX-License-Identifier: Apache-2.0
/// @file
/// A record of each request and of the end of each job, for an application that keeps an audit trail.
/// @code
/// void audit(const mcp::AuditRecord& record) {
///   if (record.outcome == mcp::AuditRecord::Outcome::rejected) board::led(100);
/// }
/// constexpr mcp::Definition definition{.name = "thermometer", .version = "1.0.0", .audit = audit};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <string_view>

#include "mcp/feature_flags.hpp"
#include "mcp/port.hpp"

namespace mcp {

/// One request of a client, or the end of a job. Lifetime: views are valid until the function returns. They hold bytes
/// of a client, so escape them before you show them.
struct AuditRecord {
  /// The outcome of the request.
  enum class Outcome : std::uint8_t {
    ok,         ///< The response is a result.
    failed,     ///< The response is a result with isError: the tool failed.
    error,      ///< The response is a JSON-RPC error. `error_code` has its code.
    later,      ///< The request continues as a job, a streamed body or a wait. The end of a job is a record of its own.
    cancelled,  ///< The job was ended early by its client, by the end of its session, or by the expiry of its task.
    asks,       ///< The response to a stateless client has input requests. The client retries the call.
    rejected,   ///< The transport rejected the token before it read a message. There is no method and no subject.
  };
  /// The session. All stateless requests over HTTP share one. The principal distinguishes their clients.
  SessionId client = {};
  /// TransportInfo::principal of the request. The record of the end of a job has the principal of its request. It is 0
  /// without a token, for a rejected token, on a UART and on stdio.
  std::uint64_t principal = 0;
  /// Connection::peer() of the connection that brought the request. 0 if it is unknown, and for the end of a job.
  std::uint64_t peer = 0;
  std::string_view method = {};   ///< The method of the request, such as "tools/call".
  std::string_view subject = {};  ///< The name of the tool or prompt, or the URI of the resource; else empty.
  Outcome outcome = Outcome::ok;  ///< The outcome of the request.
  int error_code = 0;             ///< The JSON-RPC error code. For Outcome::rejected the HTTP status, such as 401.
  /// The time in milliseconds from the request to the end of its job; 0 for a request with an immediate response.
  Millis duration_ms = 0;
};

namespace detail {
/// A function made by with_caller().
struct AuditWithCaller {
  void (*function)(const AuditRecord& record);
};
}  // namespace detail

/// The function that gets a record of each request and of the end of each job: `.audit = function`. With
/// `.audit = mcp::with_caller<function>` (mcp/with_caller.hpp), the function also gets the Caller. An attacker causes
/// as many records as requests, so limit what you store. Context: main loop; must not block. It may call Server::log().
class Audit {
 public:
  /// The type of the function.
  using Function = void (*)(const AuditRecord& record);
  /// No function.
  constexpr Audit() = default;
  /// The server calls `callback`.
  consteval Audit(Function callback) : function_(callback), on_(true) {}  // NOLINT(google-explicit-constructor)
  /// @cond server
  consteval Audit(detail::AuditWithCaller callback)  // NOLINT(google-explicit-constructor)
      : function_(callback.function), on_(true), takes_caller_(true) {}
  [[nodiscard]] constexpr bool takes_caller() const { return takes_caller_; }
  /// @endcond
  /// Returns the function, or nullptr.
  [[nodiscard]] constexpr Function function() const { return function_; }
  /// Returns whether there is a function.
  [[nodiscard]] constexpr bool on() const { return on_; }

 private:
  Function function_ = nullptr;
  bool on_ = false;  // for compile time, where GCC's sanitizers compare no addresses
  bool takes_caller_ = false;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
