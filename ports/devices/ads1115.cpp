// SPDX-License-Identifier: Apache-2.0
#include "mcp/devices/ads1115.hpp"

namespace mcp {
namespace {

constexpr std::uint8_t conversion_register = 0;
constexpr std::uint8_t ads1115_configuration = 1;
// Written: begin a conversion. Read: no conversion is in progress. The constructor has set it, MODE (one conversion),
// DR (128 per second) and COMP_QUE (no comparator).
constexpr unsigned start = 0x8000;
constexpr Millis ads1115_conversion_ms = 10;  // 1/128 s, 10 % slower at most, and a millisecond that has begun

}  // namespace

Sensor::Begun Ads1115::do_begin(bool) {
  return {write_word(ads1115_configuration, configuration_), ads1115_conversion_ms};
}

SensorError Ads1115::do_collect(std::int32_t* values) {
  std::uint16_t word = 0;
  if (const SensorError error = read_word(ads1115_configuration, word); error) return error;
  if (((word ^ configuration_) & ~start) != 0) return SensorFault::settings_lost;
  if ((word & start) == 0) return SensorFault::not_ready;
  if (const SensorError error = read_word(conversion_register, word); error) return error;
  const std::size_t range = configuration_ >> 9 & 7;
  values[voltage] = detail::ads1115_steps[range].microvolts(static_cast<std::int16_t>(word));
  return {};
}

}  // namespace mcp
