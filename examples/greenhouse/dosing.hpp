// SPDX-License-Identifier: Apache-2.0
// Dosing pumps on an RS-485 bus, each with a fertilizer of its own. They are found at run time, and each is a tool.
#pragma once

#include <mcp/found.hpp>
#include <mcp/server.hpp>

#include <cstdint>

#include "plant.hpp"

namespace dosing {

bool describe(std::uint16_t number, mcp::FoundTool& row);
mcp::Errc dose(std::uint16_t number, mcp::json::Value arguments, mcp::Call& call);
inline constexpr mcp::FoundTools found{
    .numbers = plant::most_dosing_pumps, .describe = describe, .call = dose, .scope = "water"};

mcp::Errc handle_search(mcp::Call& call);
inline constexpr mcp::Tool search = mcp::tool<handle_search>(
    {.name = "search_dosing_pumps", .description = "Look for new dosing pumps. Each becomes a tool."});

}  // namespace dosing
