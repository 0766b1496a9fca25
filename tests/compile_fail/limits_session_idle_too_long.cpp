// error: Limits::session_idle_ms is below 2^31
#include <mcp/storage.hpp>

constinit mcp::Storage<definition, mcp::Limits{.session_idle_ms = 0x8000'0000}> storage;
