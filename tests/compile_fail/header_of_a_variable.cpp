// SPDX-License-Identifier: Apache-2.0
// error: a_header_must_be_for_a_parameter_of_the_tool_itself
#include <mcp/server.hpp>

struct Pin {
  std::int32_t number;
};
constexpr auto params = mcp::params(mcp::param<&Pin::number>("number", {.header = "Pin"}));
mcp::Errc read_it(const Pin&, mcp::ReadResult& out) { return out.text(""); }
constexpr mcp::ResourceTemplate row =
    mcp::resource_template<read_it, params>({.uri_template = "pin://{number}", .name = "pin"});
