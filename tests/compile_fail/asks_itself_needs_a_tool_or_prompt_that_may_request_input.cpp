// error: asks_itself_is_for_tools_and_prompts_that_may_ask
#include <mcp/server.hpp>

struct Job {
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
};
constexpr mcp::Tool tools[] = {mcp::job<Job>({.name = "a", .asks_itself = true})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
