// SPDX-License-Identifier: Apache-2.0
/// @file
/// The revisions of MCP that a server supports.
/// @code
/// // Serves stateless clients of revision 2026-07-28 only: the image has no sessions.
/// constexpr mcp::Definition definition{.name = "thermometer", .version = "1.0.0", .eras = mcp::modern_era};
/// static_assert(!definition.eras.legacy());
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

namespace mcp {

namespace compile_error {
void a_server_needs_the_legacy_or_the_modern_era();
}

/// The eras that a Definition enables with `.eras`: one of the constants below. The linker adds only the code of these
/// eras. Source: basic/versioning, 2026-07-28.
class Eras {
 public:
  /// Both eras.
  consteval Eras() : Eras(true, true) {}
  /// `legacy` enables sessions, which begin with `initialize` (revisions up to 2025-11-25). `modern` enables stateless
  /// requests (revision 2026-07-28). Limits: at least one of them is true.
  consteval Eras(bool legacy, bool modern) : legacy_(legacy), modern_(modern) {
    if (!legacy && !modern) compile_error::a_server_needs_the_legacy_or_the_modern_era();
  }

  /// Returns whether the server has sessions.
  [[nodiscard]] constexpr bool legacy() const { return legacy_; }
  /// Returns whether the server serves stateless requests.
  [[nodiscard]] constexpr bool modern() const { return modern_; }

 private:
  bool legacy_;
  bool modern_;
};

/// Both eras on one endpoint or UART. This is the default.
inline constexpr Eras dual_era{true, true};
/// Revision 2026-07-28 only.
inline constexpr Eras modern_era{false, true};
/// The revisions up to 2025-11-25 only.
inline constexpr Eras legacy_era{true, false};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
