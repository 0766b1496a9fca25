// SPDX-License-Identifier: Apache-2.0
// error: Limits::streams must be at least 1 for the resource
// and: "pin://{number}"
#include <mcp/server.hpp>

struct Pin {
  std::int32_t number;
};
constexpr auto params = mcp::params(mcp::param<&Pin::number>("number"));
mcp::Chunk read_it(const Pin&, std::uint32_t, std::span<std::uint8_t>) { return mcp::Chunk::end(); }
constexpr mcp::ResourceTemplate templates[] = {
    mcp::text_stream_template<read_it, params>({.uri_template = "pin://{number}", .name = "pin"})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resource_templates = templates};
constinit mcp::Storage<definition> storage;
constinit mcp::Server server{storage};
