// SPDX-License-Identifier: Apache-2.0
/// @file
/// Optional arguments that the server adds to a tool: `dry_run`, and `after` and `at` (mcp/schedule.hpp).
/// @code
/// struct Pour {
///   std::int32_t milliliters;
/// };
/// constexpr auto pour_params = mcp::with_dry_run(
///     mcp::params(mcp::param<&Pour::milliliters>("milliliters", {.minimum = 1, .maximum = 500})));
/// mcp::Errc pour(const Pour&, mcp::Call& call) { return call.result().text("Poured."); }
/// mcp::Errc preview_pour(const Pour& arguments, mcp::Call& call) {
///   return call.result().text("It would pour ", arguments.milliliters, " ml.");
/// }
/// constexpr mcp::Tool tools[] = {mcp::tool<pour, preview_pour>({.name = "pour"}, pour_params)};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "mcp/call.hpp"
#include "mcp/errors.hpp"
#include "mcp/job.hpp"
#include "mcp/json/value.hpp"
#include "mcp/params.hpp"
#include "mcp/tool.hpp"

namespace mcp {

/// The member of `_meta` that marks the result of a dry run: `"mote/dryRun":true`.
inline constexpr json::Text dry_run_key = "mote/dryRun";

namespace detail {

/// The arguments of a call with options. The struct of the tool comes first, because the accessors of its rows get the
/// address of the whole.
template <class S>
struct OptionArguments {
  S arguments;
  std::optional<std::uint32_t> after;  // seconds
  std::optional<std::string_view> at;
  bool dry_run;
};

/// Bits of the last parameter of CallParams.
inline constexpr unsigned dry_run_option = 1;
inline constexpr unsigned after_option = 2;
inline constexpr unsigned at_option = 4;

/// When a call runs.
struct CallTime {
  std::optional<std::uint32_t> after;
  std::optional<std::string_view> at;
};

/// Runs a call whose arguments are decoded.
using RunCall = Errc (*)(const Tool& tool, void* arguments, Call& call);

template <auto Handler, class S, class Out = void>
Errc run_call(const Tool& tool, void* arguments, Call& call) {
  if constexpr (std::same_as<S, NoArguments>) {
    return call_handler<Handler, Out>(tool, call);
  } else {
    return call_handler<Handler, Out>(tool, call, *static_cast<const S*>(arguments));
  }
}

/// Starts a job with a copy of its arguments.
Errc start_decoded_job(const Tool& tool, const void* arguments, std::size_t size, Call& call);
template <class S>
Errc run_job(const Tool& tool, void* arguments, Call& call) {
  return start_decoded_job(tool, arguments, sizeof(S), call);
}

/// Marks the result of a preview that returned `errc`.
Errc end_dry_run(Errc errc, Call& call);
/// Stores the scheduled call, and answers it. `run` is nullptr for a job.
Errc schedule_call(const Tool& tool, const CallTime& time, const void* arguments, std::size_t size, RunCall run,
                   Call& call);

template <class S, unsigned options, RunCall run, RunCall preview>
Errc invoke_with_options(const Tool& tool, json::Value arguments, Call& call) {
  OptionArguments<S> decoded{};
  if (const Errc errc = decode_arguments(tool, arguments, &decoded, call); errc != Errc::ok) return errc;
  if constexpr ((options & after_option) != 0) {
    // The interlocks of a scheduled call are checked when it runs.
    if ((decoded.after || decoded.at) && !decoded.dry_run) {
      return schedule_call(tool, {decoded.after, decoded.at}, &decoded.arguments, sizeof(S), run, call);
    }
  }
  if (const Errc errc = check_interlocks(tool, call); errc != Errc::ok) return errc;
  if constexpr ((options & dry_run_option) != 0) {
    if (decoded.dry_run) return end_dry_run(preview(tool, &decoded.arguments, call), call);
  }
  return run(tool, &decoded.arguments, call);
}

}  // namespace detail

/// The parameter table of struct S with optional arguments of the server: a static constant, made by with_dry_run(),
/// schedulable() or schedulable_at().
template <class S, std::size_t N, unsigned options>
struct CallParams {
  detail::ParamInfo rows[N];  ///< For the server.
};

namespace detail {

template <class S, unsigned options, std::size_t N, std::size_t M>
consteval CallParams<S, N + M, options> add_options(const ParamInfo* rows, const ParamInfo (&more)[M]) {
  static_assert(N + M <= 32, "a tool has more than 32 parameters");
  CallParams<S, N + M, options> result{};
  for (std::size_t i = 0; i < N; ++i) result.rows[i] = rows[i];
  for (std::size_t i = 0; i < M; ++i) {
    result.rows[N + i] = more[i];
    for (std::size_t j = 0; j < N; ++j) {
      if (rows[j].name == more[i].name) compile_error::two_parameters_must_not_have_the_same_name();
    }
  }
  return result;
}

template <class S>
consteval ParamInfo dry_run_row() {
  return param<&OptionArguments<S>::dry_run>(
             "dry_run", {.description = "Say what the call would do, and do nothing", .default_value = false})
      .info;
}

/// The number of rows without those of the options.
template <std::size_t N, unsigned options>
inline constexpr std::size_t own_rows = N - static_cast<std::size_t>(std::popcount(options));

template <class T>
inline constexpr bool is_no_preview = std::same_as<T, std::nullptr_t>;

// The row of a tool with options. The run and preview functions have the form of RunCall.
template <class S, unsigned options, RunCall run, RunCall preview, std::size_t N>
consteval Tool tool_with_options(const ToolInfo& info, const CallParams<S, N, options>& params) {
  check_tool_name(info.name);
  Tool tool{.info = info,
            .invoke = invoke_with_options<S, options, run, preview>,
            .params = params.rows,
            .param_count = static_cast<std::uint16_t>(N)};
  static_assert(sizeof(S) <= 0xFFFF, "the arguments of a tool with options have at most 65535 bytes");
  if ((options & after_option) != 0) tool.scheduled_size = static_cast<std::uint16_t>(sizeof(S));
  tool.takes_date = (options & at_option) != 0;
  return tool;
}

template <class J, class S, unsigned options>
consteval RunCall preview_of_job() {
  if constexpr ((options & dry_run_option) != 0) {
    return run_call<J::preview, S>;
  } else {
    return nullptr;
  }
}

// Makes the row that of a job. A function of its own, because Clang 14 rejects a variable that a consteval function
// initializes from its parameters.
template <class J, Millis time_limit_ms, bool is_scheduled>
consteval Tool as_job(Tool tool) {
  tool.job = &job_kind<J, time_limit_ms>;
  tool.is_job = true;
  tool.asks = Asks<J>;
  static_assert(sizeof(J) <= 0xFFFF, "a job has at most 65535 bytes");
  if (is_scheduled) tool.scheduled_size = static_cast<std::uint16_t>(sizeof(J));
  return tool;
}

}  // namespace detail

/// Adds the optional argument `dry_run` to a tool. If it is true, the server calls the preview function of the tool and
/// not its handler. A result that is not an error has `dry_run_key` in its `_meta`; a preview that calls Call::meta()
/// writes this member itself. The interlock (ToolInfo::needs) rejects a dry run as it rejects the call. `params` is a
/// table of params(), or of schedulable(): a dry run runs at once, also with `after` or `at`.
/// Errors: a tool with an argument of this name does not compile.
template <class S, std::size_t N>
consteval auto with_dry_run(const Params<S, N>& params) {
  return detail::add_options<S, detail::dry_run_option, N>(params.rows, {detail::dry_run_row<S>()});
}
/// The same for a table that has further options.
template <class S, std::size_t N, unsigned options>
consteval auto with_dry_run(const CallParams<S, N, options>& params) {
  return detail::add_options<S, options | detail::dry_run_option, N>(params.rows, {detail::dry_run_row<S>()});
}
/// The same for a tool without parameters of its own.
consteval auto with_dry_run() {
  using S = detail::NoArguments;
  return detail::add_options<S, detail::dry_run_option, 0>(nullptr, {detail::dry_run_row<S>()});
}

/// Makes a tool with optional arguments of the server. `Preview` answers a dry run: a function with the parameters of
/// `Handler`, which must not act on the device. It is required if the table has with_dry_run().
template <auto Handler, auto Preview = nullptr, class S, std::size_t N, unsigned options>
consteval Tool tool(const ToolInfo& info, const CallParams<S, N, options>& params) {
  constexpr bool previews = (options & detail::dry_run_option) != 0;
  static_assert(previews != detail::is_no_preview<decltype(Preview)>,
                "a tool whose params() are in with_dry_run() has a preview function: tool<handler, preview>");
  if constexpr (previews) {
    return detail::tool_with_options<S, options, detail::run_call<Handler, S>, detail::run_call<Preview, S>>(info,
                                                                                                             params);
  } else {
    return detail::tool_with_options<S, options, detail::run_call<Handler, S>, nullptr>(info, params);
  }
}

/// Makes a tool with dry runs whose result is the struct O that `output` describes. The preview fills it, too. Errors:
/// a schedulable tool with an output does not compile, because the answer to a scheduled call is not the output.
template <auto Handler, auto Preview, class S, std::size_t N, unsigned options, class O, std::size_t M>
consteval Tool tool(const ToolInfo& info, const CallParams<S, N, options>& params, const Output<O, M>& output) {
  static_assert(options == detail::dry_run_option, "a schedulable tool has no output");
  return detail::with_output(detail::tool_with_options<S, options, detail::run_call<Handler, S, Output<O, M>>,
                                                       detail::run_call<Preview, S, Output<O, M>>>(info, params),
                             output);
}

/// Makes a tool that runs as a job, with optional arguments of the server. A dry run calls the function
/// `static Errc preview(const Arguments&, Call&)` of J, or `static Errc preview(Call&)` without arguments.
/// Errors: a schedulable job that sends input requests does not compile, because no client waits for it.
template <class J, Millis time_limit_ms = 0, class S, std::size_t N, unsigned options>
consteval Tool job(const ToolInfo& info, const CallParams<S, N, options>& params) {
  constexpr bool is_scheduled = (options & detail::after_option) != 0;
  detail::check_job<J>(info, time_limit_ms);
  static_assert(!is_scheduled || !detail::Asks<J>, "a schedulable job sends no input requests");
  if constexpr (!std::same_as<S, detail::NoArguments>) {
    static_assert(std::same_as<decltype(J::arguments), S>,
                  "the member `arguments` of a job must be the struct of its params()");
    detail::check_job_params(params.rows, detail::own_rows<N, options>);
  }
  return detail::as_job<J, time_limit_ms, is_scheduled>(
      detail::tool_with_options<S, options, detail::run_job<S>, detail::preview_of_job<J, S, options>()>(info, params));
}

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
