// error: Limits::receive_size must have room for an initialize request
#include <mcp/server.hpp>

constinit mcp::Storage<mcp::Limits{.receive_size = 127}> storage;
