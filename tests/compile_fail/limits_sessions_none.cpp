// error: Limits::sessions is 1 to 65535
#include <mcp/server.hpp>

constinit mcp::Storage<mcp::Limits{.sessions = 0}> storage;
