// SPDX-License-Identifier: Apache-2.0
// error: a_variable_must_be_a_number_a_boolean_a_string_or_a_choice
#include <mcp/server.hpp>

struct Pins {
  mcp::List<std::int32_t, 4> numbers;
};
constexpr auto params = mcp::params(mcp::param<&Pins::numbers>("numbers"));
mcp::Errc read_it(const Pins&, mcp::ReadResult& out) { return out.text(""); }
constexpr mcp::ResourceTemplate row =
    mcp::resource_template<read_it, params>({.uri_template = "pin://{numbers}", .name = "pin"});
