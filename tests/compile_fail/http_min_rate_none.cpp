// error: HttpLimits::min_rate is at least 1
#include <mcp/http_transport.hpp>

extern mcp::HttpStorage<mcp::HttpLimits{.min_rate = 0}, 1024> storage;
constexpr std::size_t size = sizeof storage;
