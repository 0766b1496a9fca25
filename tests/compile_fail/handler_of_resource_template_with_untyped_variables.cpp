// SPDX-License-Identifier: Apache-2.0
// error: the handler of this template must be Errc(const mcp::UriVariables&, Output&) with the struct of its output()
#include <mcp/server.hpp>

struct Pin {
  std::int32_t number;
};
constexpr auto output = mcp::output(mcp::param<&Pin::number>("number"));
mcp::Errc read_it(Pin&) { return mcp::Errc::ok; }
constexpr mcp::ResourceTemplate row =
    mcp::resource_template<read_it, output>({.uri_template = "pin://{number}", .name = "pin"});
