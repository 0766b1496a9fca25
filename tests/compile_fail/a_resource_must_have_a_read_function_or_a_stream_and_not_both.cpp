// SPDX-License-Identifier: Apache-2.0
// error: a_resource_must_have_a_read_function_or_a_stream_and_not_both
#include <mcp/server.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.number(1); }
mcp::Chunk stream(std::uint32_t, std::span<std::uint8_t>) { return mcp::Chunk::end(); }
constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .read = read, .stream = mcp::text_stream(stream)}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = resources};
