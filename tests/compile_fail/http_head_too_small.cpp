// error: HttpLimits::head_size is 128 to 65535
#include <mcp/http_transport.hpp>

constinit mcp::HttpStorage<mcp::HttpLimits{.head_size = 127}, 1024> storage;
