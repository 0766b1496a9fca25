// SPDX-License-Identifier: Apache-2.0
// error: a_uri_must_have_escapes_in_normal_form
#include <mcp/server.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::Resource normal[] = {{.uri = "x:a%2Fb", .name = "a", .read = read}};
constexpr mcp::Definition allowed{.name = "n", .version = "1", .resources = normal};
constexpr mcp::Resource small_letter[] = {{.uri = "x:a%2fb", .name = "a", .read = read}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = small_letter};
