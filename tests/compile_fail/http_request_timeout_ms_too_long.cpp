// error: HttpLimits::request_timeout_ms is below 2^31
#include <mcp/http_transport.hpp>

extern mcp::HttpStorage<mcp::HttpLimits{.request_timeout_ms = 0x80000000}, 1024> storage;
constexpr std::size_t size = sizeof storage;
