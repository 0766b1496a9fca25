// SPDX-License-Identifier: Apache-2.0
// error: the handler of this template must be Errc(const Variables&, Output&) with the structs of its params() and output()
#include <mcp/server.hpp>

struct Pin {
  std::int32_t number;
};
constexpr auto params = mcp::params(mcp::param<&Pin::number>("number"));
constexpr auto output = mcp::output(mcp::param<&Pin::number>("number"));
mcp::Errc read_other(const mcp::UriVariables&, Pin&) { return mcp::Errc::ok; }
constexpr mcp::ResourceTemplate row =
    mcp::resource_template<read_other, params, output>({.uri_template = "pin://{number}", .name = "pin"});
