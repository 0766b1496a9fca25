// error: HttpLimits::connections is 1 to 254
#include <transports/http/transport.hpp>

constinit mcp::HttpStorage<mcp::HttpLimits{.connections = 255}, 1024> storage;
