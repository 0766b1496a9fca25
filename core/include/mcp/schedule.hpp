// SPDX-License-Identifier: Apache-2.0
/// @file
/// Scheduled calls: a client schedules the call of a tool, and the device runs it without the client.
/// @code
/// struct Water {
///   std::int32_t seconds;
/// };
/// constexpr auto water_params =
///     mcp::schedulable(mcp::params(mcp::param<&Water::seconds>("seconds", {.minimum = 1, .maximum = 60})));
/// mcp::Errc water(const Water&, mcp::Call& call) { return call.result().text("Watered."); }
/// constexpr mcp::Tool tools[] = {mcp::tool<water>({.name = "water"}, water_params),
///                                mcp::cancel_scheduled({.name = "cancel_scheduled"})};
/// constexpr mcp::Resource resources[] = {
///     mcp::scheduled_calls({.uri = "schedule://calls", .name = "scheduled_calls", .subscribable = true})};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>

#include "mcp/call_options.hpp"
#include "mcp/coroutine.hpp"
#include "mcp/resource.hpp"

namespace mcp {

namespace compile_error {
void a_schedulable_tool_must_take_a_FixedString_instead_of_a_string_view();
void a_row_of_scheduled_calls_must_have_no_read_function();
}  // namespace compile_error

/// The member of `_meta` in the response to a scheduled call, with the id of the call: `"mote/scheduledCall":7`.
inline constexpr json::Text scheduled_call_key = "mote/scheduledCall";

namespace detail {

/// The longest `after` in seconds: 24 days, so that its end is below 2^31 ms.
inline constexpr std::uint32_t longest_after = 2'073'600;

template <class S>
consteval ParamInfo after_row() {
  return param<&OptionArguments<S>::after>(
             "after", {.description = "Run the call later: in this number of seconds", .maximum = longest_after})
      .info;
}
template <class S>
consteval ParamInfo at_row() {
  return param<&OptionArguments<S>::at>(
             "at", {.description = "Run the call later: at this time, such as 2026-05-01T06:00:00Z",
                    .format = Format::date_time})
      .info;
}

consteval void check_scheduled_params(const ParamInfo* rows, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const ParamInfo& row = rows[i];
    const ParamType type = row.type == ParamType::list ? row.list->type : row.type;
    const bool is_view = type == ParamType::string && row.row_count == 0;  // row_count of a FixedString is its capacity
    if (is_view) compile_error::a_schedulable_tool_must_take_a_FixedString_instead_of_a_string_view();
    if (type == ParamType::object) check_scheduled_params(row.rows.fields(), row.row_count);
  }
}

template <class S, unsigned options, std::size_t N>
consteval auto add_times(const ParamInfo* rows) {
  static_assert(alignof(S) <= 8);
  check_scheduled_params(rows, N);
  if constexpr ((options & at_option) != 0) {
    return add_options<S, options, N>(rows, {after_row<S>(), at_row<S>()});
  } else {
    return add_options<S, options, N>(rows, {after_row<S>()});
  }
}

/// The body of the list.
Errc read_scheduled(ReadResult& out);

struct ScheduledId {
  std::uint32_t id;
};
inline constexpr auto scheduled_id_params = params(param<&ScheduledId::id>("id", {.description = "Of the call"}));
Errc cancel_scheduled_call(const ScheduledId& arguments, Call& call);

}  // namespace detail

/// Adds the optional argument `after` to a tool: a number of seconds, at most 24 days. The server stores a call with
/// `after`, and responds at once with the id. It runs the handler, or starts the job, when the time has passed.
///
/// When the client schedules, the server checks the scope of the tool (ToolInfo::scope) and the rate limit, and stores
/// the scopes of the request. When the call runs, the server checks the stored scopes, the interlock, and that the tool
/// is enabled. If a check fails, the call fails. Caller::has_scope() uses the stored scopes. A token that expires, or
/// loses the scope, does not end its calls. HttpTransport::end_principal() does. `params` is a table of params(), or of
/// with_dry_run().
///
/// A scheduled call also runs if the session or the connection of its client has ended. A reset of the device loses it,
/// and the response says so. The result is in the list (scheduled_calls()) until another call needs the slot. Limits:
/// Limits::scheduled_calls, and the share of one owner (Limits::reserved_for_others). The rate limit counts a call when
/// a client schedules it. A job runs in the slot of its call. It has no progress, no log, no JobHandle and no input
/// requests. Errors: a std::string_view in S does not compile.
template <class S, std::size_t N>
consteval auto schedulable(const Params<S, N>& params) {
  return detail::add_times<S, detail::after_option, N>(params.rows);
}
/// The same for a table that has further options.
template <class S, std::size_t N, unsigned options>
consteval auto schedulable(const CallParams<S, N, options>& params) {
  static_assert(options == detail::dry_run_option);
  return detail::add_times<S, options | detail::after_option, N>(params.rows);
}
/// The same for a tool without other parameters.
consteval auto schedulable() { return detail::add_times<detail::NoArguments, detail::after_option, 0>(nullptr); }

/// As schedulable(), and adds the argument `at`: a time as in RFC 3339, with its offset from UTC. If the wall clock of
/// the device is set later, a call with `at` runs by the new time. The server reads the clock at least every 60 s. If
/// the device was busy or asleep at the time, the call runs with the next poll(). Needs Services::wall_clock. Errors: a
/// time that is not in the future, and a call with both `after` and `at`, get a result with isError.
template <class S, std::size_t N>
consteval auto schedulable_at(const Params<S, N>& params) {
  return detail::add_times<S, detail::after_option | detail::at_option, N>(params.rows);
}
/// The same for a table that has further options.
template <class S, std::size_t N, unsigned options>
consteval auto schedulable_at(const CallParams<S, N, options>& params) {
  static_assert(options == detail::dry_run_option);
  return detail::add_times<S, options | detail::after_option | detail::at_option, N>(params.rows);
}
/// The same for a tool without other parameters.
consteval auto schedulable_at() {
  return detail::add_times<detail::NoArguments, detail::after_option | detail::at_option, 0>(nullptr);
}

/// Makes a schedulable tool of a coroutine. Errors: a coroutine that sends input requests or has dry runs does not
/// compile.
template <auto Function, auto& frames, Millis time_limit_ms = 0, class S, std::size_t N, unsigned options>
consteval Tool coroutine(const ToolInfo& info, const CallParams<S, N, options>& params) {
  using Arguments = std::conditional_t<std::is_same_v<S, detail::NoArguments>, void, S>;
  static_assert((options & detail::dry_run_option) == 0, "a coroutine has no preview: use a job");
  detail::check_coroutine<Function, frames, Arguments>();
  return job<detail::CoroutineJob<Function, frames, Arguments>, time_limit_ms>(info, params);
}

/// Makes the resource that lists the scheduled calls: `{"calls":[…]}`. Each has `id`, `tool`, `status` (`scheduled`,
/// `running`, `done`, `failed` or `cancelled`). A call that waits has `inSeconds`. A call that has ended has its
/// `result` or `error`, if the results of all calls fit. A client on a wire sees the calls of all clients. A client of
/// a network sees its own calls, if its token has the scope of their tool. The list and cancel_scheduled() check the
/// scope each time.
///
/// With a token, a call belongs to its principal. Without a token, a call of a session belongs to its session. After
/// the end of the session, it belongs to all callers of its peer (TransportInfo::peer) without a token. So does a
/// stateless call from the start. Callers without a token that share one peer, as behind one NAT, see and cancel the
/// calls of each other. So do all such callers whose peers the port does not know. To prevent this, give them tokens,
/// or give `row` and the tool of cancel_scheduled() a scope. `row` has a URI, a name and further members, but no read
/// function.
consteval Resource scheduled_calls(Resource row) {
  if (row.read != nullptr) compile_error::a_row_of_scheduled_calls_must_have_no_read_function();
  row.read = detail::read_scheduled;
  if (row.mime_type.empty()) row.mime_type = "application/json";
  return row;
}

/// Makes the tool that cancels a scheduled call by its id. A running job gets its last step. A client can cancel the
/// calls that it sees in the list. Errors: an unknown id, and a call that has ended, get a result with isError.
consteval Tool cancel_scheduled(const ToolInfo& info) {
  return tool<detail::cancel_scheduled_call>(info, detail::scheduled_id_params);
}

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
