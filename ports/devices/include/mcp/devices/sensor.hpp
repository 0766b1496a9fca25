// SPDX-License-Identifier: Apache-2.0
/// @file
/// The interface of a sensor whose measurement never waits, and the base of drivers for sensors on an I2C bus.
/// @code
/// mcp::Millis begin(mcp::Sensor& sensor) {
///   const mcp::Sensor::Begun begun = sensor.begin();
///   return begun.error ? 1000 : begun.ready_ms;  // when to call end()
/// }
/// mcp::Errc end(mcp::Sensor& sensor, mcp::Call& call) {
///   if (const mcp::SensorError error = sensor.collect(); error) return call.fail(mcp::describe(sensor, error));
///   return call.result().text(mcp::Scaled{sensor.value(0), sensor.quantities()[0].decimals});
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/port.hpp>
#include <mcp/ports/i2c.hpp>
#include <mcp/text_pieces.hpp>
#include <span>
#include <string_view>

namespace mcp {

/// One of the values of a sensor. Values are integers: with 2 decimals, 2150 is 21.5.
struct Quantity {
  std::string_view name;  ///< Such as `temperature`: a member of JSON.
  std::string_view unit;  ///< The UCUM code, such as `Cel`.
  std::uint8_t decimals;  ///< The number of digits after the decimal point, 0 to 9.
  std::int32_t minimum;   ///< The least value of the data sheet.
  std::int32_t maximum;   ///< The greatest value of the data sheet.
};

/// What all sensors of a type have in common, as a constant.
struct SensorType {
  std::string_view name;                 ///< The name of the device, such as `BME280`.
  std::span<const Quantity> quantities;  ///< The values, in the order of Sensor::value().
};

/// Why a sensor has no values. A later version may add faults.
enum class SensorFault : std::uint8_t {
  none,            ///< It has values.
  bus,             ///< A transaction failed, see SensorError::bus().
  not_begun,       ///< collect() without a begin() that succeeded.
  not_ready,       ///< The device still starts or measures.
  wrong_device,    ///< The device has the identification of another type.
  settings_lost,   ///< The device has not the settings that the driver wrote: it has reset, or is of another type.
  wrong_checksum,  ///< The checksum of the data is wrong.
  invalid_data,    ///< The data has bits that this device never sends.
  out_of_bounds,   ///< A value is outside of the bounds of the data sheet, see SensorError::quantity().
};

/// Why begin() or collect() failed. As a bool it is true if there is an error.
class alignas(4) SensorError {  // A word, which a function returns in a register.
 public:
  /// No error.
  constexpr SensorError() = default;
  /// An error of the device.
  constexpr SensorError(SensorFault fault)  // NOLINT(google-explicit-constructor)
      : fault_(fault) {}
  /// An error of the bus, or none.
  constexpr SensorError(BusError bus)  // NOLINT(google-explicit-constructor)
      : fault_(bus == BusError::none ? SensorFault::none : SensorFault::bus), bus_(bus) {}
  /// @cond server
  [[nodiscard]] static constexpr SensorError out_of_bounds(std::size_t quantity) {
    SensorError error(SensorFault::out_of_bounds);
    error.quantity_ = static_cast<std::uint8_t>(quantity);
    return error;
  }
  /// @endcond

  /// Returns whether there is an error.
  [[nodiscard]] constexpr explicit operator bool() const { return fault_ != SensorFault::none; }
  /// Returns the kind of error.
  [[nodiscard]] constexpr SensorFault fault() const { return fault_; }
  /// Returns why the transaction failed, for the fault `bus`.
  [[nodiscard]] constexpr BusError bus() const { return bus_; }
  /// Returns the index of the value, for the fault `out_of_bounds`.
  [[nodiscard]] constexpr std::size_t quantity() const { return quantity_; }
  /// Returns whether both are the same error.
  [[nodiscard]] friend constexpr bool operator==(const SensorError&, const SensorError&) = default;

 private:
  SensorFault fault_ = SensorFault::none;
  BusError bus_ = BusError::none;
  std::uint8_t quantity_ = 0;
};

/// Returns a sentence for a person or a model: what failed, and what to do. Lifetime: static.
[[nodiscard]] std::string_view remedy(const SensorError& error);

/// A sensor. No call waits for a measurement, so a sensor that needs 300 ms is used as one that needs 1 ms. After an
/// error, the next begin() sets the device up again, so a sensor that was absent or has reset works again.
/// Context: main loop. Each call blocks for its transactions only, see I2cBus.
class Sensor {
 public:
  /// The outcome of begin().
  struct Begun {
    SensorError error = {};  ///< No measurement has begun, if there is one.
    Millis ready_ms = 0;     ///< After how many milliseconds to call collect(), at the earliest. 0: now.
  };

  Sensor(const Sensor&) = delete;
  Sensor& operator=(const Sensor&) = delete;

  /// Begins a measurement. The first call, and the first one after an error, also sets the device up.
  [[nodiscard]] Begun begin();

  /// Reads the values of the measurement. Call it once for each begin(). Errors: `not_ready` if it comes too early, and
  /// it can then be called again. With each other error, no value of this sensor is valid.
  [[nodiscard]] SensorError collect();

  /// Returns a value. Only valid if the last call was a collect() without an error. For the fault `out_of_bounds`, the
  /// value that is outside.
  [[nodiscard]] std::int32_t value(std::size_t quantity) const { return values_[quantity]; }
  /// Returns what value() returns.
  [[nodiscard]] std::span<const Quantity> quantities() const { return type_.quantities; }
  /// Returns the name of the device, such as `BME280`.
  [[nodiscard]] std::string_view name() const { return type_.name; }
  /// Returns the address on the bus. 0 for a sensor without one.
  [[nodiscard]] std::uint8_t address() const { return address_; }

 protected:
  /// `values` has one value for each quantity of the type. Lifetime: `type` lives as long as the program, and `values`
  /// as long as this object.
  constexpr Sensor(const SensorType& type, std::int32_t* values, std::uint8_t address = 0)
      : type_(type), values_(values), address_(address) {}
  ~Sensor() = default;  // Not virtual, because a virtual destructor links operator delete.

 private:
  virtual Begun do_begin(bool is_set_up) = 0;
  virtual SensorError do_collect(std::int32_t* values) = 0;

  const SensorType& type_;
  std::int32_t* values_;
  std::uint8_t address_;
  bool is_set_up_ = false;
  bool is_measuring_ = false;
};

/// The text of an error, see describe().
class SensorErrorText {
 public:
  /// @cond server
  SensorErrorText(const Sensor& sensor, const SensorError& error) : sensor_(sensor), error_(error) {}
  /// @endcond
  /// Writes the text.
  void operator()(TextWriter& out) const;

 private:
  const Sensor& sensor_;
  SensorError error_;
};

/// Returns a piece of a string (see TextPiece) for a person or a model. It has the name of the device, its address,
/// what failed, and what to do. After the fault `out_of_bounds`, it has the value. `return
/// call.fail(mcp::describe(sensor, error));` Lifetime: as long as `sensor`.
[[nodiscard]] inline SensorErrorText describe(const Sensor& sensor, const SensorError& error) {
  return {sensor, error};
}

/// The base of drivers for sensors on an I2C bus. A driver implements two private functions. `do_begin(is_set_up)` sets
/// the device up if `is_set_up` is false, and begins a measurement. `do_collect(values)` reads and converts it. Neither
/// waits, and neither checks bounds.
class I2cSensor : public Sensor {
 protected:
  /// `bus` is a function of the board, such as `board::i2c0`.
  constexpr I2cSensor(const SensorType& type, std::int32_t* values, I2cBusOf bus, std::uint8_t address)
      : Sensor(type, values, address), bus_(bus) {}
  ~I2cSensor() = default;

  /// Writes bytes, such as a register and its value.
  [[nodiscard]] SensorError write(std::span<const std::uint8_t> out);
  /// Reads bytes without a register.
  [[nodiscard]] SensorError read(std::span<std::uint8_t> in);
  /// Reads the bytes from register `first` on.
  [[nodiscard]] SensorError read_registers(std::uint8_t first, std::span<std::uint8_t> in);
  /// Reads a register of 16 bits, whose first byte is the high one.
  [[nodiscard]] SensorError read_word(std::uint8_t number, std::uint16_t& value);
  /// Writes a register of 16 bits, whose first byte is the high one.
  [[nodiscard]] SensorError write_word(std::uint8_t number, std::uint16_t value);

 private:
  I2cBusOf bus_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
