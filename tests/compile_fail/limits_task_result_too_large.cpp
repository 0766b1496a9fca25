// error: Limits::task_result_size is 0 to 65535
#include <mcp/server.hpp>

constinit mcp::Storage<mcp::Limits{.tasks = 1, .task_result_size = 65536}> storage;
