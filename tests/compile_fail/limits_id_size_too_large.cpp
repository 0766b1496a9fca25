// error: Limits::id_size is at most 65535
#include <mcp/server.hpp>

constinit mcp::Storage<mcp::Limits{.id_size = 65536}> storage;
