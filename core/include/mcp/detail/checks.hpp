// SPDX-License-Identifier: Apache-2.0
// Whether MCP_DEBUG_ASSERT checks. A build with -D MOTE_CHECKS=ON has ports/checks/mcp/detail/checks.hpp earlier in the
// include path. It is a header and not NDEBUG, because core and the application must agree on the size of a Tag. If
// they do not, the application does not link (mcp/detail/link.hpp).
#pragma once

#include <mcp/detail/prelude.hpp>

namespace mcp::detail {

inline constexpr bool has_checks = false;

}  // namespace mcp::detail

#include <mcp/detail/epilogue.hpp>
