// error: Limits::id_size must have room for a short id
#include <mcp/server.hpp>

constinit mcp::Storage<mcp::Limits{.id_size = 2}> storage;
