// SPDX-License-Identifier: Apache-2.0
// Prompts whose functions get the caller.
#include "engine/request.hpp"
#include "mcp/assert.hpp"
#include "mcp/caller.hpp"
#include "mcp/detail/link.hpp"
#include "mcp/prompt.hpp"
#include "mcp/with_caller.hpp"

namespace mcp::protocol {

// In Links::get_prompt[0]: prompts/get calls it for a prompt of with_caller().
Errc get_with_caller(Request& request, const Prompt& prompt, json::Value arguments) {
  const Caller caller(request);
  // The function gets its base, PromptResult, and with_caller() casts it back.
  mcp::detail::CallerPromptResult result(request.out, request.known_content(), caller);
  const Errc errc = prompt.get.function()(PromptArguments(arguments), result);
  MCP_ASSERT(errc != Errc::handled);  // only an AskPromptResult returns `handled`
  return errc;
}

}  // namespace mcp::protocol
