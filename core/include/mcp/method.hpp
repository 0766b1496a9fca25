// SPDX-License-Identifier: Apache-2.0
/// @file
/// Methods and notifications of the application, which MCP does not have: rows of a constant table.
/// @code
/// struct Offset {
///   std::int32_t millikelvin;
/// };
/// constexpr auto offset = mcp::params(mcp::param<&Offset::millikelvin>("millikelvin", {.minimum = -5'000}));
/// mcp::Errc calibrate(const Offset& params, mcp::MethodCall& call) {
///   if (board::motor_runs()) return call.fail(1, "The motor runs. Stop it first.");
///   call.result().member("millikelvin", params.millikelvin);
///   return mcp::Errc::ok;
/// }
/// constexpr mcp::Method methods[] = {mcp::method<calibrate>({.name = "x-acme/calibrate"}, offset)};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "mcp/caller.hpp"
#include "mcp/errors.hpp"
#include "mcp/json/value.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/meta.hpp"
#include "mcp/params.hpp"
#include "mcp/port.hpp"
#include "mcp/scopes.hpp"
#include "mcp/session_id.hpp"
#include "mcp/text_pieces.hpp"

namespace mcp {

namespace protocol {
class Request;
}

namespace compile_error {
void a_method_name_needs_a_vendor_prefix_as_in_x_acme_slash_name();
void a_method_name_must_not_have_a_prefix_of_mcp();
void two_methods_must_not_have_the_same_name();
}  // namespace compile_error

/// One request of a method of the application, or one notification. Lifetime: valid until the handler returns.
/// Context: main loop; the handler must not block.
class MethodCall {
 public:
  /// Returns the writer of the result, which is an object. The handler writes members. Their names are not `_meta` and
  /// not `resultType`, which the server writes. A notification has no result: the server discards it.
  [[nodiscard]] json::Writer& result() { return out_; }

  /// Ends the call with a JSON-RPC error. `code` is not 0; use one outside of -32768 to -32000, which JSON-RPC and MCP
  /// reserve. The message is made of pieces (see TextPiece). The result written before is discarded. The handler
  /// returns the returned value: `return call.fail(1, "The valve is stuck at ", percent, " %.");`
  template <TextPiece... Pieces>
  Errc fail(int code, Pieces&&... pieces) {
    fail_begin(code);
    (detail::append_piece(out_, pieces), ...);
    return fail_end();
  }

  /// As fail(), and `write` writes the `data` of the error, one JSON value:
  /// `return call.fail_with(1, [&](mcp::json::Writer& data) { data.number(percent); }, "The valve is stuck.");`
  template <std::invocable<json::Writer&> Write, TextPiece... Pieces>
  Errc fail_with(int code, Write&& write, Pieces&&... pieces) {
    fail_begin(code);
    (detail::append_piece(out_, pieces), ...);
    data_begin();
    write(out_);
    return data_end();
  }

  /// Returns the session of the call. Stateless requests over HTTP share one session.
  [[nodiscard]] SessionId session() const;

  /// Returns who is calling. See Call::caller. Lifetime: valid until the handler returns.
  [[nodiscard]] Caller caller() const;

  /// @cond server
  MethodCall(json::Writer& out, protocol::Request& request) : out_(out), request_(request) {}
  [[nodiscard]] protocol::Request& request() const { return request_; }
  /// @endcond

 private:
  void fail_begin(int code);
  Errc fail_end();
  void data_begin();
  Errc data_end();

  json::Writer& out_;
  protocol::Request& request_;
};

/// The description of a method. Lifetime: the strings live as long as the program.
struct MethodInfo {
  /// Unique in the table, 1 to 128 of A-Z a-z 0-9 _ - . and at least one slash. The part before the first slash names
  /// the vendor ("x-acme"). It is none of MCP: completion, elicitation, logging, notifications, prompts, resources,
  /// roots, sampling, server, subscriptions, tasks, tools, and none with a label "mcp" or "modelcontextprotocol".
  std::string_view name = {};
  /// The scope that a caller needs: one of Definition::scopes. Definition::hide_out_of_scope hides the row from others.
  RowScope scope = {};
};

/// A row of the table, made by method() or notification().
struct Method {
  MethodInfo info;  ///< The description of the method.
  /// @cond server
  Errc (*invoke)(const Method& method, json::Value params, MethodCall& call) = nullptr;
  const detail::ParamInfo* params = nullptr;
  const detail::ParamInfo* output = nullptr;
  std::uint16_t param_count = 0;
  std::uint8_t output_count = 0;
  bool is_notification = false;
  /// @endcond
};

namespace detail {

/// Fills `into` from the params, by the table of the row. Errors: ends the call with -32602 and a text that names the
/// parameter, and returns Errc::handled.
Errc decode_method_params(const Method& method, json::Value params, void* into, MethodCall& call);
/// Writes the members of the result by the table of the row, if the handler returned Errc::ok.
Errc encode_method_result(const Method& method, const void* value, Errc errc, MethodCall& call);

consteval bool is_prefix_of_mcp(std::string_view prefix) {
  for (const std::string_view taken : {"completion", "elicitation", "logging", "notifications", "prompts", "resources",
                                       "roots", "sampling", "server", "subscriptions", "tasks", "tools"}) {
    if (prefix == taken) return true;
  }
  while (!prefix.empty()) {
    const std::string_view label = read_until(prefix, '.');
    if (label == "mcp" || label == "modelcontextprotocol") return true;
  }
  return false;
}

consteval void check_method_name(std::string_view name) {
  const std::size_t slash = name.find('/');
  bool valid = slash != 0 && slash != std::string_view::npos && !name.ends_with('/') && name.size() <= 128;
  for (const char c : name)
    valid = valid && (is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == '/');
  if (!valid) compile_error::a_method_name_needs_a_vendor_prefix_as_in_x_acme_slash_name();
  if (is_prefix_of_mcp(name.substr(0, slash))) compile_error::a_method_name_must_not_have_a_prefix_of_mcp();
}

/// The `invoke` function of a row. `In`: NoArguments, json::Value, or the struct of a params(). `Out`: void, or the
/// struct of an output().
template <auto Handler, class In, class Out>
Errc invoke_method(const Method& method, json::Value params, MethodCall& call) {
  const auto run = [&](const auto&... input) {
    if constexpr (std::is_void_v<Out>) {
      return Handler(input..., call);
    } else {
      Out value{};
      return encode_method_result(method, &value, Handler(input..., value, call), call);
    }
  };
  if constexpr (std::is_same_v<In, json::Value>) {
    return run(params);
  } else if constexpr (std::is_same_v<In, NoArguments>) {
    const Errc errc = decode_method_params(method, params, nullptr, call);
    return errc == Errc::ok ? run() : errc;
  } else {
    In decoded{};
    const Errc errc = decode_method_params(method, params, &decoded, call);
    return errc == Errc::ok ? run(decoded) : errc;
  }
}

consteval Method as_notification(Method method) {
  method.is_notification = true;
  return method;
}

template <class S, std::size_t N>
consteval Method with_params(Method method, const Params<S, N>& params) {
  check_method_name(method.info.name);
  method.params = params.rows;
  method.param_count = static_cast<std::uint16_t>(N);
  return method;
}

template <class O, std::size_t M>
consteval Method with_output(Method method, const Output<O, M>& output) {
  check_method_name(method.info.name);
  method.output = output.rows;
  method.output_count = static_cast<std::uint8_t>(M);
  return method;
}

}  // namespace detail

/// Makes a method whose handler writes the result. The handler is `Errc(mcp::MethodCall&)` and takes no parameters, or
/// `Errc(mcp::json::Value, mcp::MethodCall&)`, which gets all params (an object, or missing) and checks them.
/// Errors: each Errc except ok becomes a JSON-RPC error: -32602 for invalid_argument and not_found, else -32603.
template <auto Handler>
consteval Method method(const MethodInfo& info) {
  static_assert(std::is_invocable_r_v<Errc, decltype(Handler), json::Value, MethodCall&> ||
                    std::is_invocable_r_v<Errc, decltype(Handler), MethodCall&>,
                "the handler of a method must be Errc(mcp::MethodCall&) or Errc(mcp::json::Value, mcp::MethodCall&)");
  detail::check_method_name(info.name);
  constexpr bool takes_json = std::is_invocable_v<decltype(Handler), json::Value, MethodCall&>;
  using In = std::conditional_t<takes_json, json::Value, detail::NoArguments>;
  return {info, detail::invoke_method<Handler, In, void>};
}

/// Makes a method whose params are the struct S that `params` describes. Errors: if the params break the table, the
/// server does not call the handler. The client gets -32602 with a text that names the parameter.
template <auto Handler, class S, std::size_t N>
consteval Method method(const MethodInfo& info, const Params<S, N>& params) {
  static_assert(std::is_invocable_r_v<Errc, decltype(Handler), const S&, MethodCall&>,
                "the handler of this method must be Errc(const Params&, mcp::MethodCall&) with the struct of its "
                "params()");
  return detail::with_params({info, detail::invoke_method<Handler, S, void>}, params);
}

/// Makes a method without params whose result is the struct O that `output` describes.
template <auto Handler, class O, std::size_t M>
consteval Method method(const MethodInfo& info, const Output<O, M>& output) {
  static_assert(std::is_invocable_r_v<Errc, decltype(Handler), O&, MethodCall&>,
                "the handler of this method must be Errc(Output&, mcp::MethodCall&) with the struct of its output()");
  return detail::with_output({info, detail::invoke_method<Handler, detail::NoArguments, O>}, output);
}

/// Makes a method with params and a result by tables. The handler fills the result. Errors: a value that the table does
/// not allow is not sent, and the client gets -32603 with a text that names the member.
template <auto Handler, class S, std::size_t N, class O, std::size_t M>
consteval Method method(const MethodInfo& info, const Params<S, N>& params, const Output<O, M>& output) {
  static_assert(std::is_invocable_r_v<Errc, decltype(Handler), const S&, O&, MethodCall&>,
                "the handler of this method must be Errc(const Params&, Output&, mcp::MethodCall&) with the structs of "
                "its params() and output()");
  return detail::with_params(detail::with_output({info, detail::invoke_method<Handler, S, O>}, output), params);
}

/// Makes a notification, which has no response. The handler is as for method(). A notification is served in a session
/// that was initialized, and from stateless clients. Errors: the client gets none. An Audit gets a record of each.
template <auto Handler>
consteval Method notification(const MethodInfo& info) {
  return detail::as_notification(method<Handler>(info));
}

/// Makes a notification whose params are the struct S that `params` describes.
template <auto Handler, class S, std::size_t N>
consteval Method notification(const MethodInfo& info, const Params<S, N>& params) {
  return detail::as_notification(method<Handler>(info, params));
}

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
