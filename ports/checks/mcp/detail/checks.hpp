// SPDX-License-Identifier: Apache-2.0
// Replaces the header of core in builds with -D MOTE_CHECKS=ON.
#pragma once

#include <mcp/detail/prelude.hpp>

namespace mcp::detail {

inline constexpr bool has_checks = true;

}  // namespace mcp::detail

#include <mcp/detail/epilogue.hpp>
