// SPDX-License-Identifier: Apache-2.0
// error: each_parameter_must_be_a_variable_of_the_uri_template
#include <mcp/server.hpp>

struct Pin {
  std::int32_t number;
  std::int32_t bank;
};
constexpr auto params = mcp::params(mcp::param<&Pin::number>("number"), mcp::param<&Pin::bank>("bank"));
mcp::Errc read_it(const Pin&, mcp::ReadResult& out) { return out.text(""); }
constexpr mcp::ResourceTemplate row =
    mcp::resource_template<read_it, params>({.uri_template = "pin://{number}", .name = "pin"});
