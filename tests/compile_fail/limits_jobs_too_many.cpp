// error: Limits::jobs is 0 to 65535
#include <mcp/server.hpp>

extern mcp::Storage<mcp::Limits{.jobs = 65536}> storage;
constexpr std::size_t size = sizeof storage;
