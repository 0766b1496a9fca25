// SPDX-License-Identifier: Apache-2.0
#include "mcp/devices/lm75.hpp"

namespace mcp::detail {
namespace {

constexpr std::uint8_t temperature_register = 0;
constexpr std::uint8_t lm75_configuration = 1;
// Of 12 bits: 220 ms typically, 300 ms at most (TMP75). Until the first one ends, the temperature register is 0.
constexpr Millis lm75_conversion_ms = 300;

}  // namespace

// All devices convert without a command. An LM75 has test bits in its configuration where the others have the
// resolution, so its configuration is never written.
Sensor::Begun Lm75Family::begin_measurement(bool is_set_up) {
  const std::size_t size = chip_.configuration_size;
  if (size == 0 && is_set_up) return {};
  std::uint8_t in[2] = {};
  const SensorError error =
      size == 0 ? read_registers(temperature_register, in) : read_registers(lm75_configuration, {in, size});
  if (error) return {error};
  const std::uint16_t configuration = chip_.configuration;
  if ((((in[0] << 8 | in[1]) ^ configuration) & chip_.checked) == 0) return {{}, is_set_up ? 0 : lm75_conversion_ms};
  const std::uint8_t out[] = {lm75_configuration, static_cast<std::uint8_t>(configuration >> 8),
                              static_cast<std::uint8_t>(configuration)};
  return {write({out, 1 + size}), lm75_conversion_ms};
}

SensorError Lm75Family::read_values(std::int32_t* values) {
  std::uint16_t raw = 0;
  if (const SensorError error = read_word(temperature_register, raw); error) return error;
  // A device that loses its power within the transaction leaves ones. For a device with undefined bits, this is a
  // temperature, so only a second transaction tells.
  if (raw == 0xFFFF) {
    if (const SensorError error = read_word(temperature_register, raw); error) return error;
  }
  if ((raw & chip_.zero_bits) != 0) return SensorFault::invalid_data;
  // Signed 256ths of a degree; 100 / 256 = 25 / 64, rounded. The right shift of a negative number rounds down.
  const std::int32_t degrees_256 = static_cast<std::int16_t>(raw & chip_.value_bits);
  values[temperature] = (degrees_256 * 25 + 32) >> 6;
  return {};
}

}  // namespace mcp::detail
