// SPDX-License-Identifier: Apache-2.0
// The text of a contract in the name that mcp_assert_failed() gets. Boards have none, because each text takes flash. A
// build for a PC has ports/posix/contracts/mcp/detail/contract.hpp earlier in the include path.
#pragma once

#include <mcp/detail/prelude.hpp>

#define MCP_CONTRACT(text)

#include <mcp/detail/epilogue.hpp>
