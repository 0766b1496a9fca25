// SPDX-License-Identifier: Apache-2.0
/// @file
/// Sensirion SHT40, SHT41, SHT43 and SHT45: temperature and humidity, at 0x44, 0x45 or 0x46.
/// @code
/// mcp::I2cBus& bus();
/// constinit mcp::Sht4x cellar{bus, 0x44};
/// std::int32_t humidity() { return cellar.value(mcp::Sht4x::humidity); }  // hundredths of a percent
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>

#include "mcp/devices/sensor.hpp"

namespace mcp {

namespace detail {
inline constexpr Quantity sht4x_quantities[] = {{"temperature", "Cel", 2, -4000, 12'500},
                                                {"humidity", "%", 2, 0, 10'000}};
inline constexpr SensorType sht4x{"SHT4x", sht4x_quantities};
}  // namespace detail

/// An SHT4x: -40 to 125 degrees Celsius, 0 to 100 % of relative humidity. Each begin() is one measurement with high
/// precision. Its heater stays off. Errors: the device does not acknowledge its address while it measures, nor without
/// a measurement, so collect() has `no_device` also if the device has reset. Source: SHT4x (version 6), "Command
/// Overview", "Checksum Calculation" and "Conversion of Signal Output".
class Sht4x final : public I2cSensor {
 public:
  static constexpr const SensorType& type = detail::sht4x;  ///< The name and the values.
  static constexpr std::size_t temperature = 0;  ///< The index of the temperature, in hundredths of a degree Celsius.
  static constexpr std::size_t humidity = 1;     ///< The index of the relative humidity, in hundredths of a percent.
  /// `address` is 0x44, 0x45 or 0x46, according to the fifth letter of the name.
  constexpr Sht4x(I2cBusOf bus, std::uint8_t address) : I2cSensor(detail::sht4x, values_, bus, address) {}

 private:
  Begun do_begin(bool is_set_up) override;
  SensorError do_collect(std::int32_t* values) override;

  std::int32_t values_[2] = {};
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
