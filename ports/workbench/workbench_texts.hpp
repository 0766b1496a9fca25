// SPDX-License-Identifier: Apache-2.0
// Pieces of texts and numbers that the sources of the workbench share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mcp/devices/sensor_rows.hpp>
#include <mcp/ports/pins.hpp>
#include <mcp/text_pieces.hpp>
#include <string_view>

#include "mcp/workbench/core.hpp"

namespace mcp::detail {

/// Returns whether `end` has passed or is now.
constexpr bool is_past(Millis now, Millis end) { return now - end < 0x8000'0000; }

constexpr std::string_view level_name(bool high) { return high ? "high" : "low"; }

/// A byte as two hexadecimal digits, for a text.
struct HexByte {
  std::uint8_t byte;
  void operator()(TextWriter& text) const {
    constexpr std::string_view digits = "0123456789abcdef";
    text.add(digits[byte >> 4], digits[byte & 15]);
  }
};

/// Returns a sentence without its full stop, for a list: why a pin went to rest.
std::string_view reason_name(RestReason reason);

/// Converts a number of a client to an integer with this number of decimals, rounded to the nearest and a half away
/// from zero. Returns false if it is not finite or does not fit.
bool to_scaled(float value, unsigned decimals, std::int32_t& out);

/// The quantity of a reading.
inline const Quantity& quantity_of(const WorkbenchReading& reading) {
  return reading.sensor->sensor().quantities()[reading.quantity];
}

/// A value of a reading with its unit, for a text.
struct ReadingText {
  const WorkbenchReading& reading;
  std::int32_t value;
  void operator()(TextWriter& text) const {
    const Quantity& quantity = quantity_of(reading);
    text.add(Scaled{value, quantity.decimals}, ' ', quantity.unit);
  }
};

/// The bounds of the targets of a hold.
struct HoldBounds {
  std::int32_t from;
  std::int32_t to;
};
HoldBounds hold_bounds(const WorkbenchReading& reading);

}  // namespace mcp::detail
