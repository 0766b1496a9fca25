// error: HttpLimits::replay_size is 0 to 65535
#include <mcp/http_transport.hpp>

constinit mcp::HttpStorage<mcp::HttpLimits{.replay_size = 65536}, 1024> storage;
