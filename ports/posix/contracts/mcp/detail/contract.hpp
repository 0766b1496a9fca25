// SPDX-License-Identifier: Apache-2.0
// On a PC, a broken contract is named by its condition, too.
#pragma once

#include <mcp/detail/prelude.hpp>

#define MCP_CONTRACT(text) " (" text ")"

#include <mcp/detail/epilogue.hpp>
