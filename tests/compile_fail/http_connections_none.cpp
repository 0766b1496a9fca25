// error: HttpLimits::connections is 1 to 254
#include <mcp/http_transport.hpp>

constinit mcp::HttpStorage<mcp::HttpLimits{.connections = 0}, 1024> storage;
