// SPDX-License-Identifier: Apache-2.0
// error: input_before_task_needs_a_job_that_may_request_input_and_task_support
#include <mcp/server.hpp>

struct Job {
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
};
constexpr mcp::Tool tools[] = {
    mcp::job<Job>({.name = "a", .task_support = mcp::TaskSupport::optional, .input_before_task = true})};
constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = tools};
