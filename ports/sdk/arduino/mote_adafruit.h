// SPDX-License-Identifier: Apache-2.0
/// @file
/// Sensors of the Adafruit Unified Sensor library as sensors of mote. It needs that library (tested with 1.1.15).
/// @code
/// Adafruit_ADXL345_Unified adxl345;
/// Adafruit_Sensor* acceleration() { return &adxl345; }
/// constinit mcp::Measured<mcp::arduino::AdafruitSensor, each_second> motion{acceleration};
/// @endcode
#pragma once

#include <Adafruit_Sensor.h>
#include <Arduino.h>

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

#include <mcp/devices/sensor.hpp>

namespace mcp::arduino {

/// A function of the sketch that returns a sensor, or nullptr while there is none. Many drivers make their sensors in
/// begin(): `Adafruit_Sensor* humidity() { return bme280.getHumiditySensor(); }`.
using AdafruitSensorOf = Adafruit_Sensor* (*)();

namespace detail {

/// The values of a type of sensors. Their order is that of sensors_event_t::data.
struct AdafruitKind {
  std::string_view names[3];
  std::string_view unit;  // UCUM
  std::uint8_t decimals;
};

// The units are those of the comments of sensors_event_t.
constexpr AdafruitKind adafruit_kind(std::int32_t type) {
  switch (type) {
    case SENSOR_TYPE_ACCELEROMETER:
    case SENSOR_TYPE_GRAVITY:
    case SENSOR_TYPE_LINEAR_ACCELERATION: return {{"x", "y", "z"}, "m/s2", 3};
    case SENSOR_TYPE_MAGNETIC_FIELD: return {{"x", "y", "z"}, "uT", 2};
    case SENSOR_TYPE_ORIENTATION: return {{"roll", "pitch", "heading"}, "deg", 2};
    case SENSOR_TYPE_GYROSCOPE: return {{"x", "y", "z"}, "rad/s", 4};
    case SENSOR_TYPE_COLOR: return {{"red", "green", "blue"}, "1", 3};
    case SENSOR_TYPE_LIGHT: return {{"light"}, "lx", 2};
    case SENSOR_TYPE_PRESSURE: return {{"pressure"}, "hPa", 2};
    case SENSOR_TYPE_PROXIMITY: return {{"distance"}, "cm", 1};
    case SENSOR_TYPE_RELATIVE_HUMIDITY: return {{"humidity"}, "%", 2};
    case SENSOR_TYPE_AMBIENT_TEMPERATURE:
    case SENSOR_TYPE_OBJECT_TEMPERATURE: return {{"temperature"}, "Cel", 2};
    case SENSOR_TYPE_VOLTAGE: return {{"voltage"}, "V", 3};
    case SENSOR_TYPE_CURRENT: return {{"current"}, "mA", 3};
    case SENSOR_TYPE_TVOC: return {{"tvoc"}, "[ppb]", 0};
    case SENSOR_TYPE_VOC_INDEX: return {{"vocIndex"}, "1", 0};
    case SENSOR_TYPE_NOX_INDEX: return {{"noxIndex"}, "1", 0};
    case SENSOR_TYPE_CO2: return {{"co2"}, "[ppm]", 0};
    case SENSOR_TYPE_ECO2: return {{"eco2"}, "[ppm]", 0};
    case SENSOR_TYPE_PM10_STD:
    case SENSOR_TYPE_PM10_ENV: return {{"pm1"}, "[ppm]", 0};
    case SENSOR_TYPE_PM25_STD:
    case SENSOR_TYPE_PM25_ENV: return {{"pm2_5"}, "[ppm]", 0};
    case SENSOR_TYPE_PM100_STD:
    case SENSOR_TYPE_PM100_ENV: return {{"pm10"}, "[ppm]", 0};
    case SENSOR_TYPE_GAS_RESISTANCE: return {{"gasResistance"}, "Ohm", 0};
    case SENSOR_TYPE_UNITLESS_PERCENT: return {{"percent"}, "%", 2};
    case SENSOR_TYPE_ALTITUDE: return {{"altitude"}, "m", 2};
    default: return {};  // a rotation vector, which has no values, or a newer type
  }
}

/// Multiplies by a power of ten and rounds. A number that does not fit becomes the largest one.
inline std::int32_t scale(float value, std::uint8_t decimals) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  float scaled = value;
  for (std::uint8_t i = 0; i < decimals; ++i) scaled *= 10;
  if (scaled >= static_cast<float>(most)) return most;
  if (scaled <= -static_cast<float>(most)) return -most;
  return static_cast<std::int32_t>(scaled < 0 ? scaled - 0.5F : scaled + 0.5F);
}

}  // namespace detail

/// An Adafruit_Sensor as an mcp::Sensor. The first begin(), and the first one after an error, reads the name, the type
/// and the bounds of the sensor. Its unit has a fixed number of decimals: 2 for Cel, hPa, %, uT, deg, lx and m, 3 for
/// m/s2, V, mA and colors, 4 for rad/s, 1 for cm, and 0 for others. The library has numbers of type `float`, so about
/// 7 digits, and links the arithmetic for them on a processor that has none.
///
/// Errors: `not_ready` without a sensor, `bus` if getEvent() returns false, `invalid_data` for a value that is not a
/// number or infinite and for an unknown type, and `out_of_bounds`. The bounds are those of the library. If its minimum
/// is not below its maximum, there are none. A driver may ignore errors of the bus: with Adafruit_BME280 2.2.4, a
/// device that was unplugged has values. Lifetime: the sensor must outlive the object. Context: main loop. collect()
/// blocks as long as getEvent() of the driver, which may wait for a measurement.
class AdafruitSensor final : public Sensor {
 public:
  /// `sensor` is a function of the sketch.
  constexpr explicit AdafruitSensor(AdafruitSensorOf sensor) : Sensor(type_, values_), sensor_(sensor) {}

  /// Returns the time of the last values in milliseconds of millis(). It is sensors_event_t::timestamp, or the time of
  /// collect() if the driver has none.
  [[nodiscard]] Millis measured_ms() const { return measured_ms_; }

 private:
  Begun do_begin(bool is_set_up) override {
    Adafruit_Sensor* const sensor = sensor_();
    if (sensor == nullptr) return {SensorFault::not_ready};
    if (is_set_up) return {};
    sensor_t details = {};
    sensor->getSensor(&details);
    const detail::AdafruitKind kind = detail::adafruit_kind(details.type);
    if (kind.unit.empty()) return {SensorFault::invalid_data};
    set_type(details, kind);
    return {};
  }

  SensorError do_collect(std::int32_t* values) override {
    Adafruit_Sensor* const sensor = sensor_();
    if (sensor == nullptr) return SensorFault::not_ready;
    sensors_event_t event = {};
    if (!sensor->getEvent(&event)) return BusError::failed;
    for (std::size_t i = 0; i < type_.quantities.size(); ++i) {
      const float value = event.data[i];
      if (!(value - value == 0)) return SensorFault::invalid_data;  // not a number, or infinite
      values[i] = detail::scale(value, quantities_[i].decimals);
    }
    measured_ms_ = event.timestamp != 0 ? static_cast<Millis>(event.timestamp) : static_cast<Millis>(millis());
    return {};
  }

  void set_type(const sensor_t& details, const detail::AdafruitKind& kind) {
    constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
    const bool has_bounds = details.min_value < details.max_value;
    std::size_t count = 0;
    for (const std::string_view name : kind.names) {
      if (name.empty()) break;
      quantities_[count++] = {name, kind.unit, kind.decimals,
                              has_bounds ? detail::scale(details.min_value, kind.decimals) : -most,
                              has_bounds ? detail::scale(details.max_value, kind.decimals) : most};
    }
    static_assert(sizeof name_ == sizeof details.name);
    std::memcpy(name_, details.name, sizeof name_);
    std::size_t size = 0;
    while (size < sizeof name_ && name_[size] != '\0') ++size;
    if (size != 0) type_.name = {name_, size};
    type_.quantities = {quantities_, count};
  }

  SensorType type_{"Adafruit_Sensor", {}};
  Quantity quantities_[3] = {};
  std::int32_t values_[3] = {};
  AdafruitSensorOf sensor_;
  Millis measured_ms_ = 0;
  char name_[12] = {};
};

}  // namespace mcp::arduino

#include <mcp/detail/epilogue.hpp>
