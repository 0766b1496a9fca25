// error: Limits::message_size must have room for an initialize request
#include <mcp/server.hpp>

constinit mcp::Storage<mcp::Limits{.message_size = 127}> storage;
