// error: Limits::call_burst and Limits::call_interval_ms are set together
#include <mcp/server.hpp>

constinit mcp::Storage<mcp::Limits{.call_burst = 1}> storage;
