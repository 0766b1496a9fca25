// Which revisions of MCP a server speaks.
#pragma once

namespace mcp {

namespace protocol {
struct Feature;
struct StatelessOps;
extern const Feature session_feature;
extern const StatelessOps stateless_ops;
extern const Feature discover_feature;
}  // namespace protocol

/// What `.eras = …` in a Definition stands for: the code that serves the clients of an era. One of the constants below.
/// Source: basic/versioning, 2026-07-28.
class Eras {
 public:
  consteval Eras() : Eras(true, true) {}
  /// `legacy`: sessions, which begin with `initialize` (revisions up to 2025-11-25). `modern`: requests that say of
  /// themselves who asks (2026-07-28).
  consteval Eras(bool legacy, bool modern)
      : stateless_(modern ? &protocol::stateless_ops : nullptr), legacy_(legacy), modern_(modern) {}

  /// For the server.
  [[nodiscard]] constexpr bool legacy() const { return legacy_; }
  [[nodiscard]] constexpr bool modern() const { return modern_; }
  [[nodiscard]] constexpr const protocol::StatelessOps* stateless() const { return stateless_; }

 private:
  const protocol::StatelessOps* stateless_;
  bool legacy_;  // the same, for compile time, where GCC's sanitizers compare no addresses
  bool modern_;
};

/// Both at once, on one endpoint or wire: what a Definition has when it says nothing.
inline constexpr Eras dual_era{true, true};
/// Revision 2026-07-28 alone.
inline constexpr Eras modern_era{false, true};
/// The revisions up to 2025-11-25 alone.
inline constexpr Eras legacy_era{true, false};

}  // namespace mcp
