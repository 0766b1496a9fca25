// error: limits_streams_is_0_and_a_resource_streams
#include <mcp/server.hpp>

mcp::Chunk read(std::uint32_t, std::span<std::uint8_t>) { return mcp::Chunk::end(); }
constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .stream = mcp::blob_stream(read)}};
constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = resources};
constexpr mcp::Limits limits{};
constinit mcp::Storage<limits> storage;
constinit mcp::Server server{definition, storage};
