// error: Limits::call_burst is 0 to 65535
#include <mcp/server.hpp>

constinit mcp::Storage<mcp::Limits{.call_burst = 65536, .call_interval_ms = 1}> storage;
