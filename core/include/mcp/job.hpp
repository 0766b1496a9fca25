// SPDX-License-Identifier: Apache-2.0
/// @file
/// Jobs: calls that take longer than a handler may run. A job is a struct with its state and a function for the next
/// step.
/// @code
/// struct Blink {
///   std::uint32_t toggles;
///   mcp::Step step(mcp::JobContext& context) {
///     board::led(toggles % 2 == 0 ? 100 : 0);
///     if (context.stop_requested() || ++toggles == 6) return context.done(context.result().text("Blinked 3 times."));
///     return context.sleep(250);
///   }
/// };
/// constexpr mcp::Tool tools[] = {mcp::job<Blink, 5000>({.name = "blink"})};
/// static_assert(mcp::have_time_limits(tools));
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>

#include "mcp/errors.hpp"
#include "mcp/input_request.hpp"
#include "mcp/job_context.hpp"
#include "mcp/params.hpp"
#include "mcp/port.hpp"
#include "mcp/tool.hpp"

namespace mcp {

namespace compile_error {
void a_job_must_take_a_FixedString_instead_of_a_string_view();
void a_job_with_an_interlock_or_keeps_slot_needs_a_time_limit_or_mcp_no_time_limit();
}  // namespace compile_error

/// The time limit of a job that drives hardware and may run forever, such as a thermostat. Many clients that no longer
/// wait for a call do not cancel it, so only its time limit ends it.
inline constexpr Millis no_time_limit = forever;

/// Returns whether each job of a table has a time limit:
/// `static_assert(mcp::have_time_limits(tools), "clients do not cancel");`.
template <std::size_t N>
consteval bool have_time_limits(const Tool (&tools)[N]);

namespace detail {

/// One kind of job, for the `job` of a Tool.
struct JobKind {
  std::size_t size;
  void* (*begin)(void* memory, std::uint16_t row);  // creates the state there; returns its `arguments`, or nullptr
  Step (*step)(void* state, AskContext& context);
  Millis time_limit_ms;
  bool asks;                       // it sends input requests
  bool travels;                    // the server can seal its state and send it to the client
  const char* too_late = nullptr;  // of a read: the error after its time limit
};

// A job that must stay in its slot: `static constexpr bool keeps_slot = true;`.
template <class J>
concept KeepsSlot = requires {
  requires J::keeps_slot;
};

template <class J>
void* begin_job(void* memory, [[maybe_unused]] std::uint16_t row) {
  // Constructed in place: a copy would also copy padding from the stack.
  new (memory) J{};
  J& job = *static_cast<J*>(memory);
  if constexpr (requires { job.row = row; }) job.row = row;
  if constexpr (requires { job.arguments; }) {
    return &job.arguments;
  } else {
    return nullptr;
  }
}

/// The `invoke` function of all tools that are jobs.
Errc start_job(const Tool& tool, json::Value arguments, Call& call);

template <class J>
concept StepsAlone = requires(J& job, JobContext& context) {
  { job.step(context) } -> std::same_as<Step>;
};
template <class J>
concept Asks = !StepsAlone<J> && requires(J & job, AskContext& context) {
  { job.step(context) } -> std::same_as<Step>;
};
// The step gets the context by which Asks<J> was found. A step for any context (`auto&`) must not find more in it.
template <class J>
Step step_job(void* state, AskContext& context) {
  using Context = std::conditional_t<StepsAlone<J>, JobContext, AskContext>;
  return static_cast<J*>(state)->step(static_cast<Context&>(context));
}

// A job with an output that is done has called structured().
template <class J>
Step step_structured_job(void* state, AskContext& context) {
  const Step step = step_job<J>(state, context);
  context.check_structured(step);
  return step;
}

template <class J>
concept JobState = std::is_trivially_copyable_v<J> && alignof(J) <= 8 && (StepsAlone<J> || Asks<J>);

template <Millis time_limit_ms>
consteval Millis limit_or_0() {
  static_assert(time_limit_ms <= 0x7FFF'FFFF || time_limit_ms == no_time_limit,
                "the time limit of a job is below 2^31 or mcp::no_time_limit");
  return time_limit_ms == no_time_limit ? 0 : time_limit_ms;
}

template <class J, Millis time_limit_ms>
inline constexpr JobKind job_kind{sizeof(J), begin_job<J>, step_job<J>, limit_or_0<time_limit_ms>(),
                                  Asks<J>,   !KeepsSlot<J>};
template <class J, Millis time_limit_ms>
inline constexpr JobKind structured_job_kind{
    sizeof(J), begin_job<J>, step_structured_job<J>, limit_or_0<time_limit_ms>(), Asks<J>, !KeepsSlot<J>};

// A job with an interlock acts, and so does one that must stay in its slot. A coroutine must stay there in any case.
template <class J>
consteval void check_job(const ToolInfo& info, Millis time_limit_ms) {
  static_assert(
      JobState<J>,
      "a job is trivially copyable and has a member function Step step(mcp::JobContext&) or step(mcp::AskContext&)");
  check_tool_name(info.name);
  bool acts = false;  // no constant: Clang 14 evaluates its initializer alone
  acts = info.needs.any() || (KeepsSlot<J> && !requires { J::is_of_coroutine; });
  if (acts && time_limit_ms == 0) {
    compile_error::a_job_with_an_interlock_or_keeps_slot_needs_a_time_limit_or_mcp_no_time_limit();
  }
}

template <class J, Millis time_limit_ms>
consteval Tool make_job(const ToolInfo& info) {
  check_job<J>(info, time_limit_ms);
  return {.info = info,
          .invoke = choose_invoke<start_job>(info),
          .job = &job_kind<J, time_limit_ms>,
          .is_job = true,
          .asks = Asks<J>};
}

template <class J, Millis time_limit_ms, class O, std::size_t M>
consteval Tool with_job_output(Tool tool, const Output<O, M>& output) {
  tool.job = &structured_job_kind<J, time_limit_ms>;
  return with_output(tool, output);
}

consteval void check_job_params(const ParamInfo* rows, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const ParamInfo& row = rows[i];
    const ParamType type = value_type(row);
    const bool is_view = type == ParamType::string && row.row_count == 0;  // a FixedString has its capacity there
    if (is_view) compile_error::a_job_must_take_a_FixedString_instead_of_a_string_view();
    if (type == ParamType::object) check_job_params(row.rows.fields(), row.row_count);
  }
}

}  // namespace detail

/// Makes a tool that runs as a job. J has the state of one call, and `J::arguments` is the struct that `params`
/// describes. A job whose step takes an AskContext may send input requests. If a job is not done after `time_limit_ms`
/// (below 2^31; 0: no limit), it gets its last step and the call fails.
/// Limits: each call uses one of Limits::jobs. Errors: if all are in use, the call fails with Call::busy().
///
/// A job that drives hardware needs a time limit: several SDKs and hosts end a call after a time of their own and send
/// no notifications/cancelled, so the job continues. A job with ToolInfo::needs or `keeps_slot` does not compile
/// without a time limit or `mcp::no_time_limit`.
///
/// Between a result with input requests and the retry of a stateless client, a server with an Hmac keeps no job: it
/// sends J, sealed, to the client, and reserves the slot. If the client never retries, J gets no last step. So a job
/// with an actuator switched on needs `static constexpr bool keeps_slot = true;`. It then stays in its slot, as without
/// an Hmac, and gets its last step after the timeout of the input request.
///
/// The job of a kind of found tools (FoundTools::kinds) finds the number of its row in the member
/// `std::uint16_t row`, if it has one.
///
/// A task of a stateless client sends its input requests while it runs, and the client reads them with tasks/get. With
/// ToolInfo::input_before_task, they come before the task.
template <class J, Millis time_limit_ms = 0, class S, std::size_t N>
consteval Tool job(const ToolInfo& info, const Params<S, N>& params) {
  static_assert(std::same_as<decltype(J::arguments), S>,
                "the member `arguments` of a job must be the struct of its params()");
  detail::check_job_params(params.rows, N);
  return detail::with_input(detail::make_job<J, time_limit_ms>(info), params);
}

/// Makes a tool that runs as a job without arguments.
template <class J, Millis time_limit_ms = 0>
consteval Tool job(const ToolInfo& info) {
  return detail::make_job<J, time_limit_ms>(info);
}

/// Makes a tool that runs as a job, and whose result is the struct that `output` describes:
/// `return context.done(context.structured(output, value));`
template <class J, Millis time_limit_ms = 0, class S, std::size_t N, class O, std::size_t M>
consteval Tool job(const ToolInfo& info, const Params<S, N>& params, const Output<O, M>& output) {
  return detail::with_job_output<J, time_limit_ms>(job<J, time_limit_ms>(info, params), output);
}

/// Makes a tool that runs as a job with an output and without arguments.
template <class J, Millis time_limit_ms = 0, class O, std::size_t M>
consteval Tool job(const ToolInfo& info, const Output<O, M>& output) {
  return detail::with_job_output<J, time_limit_ms>(job<J, time_limit_ms>(info), output);
}

template <std::size_t N>
consteval bool have_time_limits(const Tool (&tools)[N]) {
  for (const Tool& tool : tools) {
    if (tool.is_job && tool.job->time_limit_ms == 0) return false;
  }
  return true;
}

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
