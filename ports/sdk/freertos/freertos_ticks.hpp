// SPDX-License-Identifier: Apache-2.0
// Converts milliseconds and ticks. Does not depend on FreeRTOS.
#pragma once

#include <cstdint>
#include <mcp/port.hpp>

namespace mcp::freertos {

/// The highest tick rate with which no product below overflows.
inline constexpr std::uint32_t highest_rate = 4'000'000;

/// Returns `rate`, the number of ticks in a second.
template <std::uint32_t rate>
consteval std::uint32_t tick_rate() {
  static_assert(rate > 0 && rate <= highest_rate, "configTICK_RATE_HZ must be 1 to 4,000,000");
  return rate;
}

/// Returns whether the milliseconds are a multiple of the tick count, also after it has wrapped.
template <class Ticks>
constexpr bool is_multiple(std::uint32_t rate) {
  return sizeof(Ticks) >= sizeof(Millis) && 1000 % rate == 0;
}

/// Returns the ticks that `ms` milliseconds take, rounded up, and at most `longest`.
template <class Ticks>
constexpr Ticks to_ticks(Millis ms, std::uint32_t rate, Ticks longest) {
  const std::uint64_t ticks = std::uint64_t{ms / 1000} * rate + (ms % 1000 * rate + 999) / 1000;
  return ticks < longest ? static_cast<Ticks>(ticks) : longest;
}

/// A clock for any tick rate and any size of a tick count. Needs a call of at() before the tick count returns to its
/// value of the last call.
template <class Ticks>
class TickClock {
 public:
  /// Returns the milliseconds at the tick count `now`.
  constexpr Millis at(Ticks now, std::uint32_t rate) {
    const auto passed = static_cast<Ticks>(now - last_);
    last_ = now;
    const std::uint32_t rest = static_cast<std::uint32_t>(passed % rate) * 1000 + remainder_;
    ms_ += static_cast<Millis>(passed / rate) * 1000 + rest / rate;
    remainder_ = rest % rate;
    return ms_;
  }

 private:
  Millis ms_ = 0;
  std::uint32_t remainder_ = 0;  // in parts of a millisecond, `rate` of them
  Ticks last_ = 0;
};

}  // namespace mcp::freertos
