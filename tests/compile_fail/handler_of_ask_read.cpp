// SPDX-License-Identifier: Apache-2.0
// error: the handler of this resource must be Errc(mcp::AskReadResult&)
#include <mcp/server.hpp>

mcp::Errc other(int) { return mcp::Errc::ok; }
constexpr mcp::Resource resources[] = {mcp::ask_read<other>({.uri = "a:b", .name = "a"})};
