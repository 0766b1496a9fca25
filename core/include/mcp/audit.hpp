// The record of each request and of each end of a job, for an application that keeps a trail. Knows no transport.
#pragma once

#include <cstdint>
#include <string_view>

#include "mcp/feature_flags.hpp"
#include "mcp/port.hpp"

namespace mcp {

/// One request of a client, or the end of a call that was running. Lifetime: views are valid until the function
/// returns. They hold bytes of a client, so escape them before you show them.
struct AuditRecord {
  enum class Outcome : std::uint8_t {
    ok,      ///< A result was answered.
    failed,  ///< A result with isError: the tool failed.
    error,   ///< A JSON-RPC error; `error_code` says which.
    later,   ///< Taken up: a job, a body that is streamed, a wait for a task. Of a job the end comes as a record, too.
    cancelled,  ///< A job that ended before it was done: by its client, by its session's end, by a task's time to live.
    asks,       ///< The response to a stateless client holds input requests; the client retries the call.
    refused,    ///< The transport refused the request for its token before it read a message: no method, no subject.
  };
  /// The session. Over HTTP all stateless requests have one, so that the principal tells their clients apart.
  SessionId client = {};
  /// TransportInfo::principal of the request, also in the record of the end of its job. 0 without a token, for a token
  /// that is refused, and on a wire.
  std::uint64_t principal = 0;
  /// Connection::peer() of the connection that brought the request. 0 where it is unknown, and for the end of a job.
  std::uint64_t peer = 0;
  std::string_view method = {};
  std::string_view subject = {};  ///< Name of the tool or prompt, URI of the resource; empty without one.
  Outcome outcome = Outcome::ok;
  int error_code = 0;  ///< Of a JSON-RPC error. Of Outcome::refused the HTTP status, such as 401.
  /// From the request to the end of its job; 0 for what was answered at once.
  Millis duration_ms = 0;
};

/// Called for every request that was answered or taken up or whose token was refused, and for the end of every job:
/// `.audit = function`. An attacker causes as many records as requests, so limit what you store. Context: main loop,
/// must not block; it may call Server::log().
class Audit {
 public:
  using Function = void (*)(const AuditRecord& record);
  constexpr Audit() = default;
  consteval Audit(Function told) : function_(told), on_(true) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] constexpr Function function() const { return function_; }
  [[nodiscard]] constexpr bool on() const { return on_; }

 private:
  Function function_ = nullptr;
  bool on_ = false;  // for compile time, where GCC's sanitizers compare no addresses
};

}  // namespace mcp
