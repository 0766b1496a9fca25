// SPDX-License-Identifier: Apache-2.0
// error: each_variable_of_the_uri_template_needs_a_parameter
#include <mcp/server.hpp>

struct Pin {
  std::int32_t number;
};
constexpr auto params = mcp::params(mcp::param<&Pin::number>("number"));
mcp::Errc read_it(const Pin&, mcp::ReadResult& out) { return out.text(""); }
constexpr mcp::ResourceTemplate row =
    mcp::resource_template<read_it, params>({.uri_template = "pin://{number}{?since}", .name = "pin"});
