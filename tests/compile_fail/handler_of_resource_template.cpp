// SPDX-License-Identifier: Apache-2.0
// error: the handler of this template must be Errc(const Variables&, mcp::ReadResult&) with the struct of its params()
#include <mcp/server.hpp>

struct Pin {
  std::int32_t number;
};
constexpr auto params = mcp::params(mcp::param<&Pin::number>("number"));
struct Other {};
mcp::Errc read_it(const Other&, mcp::ReadResult& out) { return out.text(""); }
constexpr mcp::ResourceTemplate row =
    mcp::resource_template<read_it, params>({.uri_template = "pin://{number}", .name = "pin"});
