// SPDX-License-Identifier: Apache-2.0
// On a PC, the message of a broken contract also has its condition.
#pragma once

#include <mcp/detail/prelude.hpp>

#define MCP_CONTRACT(text) " (" text ")"

#include <mcp/detail/epilogue.hpp>
