// SPDX-License-Identifier: Apache-2.0
/// @file
/// Bosch BME280 (temperature, pressure, humidity) and BMP280 (temperature, pressure), at 0x76 or 0x77.
/// @code
/// mcp::I2cBus& bus();
/// constinit mcp::Bme280 air{bus, 0x76};
/// std::int32_t pascals() { return air.value(mcp::Bme280::pressure); }  // hundredths of a hectopascal
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>

#include "mcp/devices/sensor.hpp"

namespace mcp {

namespace detail {

/// The trimming parameters of a device, and the compensation of its raw values. Source: BST-BME280-DS002, sections
/// 4.2.2 and 4.2.3. All is computed with 64 bits, so no parameters overflow, whatever a device sends.
struct Bme280Trim {
  std::uint16_t t1;
  std::int16_t t2, t3;
  std::uint16_t p1;
  std::int16_t p2, p3, p4, p5, p6, p7, p8, p9;
  std::uint8_t h1, h3;
  std::int8_t h6;
  std::int16_t h2, h4, h5;

  friend constexpr bool operator==(const Bme280Trim&, const Bme280Trim&) = default;

  /// Returns the temperature in 5120ths of a degree Celsius, on which the other values depend.
  [[nodiscard]] std::int32_t fine(std::int32_t raw) const;
  /// Returns hundredths of a degree Celsius.
  [[nodiscard]] static std::int32_t temperature(std::int32_t fine) { return (fine * 5 + 128) >> 8; }
  /// Returns hundredths of a hectopascal; 0 if no device has these parameters. `fine` is of -40 to 85 degrees.
  [[nodiscard]] std::int32_t pressure(std::int32_t fine, std::int32_t raw) const;
  /// Returns hundredths of a percent, 0 to 10,000. `fine` is of -40 to 85 degrees.
  [[nodiscard]] std::int32_t humidity(std::int32_t fine, std::int32_t raw) const;
};

class Bme280Family : public I2cSensor {
 public:
  static constexpr std::size_t temperature = 0;  ///< The index of the temperature, in hundredths of a degree Celsius.
  static constexpr std::size_t pressure = 1;     ///< The index of the pressure, in hundredths of a hectopascal.

 protected:
  constexpr Bme280Family(const SensorType& type, I2cBusOf bus, std::uint8_t address)
      : I2cSensor(type, values_, bus, address) {}
  ~Bme280Family() = default;

 private:
  // Inline, so that a source of an application with RTTI has the type information of this class. The library, which is
  // compiled without, has none.
  Begun do_begin(bool is_set_up) override { return begin_measurement(is_set_up); }
  SensorError do_collect(std::int32_t* values) override { return read_values(values); }
  Begun begin_measurement(bool is_set_up);
  SensorError read_values(std::int32_t* values);
  SensorError set_up();
  SensorError read_trim(Bme280Trim& trim);
  [[nodiscard]] bool has_humidity() const { return quantities().size() == 3; }

  Bme280Trim trim_ = {};
  std::int32_t values_[3] = {};
};

inline constexpr Quantity bme280_quantities[] = {
    {"temperature", "Cel", 2, -4000, 8500}, {"pressure", "hPa", 2, 30'000, 110'000}, {"humidity", "%", 2, 0, 10'000}};
inline constexpr SensorType bme280{"BME280", bme280_quantities};
inline constexpr SensorType bmp280{"BMP280", {bme280_quantities, 2}};

}  // namespace detail

/// A BME280: -40 to 85 degrees Celsius, 300 to 1100 hPa, 0 to 100 % of relative humidity. Each begin() is one
/// measurement without oversampling, after which the device sleeps. The driver leaves a mark in an unused setting of
/// the device, which a reset clears, so a replaced device never gets the parameters of the one before.
/// Source: BST-BME280-DS002, sections 3.3.3, 4, 5.4 and 9.1.
class Bme280 final : public detail::Bme280Family {
 public:
  static constexpr const SensorType& type = detail::bme280;  ///< The name and the values.
  static constexpr std::size_t humidity = 2;  ///< The index of the relative humidity, in hundredths of a percent.
  /// `address` is 0x76 (SDO low) or 0x77 (SDO high).
  constexpr Bme280(I2cBusOf bus, std::uint8_t address) : Bme280Family(detail::bme280, bus, address) {}
};

/// A BMP280, which has no humidity. Modules with one of both are often sold as the other: then the error is
/// `wrong_device`. Source: BST-BMP280-DS001, sections 3.6.2, 3.8.1, 3.11 and 4.3.
class Bmp280 final : public detail::Bme280Family {
 public:
  static constexpr const SensorType& type = detail::bmp280;  ///< The name and the values.
  /// `address` is 0x76 (SDO low) or 0x77 (SDO high).
  constexpr Bmp280(I2cBusOf bus, std::uint8_t address) : Bme280Family(detail::bmp280, bus, address) {}
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
