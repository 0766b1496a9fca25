// error: Limits::subscriptions is 0 to 65535
#include <mcp/server.hpp>

constinit mcp::Storage<mcp::Limits{.subscriptions = 65536}> storage;
