// error: Limits::call_interval_ms is below 2^31
#include <mcp/server.hpp>

extern mcp::Storage<mcp::Limits{.call_burst = 1, .call_interval_ms = 0x80000000}> storage;
constexpr std::size_t size = sizeof storage;
