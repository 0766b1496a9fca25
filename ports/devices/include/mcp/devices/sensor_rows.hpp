// SPDX-License-Identifier: Apache-2.0
/// @file
/// Sensors that are measured again and again, and the rows that serve them.
/// @code
/// #include <mcp/devices/bme280.hpp>
/// mcp::I2cBus& bus();
/// constexpr mcp::MeasureOptions each_minute{.now = board::millis, .interval_ms = 60'000};
/// constinit mcp::Measured<mcp::Bme280, each_minute> air{bus, 0x76};
/// constexpr mcp::Resource resources[] = {
///     mcp::sensor<air>({.uri = "sensor://air", .name = "air", .title = "Air", .subscribable = true})};
/// constexpr mcp::SensorRow rows[] = {{&air, &resources[0]}};
/// mcp::Millis poll(const mcp::Server& server) { return mcp::poll_sensors(rows, server); }  // in the main loop
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/errors.hpp>
#include <mcp/history.hpp>
#include <mcp/port.hpp>
#include <mcp/resource.hpp>
#include <span>

#include "mcp/devices/sensor.hpp"

namespace mcp {

class Server;

namespace compile_error {
void the_row_of_a_sensor_must_not_have_a_read_function();
void the_options_of_a_history_of_a_sensor_must_not_have_a_unit_or_decimals();
}  // namespace compile_error

/// When sensors are measured, as a constant.
struct MeasureOptions {
  /// Returns milliseconds since some moment, such as `board::millis`. Required. It may wrap at 2^32.
  Millis (*now)() = nullptr;
  /// The time from the begin of a measurement to the begin of the next one, 1 to 2^31 - 1.
  Millis interval_ms = 1000;
};

/// A sensor that is measured again and again, without its type. See Measured. Context: main loop; never waits.
class MeasuredSensor {
 public:
  MeasuredSensor(const MeasuredSensor&) = delete;
  MeasuredSensor& operator=(const MeasuredSensor&) = delete;

  /// Begins a measurement or reads its values, if that is due. Returns true if there are new values, or an error that
  /// the measurement before had not. After an error it measures again when the next measurement is due.
  bool poll();

  /// Returns after how many milliseconds poll() has to be called; 0: now.
  [[nodiscard]] Millis due_ms() const;

  /// Returns whether there are values, those of the last measurement.
  [[nodiscard]] bool has_values() const { return has_ended_ && !error_; }
  /// Returns the error of the last measurement. Without a measurement, it is `not_begun`.
  [[nodiscard]] SensorError error() const { return has_ended_ ? error_ : SensorFault::not_begun; }
  /// Returns a value of the last measurement. Only valid if has_values() is true.
  [[nodiscard]] std::int32_t value(std::size_t quantity) const { return sensor_.value(quantity); }
  /// Returns when the last measurement ended, as MeasureOptions::now.
  [[nodiscard]] Millis measured_ms() const { return measured_ms_; }
  /// Returns whether a measurement has begun, and poll() has not read its values.
  [[nodiscard]] bool is_measuring() const { return is_measuring_; }
  /// Returns the name, the address and the quantities.
  [[nodiscard]] const Sensor& sensor() const { return sensor_; }

  /// @cond server
  Errc read(ReadResult& out) const;
  /// @endcond

 protected:
  /// Lifetime: both live as long as this object.
  constexpr MeasuredSensor(Sensor& sensor, const MeasureOptions& options) : sensor_(sensor), options_(options) {}
  ~MeasuredSensor() = default;

 private:
  bool end(const SensorError& error, Millis now);

  Sensor& sensor_;
  const MeasureOptions& options_;
  Millis begun_ms_ = 0;
  Millis due_at_ms_ = 0;
  Millis measured_ms_ = 0;
  SensorError error_ = {};
  bool has_begun_ = false;  // ever
  bool has_ended_ = false;  // ever
  bool is_measuring_ = false;
};

namespace detail {

/// A base, so that the driver is made before the object that refers to it.
template <class Driver>
struct DriverOf {
  Driver driver;
};

}  // namespace detail

/// A sensor with its driver, such as `mcp::Measured<mcp::Lm75, each_second> room{board::i2c0, 0x48};`. Define it as a
/// `constinit` variable at namespace scope. RAM: that of the driver, and 28 bytes with 32 bits.
template <class Driver, const MeasureOptions& options>
class Measured : private detail::DriverOf<Driver>, public MeasuredSensor {
  static_assert(options.now != nullptr, "a measured sensor needs a now function");
  static_assert(options.interval_ms >= 1 && options.interval_ms <= 0x7FFF'FFFF, "the interval is 1 to 2^31 - 1 ms");

 public:
  /// Makes the driver. The arguments are those of its constructor.
  template <class... Arguments>
  constexpr Measured(I2cBusOf bus, std::uint8_t address, Arguments... arguments)
      : detail::DriverOf<Driver>{Driver(bus, address, arguments...)}, MeasuredSensor(this->driver, options) {}
  /// Makes a driver that is on no I2C bus, from the one argument of its constructor.
  template <class Source>
  constexpr explicit Measured(Source source)
      : detail::DriverOf<Driver>{Driver(source)}, MeasuredSensor(this->driver, options) {}
};

namespace detail {

template <auto& measured>
Errc read_sensor(ReadResult& out) {
  return measured.read(out);
}

}  // namespace detail

/// Returns the row of a resource whose body is the last values of a sensor, as JSON:
/// `{"temperature":{"value":21.5,"unit":"Cel"},"secondsAgo":3}`. `row` has the members of the row, without a read
/// function. With `.as_tool`, it is also a tool (see mcp::tools_of). Errors: if the last measurement failed, the client
/// gets the text of describe(). Lifetime: `measured` is a variable at namespace scope.
template <auto& measured>
consteval Resource sensor(Resource row) {
  if (row.read != nullptr || row.stream.on()) compile_error::the_row_of_a_sensor_must_not_have_a_read_function();
  row.read = detail::read_sensor<measured>;
  if (row.mime_type.empty()) row.mime_type = "application/json";
  return row;
}

/// Returns options with the unit and the decimals of a value of a driver: `constexpr mcp::HistoryOptions celsius =
/// mcp::history_options<mcp::Bme280>(mcp::Bme280::temperature, {.now = board::millis, .notify_above = 30});`
template <class Driver>
consteval HistoryOptions history_options(std::size_t quantity, HistoryOptions options) {
  if (!options.unit.empty() || options.decimals != 0)
    compile_error::the_options_of_a_history_of_a_sensor_must_not_have_a_unit_or_decimals();
  options.unit = Driver::type.quantities[quantity].unit;
  options.decimals = Driver::type.quantities[quantity].decimals;
  return options;
}

/// Adds a value of a sensor to a History, for SensorRow::changed. Returns true if the row of the history is to be
/// updated: as History::add().
template <auto& history, std::size_t quantity>
bool add_to(const MeasuredSensor& sensor) {
  return sensor.has_values() && history.add(sensor.value(quantity), sensor.measured_ms());
}

/// A row that is updated when a sensor has been measured.
struct SensorRow {
  MeasuredSensor* sensor;         ///< The sensor. Required.
  const Resource* row = nullptr;  ///< A row of the table of resources, with `.subscribable`, or nullptr.
  /// Called after each measurement that has values or a new error. Returns whether the row has changed. nullptr: it
  /// has. Such as `mcp::add_to<temperature, mcp::Bme280::temperature>`.
  bool (*changed)(const MeasuredSensor& sensor) = nullptr;
};

/// Measures the sensors of these rows if that is due, and calls Server::resource_updated() for the rows that have
/// changed. Rows with one sensor follow one another. Sensors with one address, such as the inputs of an Ads1115, are
/// measured one after the other. Returns after how many milliseconds to call it again; 0: now. Context: main loop.
Millis poll_sensors(std::span<const SensorRow> rows, const Server& server);

/// Calls poll_sensors() until each sensor has values or an error. Call it before the main loop, so that the first
/// client gets values, and not the error `not_begun`. Context: main loop; blocks without a sleep for one measurement of
/// each sensor, such as 300 ms for a Tmp105. No transport is polled meanwhile.
void measure_sensors(std::span<const SensorRow> rows, const Server& server);

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
