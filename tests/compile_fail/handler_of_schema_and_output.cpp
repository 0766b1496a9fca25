// SPDX-License-Identifier: Apache-2.0
// error: the handler of this tool must be Errc(mcp::json::Value, Output&, mcp::Call&) with the type of its output; for an OutputSchema, Errc(mcp::json::Value, mcp::Call&)
#include <mcp/server.hpp>

struct Arguments {
  int a;
};
[[maybe_unused]] constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a"));
[[maybe_unused]] constexpr auto output = mcp::output(mcp::param<&Arguments::a>("a"));
[[maybe_unused]] constexpr auto value = mcp::output_value<int>();
[[maybe_unused]] constexpr mcp::InputSchema schema(R"({"type":"object"})");
mcp::Errc handle(bool) { return mcp::Errc::ok; }
constexpr mcp::Tool tools[] = {mcp::tool<handle>({.name = "a"}, schema, output)};
