// SPDX-License-Identifier: Apache-2.0
// error: the function of with_caller is Errc(const mcp::PromptArguments&, mcp::PromptResult&, const mcp::Caller&), or void(const mcp::AuditRecord&, const mcp::Caller&)
#include <mcp/server.hpp>

mcp::Errc greet(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("hello"); }
constexpr mcp::Prompt prompts[] = {{.name = "greet", .get = mcp::with_caller<greet>}};
