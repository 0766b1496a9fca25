// Log levels, and the areas that a Definition switches on by name.
#pragma once

#include <cstdint>

#include "mcp/port.hpp"
#include "mcp/session_id.hpp"

namespace mcp {

/// Where the bytes of a session go: one stream for all of them, or a stream of its own for each request that takes
/// long. A transport gives the numbers.
using Channel = std::uint16_t;
/// There is one stream for everything, as on stdio.
inline constexpr Channel only_channel = 0;
/// What belongs to no request.
inline constexpr Channel session_channel = 0xFFFF;

/// Where nobody listens: nothing is sent, and what needs no listener goes on.
inline constexpr Channel no_channel = 0xFFFE;

/// Severity, as in RFC 5424. Source: server/utilities/logging#log-levels, 2025-11-25.
enum class LogLevel : std::uint8_t { debug, info, notice, warning, error, critical, alert, emergency };

/// What `= true` in a Definition stands for. What is not switched on is not linked.
class FeatureFlag {
 public:
  constexpr FeatureFlag() = default;
  consteval FeatureFlag(bool on) : on_(on) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] constexpr bool on() const { return on_; }

 private:
  bool on_ = false;
};

/// What a Definition has done when the roots of a client change: `.roots_changed = function`. Main loop, must not
/// block. Source: client/roots#root-list-changes, 2025-11-25.
class RootsChanged {
 public:
  using Function = void (*)(SessionId client);
  constexpr RootsChanged() = default;
  consteval RootsChanged(Function told) : function_(told), on_(true) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] constexpr Function function() const { return function_; }
  [[nodiscard]] constexpr bool on() const { return on_; }

 private:
  Function function_ = nullptr;
  bool on_ = false;  // the same, for compile time, where GCC's sanitizers compare no addresses
};

namespace compile_error {
void the_times_of_keep_alive_must_be_1_to_2147483647_milliseconds();
}

/// When a client counts as gone: `.keep_alive = {30'000, 10'000}`. Source: basic/utilities/ping, 2025-11-25.
class KeepAlive {
 public:
  constexpr KeepAlive() = default;
  /// A client of which nothing came for `interval_ms` is sent a ping. When nothing comes for `timeout_ms` more, its
  /// session ends, with all that runs in it. Both 1 to 2^31 - 1.
  consteval KeepAlive(Millis interval_ms, Millis timeout_ms)
      : interval_ms_(interval_ms), timeout_ms_(timeout_ms), on_(true) {
    // Of 0 the time is one more than the greatest.
    if (interval_ms - 1 > 0x7FFFFFFE || timeout_ms - 1 > 0x7FFFFFFE) {
      compile_error::the_times_of_keep_alive_must_be_1_to_2147483647_milliseconds();
    }
  }
  [[nodiscard]] constexpr Millis interval_ms() const { return interval_ms_; }
  [[nodiscard]] constexpr Millis timeout_ms() const { return timeout_ms_; }
  [[nodiscard]] constexpr bool on() const { return on_; }

 private:
  Millis interval_ms_ = 0;
  Millis timeout_ms_ = 0;
  bool on_ = false;
};

}  // namespace mcp
