// SPDX-License-Identifier: Apache-2.0
// error: Limits::streams must be at least 1 for the resource
// and: "x:a"
#include <mcp/server.hpp>

mcp::Chunk read(std::uint32_t, std::span<std::uint8_t>) { return mcp::Chunk::end(); }
constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .stream = mcp::blob_stream(read)}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = resources};
constexpr mcp::Limits limits{};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
