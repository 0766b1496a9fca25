// SPDX-License-Identifier: Apache-2.0
#include "mcp/devices/ina219.hpp"

namespace mcp::detail {
namespace {

constexpr std::uint8_t ina219_configuration = 0;
constexpr std::uint8_t shunt_register = 1;
constexpr std::uint8_t bus_register = 2;
constexpr std::uint8_t manufacturer_register = 0xFE;
constexpr std::uint8_t die_register = 0xFF;
constexpr std::uint16_t manufacturer = 0x5449;
constexpr std::uint16_t die = 0x2260;

}  // namespace

// Writing the configuration clears the flag that a measurement is complete.
Sensor::Begun InaFamily::begin_measurement(bool is_set_up) {
  if (!is_set_up && chip_.has_id) {
    std::uint16_t word = 0;
    if (const SensorError error = read_word(manufacturer_register, word); error) return {error};
    if (word != manufacturer) return {SensorFault::wrong_device};
    if (const SensorError error = read_word(die_register, word); error) return {error};
    if (word != die) return {SensorFault::wrong_device};
  }
  return {write_word(ina219_configuration, chip_.configuration), chip_.measurement_ms};
}

// The current comes from the voltage of the shunt, so the calibration register stays as it is.
SensorError InaFamily::read_values(std::int32_t* values) {
  std::uint16_t word = 0;
  if (const SensorError error = read_word(ina219_configuration, word); error) return error;
  if (word != chip_.configuration) return SensorFault::settings_lost;
  if (const SensorError error = read_word(chip_.ready_register, word); error) return error;
  if ((word & chip_.ready_bit) == 0) return SensorFault::not_ready;
  if (const SensorError error = read_word(bus_register, word); error) return error;
  values[voltage] = (word >> chip_.voltage_shift) * chip_.voltage_step;
  if (const SensorError error = read_word(shunt_register, word); error) return error;
  const auto code = static_cast<std::int16_t>(word);
  const Quantity& of_current = quantities()[current];
  // With a large shunt, the current of a cut code rounds to that of the code before.
  if (code > chip_.most_code) {
    values[current] = of_current.maximum + 1;
  } else if (code < -chip_.most_code) {
    values[current] = of_current.minimum - 1;
  } else {
    values[current] = ina_current(code * chip_.shunt_step_nv, shunt_micro_ohm_);
  }
  return {};
}

}  // namespace mcp::detail
