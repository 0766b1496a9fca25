// SPDX-License-Identifier: Apache-2.0
/// @file
/// Texas Instruments ADS1115: a converter of 16 bits with 4 inputs, at 0x48 to 0x4B. Each input is a sensor.
/// @code
/// mcp::I2cBus& bus();
/// constinit mcp::Ads1115 tank{bus, 0x48, mcp::Ads1115::Input::a0, mcp::Ads1115::Range::v4_096};
/// constinit mcp::Ads1115 bridge{bus, 0x48, mcp::Ads1115::Input::a2_a3, mcp::Ads1115::Range::v0_256};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>

#include "mcp/devices/sensor.hpp"

namespace mcp {

namespace detail {

/// The value of one step of the converter in microvolts is `numerator` / 2^`shift`.
struct Ads1115Step {
  std::uint16_t numerator;
  std::uint8_t shift;
  [[nodiscard]] constexpr std::int32_t microvolts(std::int32_t raw) const {
    return (raw * numerator + (1 << shift >> 1)) >> shift;
  }
};

// By the value of PGA, bits 11 to 9 of the configuration.
inline constexpr Ads1115Step ads1115_steps[] = {{375, 1}, {125, 0}, {125, 1}, {125, 2}, {125, 3}, {125, 4}};

/// The converter cuts larger voltages to its first and its last code, so these are outside.
consteval Quantity ads1115_quantity(std::size_t range) {
  return {"voltage", "mV", 3, ads1115_steps[range].microvolts(-0x7FFF), ads1115_steps[range].microvolts(0x7FFE)};
}
inline constexpr Quantity ads1115_quantities[] = {ads1115_quantity(0), ads1115_quantity(1), ads1115_quantity(2),
                                                  ads1115_quantity(3), ads1115_quantity(4), ads1115_quantity(5)};
inline constexpr SensorType ads1115_types[] = {
    {"ADS1115", {&ads1115_quantities[0], 1}}, {"ADS1115", {&ads1115_quantities[1], 1}},
    {"ADS1115", {&ads1115_quantities[2], 1}}, {"ADS1115", {&ads1115_quantities[3], 1}},
    {"ADS1115", {&ads1115_quantities[4], 1}}, {"ADS1115", {&ads1115_quantities[5], 1}}};

}  // namespace detail

/// One input, or the difference of two, of an ADS1115. Each begin() is one conversion at 128 samples per second, after
/// which the device sleeps. Several objects may share a device, one after the other: collect() of the first comes
/// before begin() of the second, else its error is `settings_lost`. poll_sensors() keeps this order. Errors:
/// `out_of_bounds` if the voltage is outside of the range. Limits: no input may exceed the supply voltage of the device
/// by more than 0.3 V, whatever the range. Source: SBAS444E, "Config Register", "Conversion Register", "Data Format"
/// and "Full-Scale Range (FSR)".
class Ads1115 final : public I2cSensor {
 public:
  static constexpr const SensorType& type = detail::ads1115_types[0];  ///< The name and the values.
  /// What is measured: the voltage between two pins, or between one pin and ground. The value is MUX.
  enum class Input : std::uint8_t { a0_a1, a0_a3, a1_a3, a2_a3, a0, a1, a2, a3 };
  /// The largest voltage in volts. The value is PGA.
  enum class Range : std::uint8_t { v6_144, v4_096, v2_048, v1_024, v0_512, v0_256 };

  static constexpr std::size_t voltage = 0;  ///< The index of the only value, in microvolts.

  /// `address` is 0x48 to 0x4B.
  constexpr Ads1115(I2cBusOf bus, std::uint8_t address, Input input, Range range)
      : I2cSensor(detail::ads1115_types[static_cast<std::size_t>(range)], value_, bus, address),
        configuration_(static_cast<std::uint16_t>(0x8183 | static_cast<unsigned>(input) << 12 |
                                                  static_cast<unsigned>(range) << 9)) {}

 private:
  Begun do_begin(bool is_set_up) override;
  SensorError do_collect(std::int32_t* values) override;

  std::uint16_t configuration_;
  std::int32_t value_[1] = {};
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
