// SPDX-License-Identifier: Apache-2.0
// error: a_row_of_resource_template_must_not_have_a_read_function
#include <mcp/server.hpp>

struct Pin {
  std::int32_t number;
};
constexpr auto params = mcp::params(mcp::param<&Pin::number>("number"));
mcp::Errc read_pin(const Pin&, mcp::ReadResult& out) { return out.text(""); }
mcp::Errc read(const mcp::UriVariables&, mcp::ReadResult& out) { return out.text(""); }
constexpr mcp::ResourceTemplate row =
    mcp::resource_template<read_pin, params>({.uri_template = "pin://{number}", .name = "pin", .read = read});
