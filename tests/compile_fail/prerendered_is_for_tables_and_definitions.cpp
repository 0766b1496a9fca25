// SPDX-License-Identifier: Apache-2.0
// error: prerendered needs a constant array of tools, resources, resource templates or prompts, or a Definition
#include <mcp/prerendered.hpp>
#include <mcp/server.hpp>

bool describe(std::uint16_t, mcp::FoundTool&) { return false; }
mcp::Errc call(std::uint16_t, mcp::json::Value, mcp::Call&) { return mcp::Errc::ok; }
constexpr mcp::FoundTools found_tools{.numbers = 4, .describe = describe, .call = call};
constexpr auto& texts = mcp::prerendered<found_tools>;
