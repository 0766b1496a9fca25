// SPDX-License-Identifier: Apache-2.0
/// @file
/// Resources that send input requests before they give their body. Source: basic/patterns/mrtr, 2026-07-28.
/// @code
/// constexpr mcp::InputSchema yes_or_no(R"({"type":"object","properties":{}})");
/// mcp::Errc read_secret(mcp::AskReadResult& out) {
///   const mcp::Answer answer = out.answer("consent");
///   if (answer.outcome() == mcp::Outcome::none) return out.key("consent").elicit(yes_or_no, "Show the secret?");
///   if (answer.outcome() != mcp::Outcome::accepted) return out.fail_input(answer);
///   return out.text("The cellar has a second door.");
/// }
/// constexpr mcp::Resource resources[] = {mcp::ask_read<read_secret>({.uri = "secret://door", .name = "secret"})};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <type_traits>

#include "mcp/caller.hpp"
#include "mcp/input_request.hpp"
#include "mcp/resource.hpp"

namespace mcp {

namespace compile_error {
void a_row_of_ask_read_must_not_have_a_read_function_or_a_stream();
}  // namespace compile_error

/// The body of a resource that may send input requests: its handler takes this instead of a ReadResult.
using AskReadResult = AskResult<ReadResult>;

namespace detail {

/// Calls a handler with an AskReadResult, and ends the response if it has input requests.
Errc read_with_input(ReadResult& out, const void* context, Errc (*read)(const void* context, AskReadResult& out));

template <auto Handler>
Errc ask_and_read(ReadResult& out) {
  return read_with_input(out, nullptr, [](const void*, AskReadResult& ask) { return Handler(ask); });
}

template <auto Handler>
Errc ask_and_read_template(const UriVariables& variables, ReadResult& out) {
  return read_with_input(out, &variables, [](const void* context, AskReadResult& ask) {
    return Handler(*static_cast<const UriVariables*>(context), ask);
  });
}

}  // namespace detail

/// Makes a resource whose handler `Errc (mcp::AskReadResult&)` may send input requests. Errors: as for Resource::read.
template <auto Handler>
consteval Resource ask_read(Resource row) {
  static_assert(std::is_invocable_r_v<Errc, decltype(Handler), AskReadResult&>,
                "the handler of this resource must be Errc(mcp::AskReadResult&)");
  if (row.read != nullptr || row.stream.on()) {
    compile_error::a_row_of_ask_read_must_not_have_a_read_function_or_a_stream();
  }
  row.read = detail::ask_and_read<Handler>;
  row.asks = true;
  return row;
}

/// Makes a template whose handler `Errc (const mcp::UriVariables&, mcp::AskReadResult&)` may send input requests.
template <auto Handler>
consteval ResourceTemplate ask_read(ResourceTemplate row) {
  static_assert(std::is_invocable_r_v<Errc, decltype(Handler), const UriVariables&, AskReadResult&>,
                "the handler of this template must be Errc(const mcp::UriVariables&, mcp::AskReadResult&)");
  if (row.read != nullptr) compile_error::a_row_of_ask_read_must_not_have_a_read_function_or_a_stream();
  row.read = detail::ask_and_read_template<Handler>;
  row.asks = true;
  return row;
}

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
