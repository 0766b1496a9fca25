// SPDX-License-Identifier: Apache-2.0
#include "ports/workbench/workbench_texts.hpp"

#include <bit>
#include <limits>

namespace mcp::detail {
namespace {

std::uint32_t power_of_10(unsigned exponent) {
  std::uint32_t power = 1;
  for (unsigned i = 0; i < exponent; ++i) power *= 10;
  return power;
}

// Whole units as a value of a quantity, at most the bounds of its data sheet.
std::int32_t in_bounds(const Quantity& quantity, std::int32_t units) {
  const std::int64_t value = std::int64_t{units} * power_of_10(quantity.decimals);
  if (value < quantity.minimum) return quantity.minimum;
  return value > quantity.maximum ? quantity.maximum : static_cast<std::int32_t>(value);
}

}  // namespace

std::string_view reason_name(RestReason reason) {
  switch (reason) {
    case RestReason::none: break;
    case RestReason::by_client: return "its client ended it";
    case RestReason::all_off: return "all_off";
    case RestReason::time_over: return "its time was over";
    case RestReason::away_limit: return "it was away from rest for as long as it may";
    case RestReason::budget: return "its budget was used up";
    case RestReason::client_gone: return "its client was gone";
    case RestReason::interlock: return "the device was no longer in the state that the pin needs";
    case RestReason::wrong_level: return "short circuit: its wire had another level";
    case RestReason::pin_failed: return "the pin reported an error";
    case RestReason::sensor_lost: return "the sensor was lost";
    case RestReason::out_of_bounds: return "the reading was out of its bounds";
  }
  return "not used yet";
}

bool to_scaled(float value, unsigned decimals, std::int32_t& out) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  constexpr unsigned fraction_bits = 23;
  const unsigned exponent = bits >> fraction_bits & 0xFF;
  if (exponent == 0xFF) return false;
  std::uint64_t product = bits & ((1U << fraction_bits) - 1);
  if (exponent != 0) product |= 1U << fraction_bits;
  product *= power_of_10(decimals);
  constexpr unsigned bias = 127 + fraction_bits;
  const unsigned shift = (exponent == 0 ? 1 : exponent);
  if (shift >= bias) {
    if (product != 0 && shift - bias > 8) return false;
    product <<= shift - bias;
  } else {
    const unsigned right = bias - shift;
    product = right > 62 ? 0 : (product + (std::uint64_t{1} << (right - 1))) >> right;
  }
  if (product > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) return false;
  out = static_cast<std::int32_t>(product);
  if (bits >> 31 != 0) out = -out;
  return true;
}

HoldBounds hold_bounds(const WorkbenchReading& reading) {
  const Quantity& quantity = quantity_of(reading);
  if (reading.hold_from == 0 && reading.hold_to == 0) return {quantity.minimum, quantity.maximum};
  return {in_bounds(quantity, reading.hold_from), in_bounds(quantity, reading.hold_to)};
}

}  // namespace mcp::detail
