// The levels of log messages, and how a Definition asks for them.
#pragma once

#include <cstdint>

namespace mcp {

namespace protocol {
struct Feature;
extern const Feature logging_feature;
}  // namespace protocol

/// Severity, as in RFC 5424. Source: server/utilities/logging#log-levels, 2025-11-25.
enum class LogLevel : std::uint8_t { debug, info, notice, warning, error, critical, alert, emergency };

/// `.logging = true` in a Definition: clients may follow what Server::log() is given.
class Logging {
 public:
  constexpr Logging() = default;
  consteval Logging(bool on) : feature_(on ? &protocol::logging_feature : nullptr) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] constexpr const protocol::Feature* feature() const { return feature_; }

 private:
  const protocol::Feature* feature_ = nullptr;
};

}  // namespace mcp
