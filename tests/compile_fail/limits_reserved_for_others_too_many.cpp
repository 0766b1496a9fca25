// error: Limits::reserved_for_others is 0 to 65535
#include <mcp/storage.hpp>

constinit mcp::Storage<definition, mcp::Limits{.reserved_for_others = 65536}> storage;
