// Log levels, and the two areas that a Definition switches on by name.
#pragma once

#include <cstdint>

namespace mcp {

namespace protocol {
struct Feature;
extern const Feature logging_feature;
extern const Feature list_changes_feature;
}  // namespace protocol

/// Severity, as in RFC 5424. Source: server/utilities/logging#log-levels, 2025-11-25.
enum class LogLevel : std::uint8_t { debug, info, notice, warning, error, critical, alert, emergency };

/// What `= true` in a Definition stands for: the code that serves it. What is not switched on is not linked.
template <const protocol::Feature& feature_of>
class Switch {
 public:
  constexpr Switch() = default;
  consteval Switch(bool on) : feature_(on ? &feature_of : nullptr), on_(on) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] constexpr bool on() const { return on_; }
  [[nodiscard]] constexpr const protocol::Feature* feature() const { return feature_; }

 private:
  const protocol::Feature* feature_ = nullptr;
  bool on_ = false;  // the same, for compile time, where GCC's sanitizers compare no addresses
};

}  // namespace mcp
