// SPDX-License-Identifier: Apache-2.0
/// @file
/// The hook for programmer errors: a broken contract of this API, never bad input.
/// @code
/// extern "C" [[noreturn]] void mcp_assert_failed(const char* file, int line) {
///   board::write_reset_reason(file, line);
///   board::reset();
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include "mcp/detail/checks.hpp"
#include "mcp/detail/contract.hpp"

/// mote calls this function when a caller breaks a contract of the API. Each port defines it; an application without a
/// port of mote defines its own. It must not return.
/// `file` and `line` name the check that failed; the string lives as long as the program. In a build for a PC, the
/// condition follows the name of the file: `server.cpp (index < rows.size())`. If a size is too small,
/// `file` names it, and `line` is the number that it needs. Context: main loop or interrupt.
extern "C" [[noreturn]] void mcp_assert_failed(const char* file, int line);

/// Checks a contract of the API, in every build. Errors: calls mcp_assert_failed().
#define MCP_ASSERT(condition) \
  ((condition) ? void() : mcp_assert_failed(__FILE_NAME__ MCP_CONTRACT(#condition), __LINE__))

/// Checks an invariant of mote itself, which no caller and no client can break. Only builds with -D MOTE_CHECKS=ON
/// check it, such as Debug builds for a PC. Other builds do not evaluate the condition, so it costs no flash and no
/// time. Errors: as MCP_ASSERT.
#define MCP_DEBUG_ASSERT(condition)                                 \
  do {                                                              \
    if constexpr (::mcp::detail::has_checks) MCP_ASSERT(condition); \
  } while (false)

#include <mcp/detail/epilogue.hpp>
