// Which revisions of MCP a server speaks.
#pragma once

namespace mcp {

/// What `.eras = …` in a Definition stands for: the code that serves the clients of an era. One of the constants below.
/// Source: basic/versioning, 2026-07-28.
class Eras {
 public:
  consteval Eras() : Eras(true, true) {}
  /// `legacy`: sessions, which begin with `initialize` (revisions up to 2025-11-25). `modern`: requests that say of
  /// themselves who asks (2026-07-28).
  consteval Eras(bool legacy, bool modern) : legacy_(legacy), modern_(modern) {}

  /// For the server.
  [[nodiscard]] constexpr bool legacy() const { return legacy_; }
  [[nodiscard]] constexpr bool modern() const { return modern_; }

 private:
  bool legacy_;
  bool modern_;
};

/// Both at once, on one endpoint or wire: what a Definition has when it says nothing.
inline constexpr Eras dual_era{true, true};
/// Revision 2026-07-28 alone.
inline constexpr Eras modern_era{false, true};
/// The revisions up to 2025-11-25 alone.
inline constexpr Eras legacy_era{true, false};

}  // namespace mcp
