// error: tools_that_can_be_tasks_need_an_entropy_for_the_server
#include <mcp/server.hpp>

mcp::Errc run(mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::Tool tools[] = {mcp::tool<run>({.name = "a", .task_support = mcp::TaskSupport::optional})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
constexpr mcp::Limits limits{.tasks = 1};
constinit mcp::Storage<limits> storage;
constinit mcp::Server server{definition, storage};
