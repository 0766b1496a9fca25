// error: HttpLimits::replay_size needs HttpLimits::resumable
#include <mcp/http_transport.hpp>

constinit mcp::HttpStorage<mcp::HttpLimits{.resumable = false, .replay_size = 256}, 1024> storage;
