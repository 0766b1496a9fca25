// SPDX-License-Identifier: Apache-2.0
/// @file
/// One step of a job: its time, its progress, its result, and when the next step follows.
/// @code
/// struct Pump {
///   std::uint32_t seconds;
///   mcp::Step step(mcp::JobContext& context) {
///     board::led(context.stop_requested() || seconds == 60 ? 0 : 100);
///     if (context.stop_requested()) return context.done();
///     if (seconds == 60) return context.done(context.result().text("Pumped for 60 s."));
///     context.progress(++seconds, 60);
///     return context.sleep(1'000);
///   }
/// };
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstdint>

#include "mcp/call.hpp"
#include "mcp/errors.hpp"
#include "mcp/json/text.hpp"
#include "mcp/port.hpp"

namespace mcp {

class JobHandle;
class ScheduledRunner;
namespace protocol {
struct SendContext;
}

/// The outcome of a step: the job is done, sleeps, or waits for input. Made by JobContext and AskContext.
class Step {
 private:
  friend class JobContext;
  friend class AskContext;
  friend class JobRunner;
  friend class ScheduledRunner;
  enum class Kind : std::uint8_t { done, sleep, ask };
  constexpr Step(Kind kind, Errc errc, Millis wait_ms) : kind_(kind), errc_(errc), wait_ms_(wait_ms) {}

  Kind kind_;
  Errc errc_;
  Millis wait_ms_;
};

class AskContext;

namespace detail {
struct Frames;
struct Job;
template <class J>
Step step_structured_job(void* state, AskContext& context);
}  // namespace detail

/// One step of a job. The content of result() is sent only if the step ends with done(). Lifetime: valid until the step
/// returns. Context: main loop; the step must not block.
class JobContext : public Call {
 public:
  /// Returns the time of this step in milliseconds.
  [[nodiscard]] Millis now() const;

  /// Returns true in the last step of a job that must end: it was cancelled, has exceeded its time limit, or has lost
  /// its session or connection. Switch actuators off and return done(). The server sends no result of this step.
  [[nodiscard]] bool stop_requested() const { return stop_requested_; }

  /// Sends the progress of the job, if the client has requested it: `progress` of `total` (0: unknown), and a message.
  /// The server sends only the newest value, only if it has grown, and nothing after the end of the job.
  /// In a task, the first 60 bytes of the message are also its `statusMessage`, for each client.
  /// Lifetime: `message` is a literal. Source: basic/utilities/progress, 2025-11-25.
  void progress(std::uint32_t progress, std::uint32_t total = 0, json::Text message = "");

  /// Sends the progress of the job as a fraction of 1, and a message: `progress(mcp::Scaled{25, 2})` is 0.25. The
  /// server sends it with 6 decimals at most. A value below 0 is 0, and one above 1 is 1. Use one of the functions in a
  /// job, because a fraction after a count is ignored. Lifetime: `message` is a literal.
  void progress(Scaled fraction, json::Text message = "");
  /// The same for a float or a double. NaN is 0. It links floating-point arithmetic on a core without an FPU.
  void progress(std::floating_point auto fraction, json::Text message = "") {
    const bool above_0 = fraction > 0;
    progress(Scaled{above_0 ? static_cast<std::int32_t>((fraction < 1 ? fraction : 1) * 1'000'000) : 0, 6}, message);
  }

  /// Closes the connection of a long call, but not the call. The client resumes the stream after `retry_ms`
  /// milliseconds (at most 65,535). Source: basic/transports#sending-messages, 2025-11-25.
  /// Limits: only for Streamable HTTP with clients of 2025-11-25, HttpLimits::resumable and HttpLimits::detached. In
  /// all other cases it does nothing.
  void reconnect(Millis retry_ms);

  /// Returns a name of this job, by which another task or an interrupt ends its sleep: JobHandle::wake(). The sleep is
  /// then the time limit for the other task. In the last step it is a handle of no job. A job whose state travels
  /// through its client (see job()) may have another name after an input request. In a scheduled call, too, it is a
  /// handle of no job (mcp/schedule.hpp).
  /// Errors: asserts that the server has a Mailbox (Services::mailbox). See mcp/mailbox.hpp.
  [[nodiscard]] JobHandle handle() const;

  /// Ends the job: with the content of result() if `errc` is Errc::ok, else as failed. Pass the return value of fail().
  [[nodiscard]] Step done(Errc errc = Errc::ok) { return {Step::Kind::done, errc, 0}; }
  /// The next step follows after `sleep_ms` milliseconds (below 2^31). Other calls run meanwhile.
  [[nodiscard]] Step sleep(Millis sleep_ms) { return {Step::Kind::sleep, Errc::ok, sleep_ms}; }
  /// The next step follows after the pending steps of other jobs.
  [[nodiscard]] Step again() { return sleep(0); }

 protected:
  /// @cond server
  JobContext(rpc::Response& response, Content::Known known, protocol::SendContext& context, detail::Job& job,
             bool stop_requested);

  protocol::SendContext& context_;
  detail::Job& job_;
  /// @endcond

 private:
  friend class Call;
  friend class JobRunner;
  template <class J>
  friend Step detail::step_structured_job(void* state, AskContext& context);
  friend detail::Frames;
  void check_structured(const Step& step) const;

  bool stop_requested_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
