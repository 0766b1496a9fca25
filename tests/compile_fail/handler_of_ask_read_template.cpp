// SPDX-License-Identifier: Apache-2.0
// error: the handler of this template must be Errc(const mcp::UriVariables&, mcp::AskReadResult&)
#include <mcp/server.hpp>

mcp::Errc ask(mcp::AskReadResult& out) { return out.text(""); }
constexpr mcp::ResourceTemplate templates[] = {mcp::ask_read<ask>({.uri_template = "a:{b}", .name = "a"})};
