// error: Limits::sessions is 1 to 65535
#include <mcp/server.hpp>

extern mcp::Storage<mcp::Limits{.sessions = 65536}> storage;
constexpr std::size_t size = sizeof storage;
