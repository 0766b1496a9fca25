// SPDX-License-Identifier: Apache-2.0
/// @file
/// The version of mote. CONTRIBUTING.md says what is stable between versions.
/// @code
/// // A tool that returns the version of mote.
/// mcp::Errc about(mcp::Call& call) { return call.result().text("mote ", mcp::version); }
/// static_assert(mcp::version_major == 0 && mcp::version_minor >= 1, "this firmware needs mote 0.1 or later");
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <string_view>

namespace mcp {

/// The version as a string.
inline constexpr std::string_view version = "0.1.0";
inline constexpr unsigned version_major = 0;  ///< The first number of the version.
inline constexpr unsigned version_minor = 1;  ///< The second number. Incompatible changes increase it.
inline constexpr unsigned version_patch = 0;  ///< The third number. Compatible changes increase it.

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
