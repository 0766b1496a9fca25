// error: HttpLimits::detached is at most 65,000
#include <mcp/http_transport.hpp>

extern mcp::HttpStorage<mcp::HttpLimits{.detached = 65'001}, 1024> storage;
constexpr std::size_t size = sizeof storage;
