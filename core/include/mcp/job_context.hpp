// SPDX-License-Identifier: Apache-2.0
/// @file
/// One step of a job: its time, its progress, its result, and when the next step follows.
/// @code
/// struct Pump {
///   std::uint32_t seconds;
///   mcp::Step step(mcp::JobContext& context) {
///     if (context.stop_requested() || seconds == 60) return context.done(context.result().text("Pumped for 60 s."));
///     context.progress(++seconds, 60);
///     return context.sleep(1'000);
///   }
/// };
/// @endcode
#pragma once

#include <cstdint>

#include "mcp/call.hpp"
#include "mcp/errors.hpp"
#include "mcp/json/text.hpp"
#include "mcp/port.hpp"

namespace mcp {

namespace protocol {
struct SendContext;
}

/// What a job wants next; made by the functions of JobContext and AskContext.
class Step {
 private:
  friend class JobContext;
  friend class AskContext;
  friend class JobRunner;
  enum class Kind : std::uint8_t { done, sleep, ask };
  constexpr Step(Kind kind, Errc errc, Millis wait_ms) : kind_(kind), errc_(errc), wait_ms_(wait_ms) {}

  Kind kind_;
  Errc errc_;
  Millis wait_ms_;
};

class AskContext;

namespace detail {
struct Job;
template <class J>
Step step_structured_job(void* state, AskContext& context);
}  // namespace detail

/// A job's view of its call, during one step. What is written into result() counts only in the step that ends with
/// done().
class JobContext : public Call {
 public:
  /// The time of this step.
  [[nodiscard]] Millis now() const;

  /// True in the last step of a job that must end before it is done: its client cancelled it or is gone, or its time is
  /// up. Switch off what is on, and return done(): nothing is sent.
  [[nodiscard]] bool stop_requested() const { return stop_requested_; }

  /// Tells the client how far the job is, if it wants to know: `progress` of `total` (0: unknown), and a text, of which
  /// only the address is kept: a literal. Only growing values are sent, the newest before the next step or later;
  /// nothing after the end. Source: basic/utilities/progress, 2025-11-25.
  void progress(std::uint32_t progress, std::uint32_t total = 0, json::Text message = "");

  /// For a job that takes very long: ends the connection of the call, not the call. The client comes back after
  /// `retry_ms` (at most 65,535) for what the job has to say. For Streamable HTTP and clients of 2025-11-25 alone: the
  /// revisions before want the answer before the end of the stream. Needs HttpLimits::resumable and `detached`. In all
  /// other cases nothing happens. Source: basic/transports#sending-messages, 2025-11-25.
  void reconnect(Millis retry_ms);

  /// Ends the job with what was written into result(), or as failed with what fail() returned.
  [[nodiscard]] Step done(Errc errc = Errc::ok) { return {Step::Kind::done, errc, 0}; }
  /// The next step comes after this many milliseconds (below 2^31); others run meanwhile.
  [[nodiscard]] Step sleep(Millis sleep_ms) { return {Step::Kind::sleep, Errc::ok, sleep_ms}; }
  /// The next step comes as soon as others had theirs.
  [[nodiscard]] Step again() { return sleep(0); }

 protected:
  /// @cond server
  JobContext(rpc::Response& response, Content::Known known, protocol::SendContext& context, detail::Job& job,
             bool stop_requested);

  protocol::SendContext& context_;
  detail::Job& job_;
  /// @endcond

 private:
  template <class J>
  friend Step detail::step_structured_job(void* state, AskContext& context);
  void check_structured(const Step& step) const;

  bool stop_requested_;
};

}  // namespace mcp
