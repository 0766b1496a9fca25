// SPDX-License-Identifier: Apache-2.0
// Prompts whose functions get the caller.
#include "engine/hooks.hpp"
#include "engine/request.hpp"
#include "mcp/assert.hpp"
#include "mcp/caller.hpp"
#include "mcp/prompt.hpp"
#include "mcp/with_caller.hpp"

namespace mcp::protocol {
namespace {

Errc get_with_caller(Request& request, const Prompt& prompt, json::Value arguments) {
  const Caller caller(request);
  mcp::detail::CallerPromptResult result(request.out, request.known_content(), caller);
  const Errc errc = prompt.get.function()(PromptArguments(arguments), result);
  MCP_ASSERT(errc != Errc::handled);  // only an AskPromptResult returns `handled`
  return errc;
}

Errc get_any(Request& request, const Prompt& prompt, json::Value arguments) {
  return prompt.get.asks() ? prompt_input_ops.get(request, prompt, arguments)
                           : get_with_caller(request, prompt, arguments);
}

}  // namespace

constinit const PromptInputOps caller_prompt_ops{get_with_caller};
constinit const PromptInputOps any_prompt_ops{get_any};

}  // namespace mcp::protocol
