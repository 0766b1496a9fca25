// SPDX-License-Identifier: Apache-2.0
/// @file
/// The constant tables of a workbench: its pins, the rules of its I2C bus, its readings, and its options.
/// @code
/// #include <mcp/workbench.hpp>
/// constexpr mcp::WorkbenchPin pins[] = {
///     {.name = "LED", .number = 25, .uses = mcp::PinUse::output | mcp::PinUse::pwm, .rest = mcp::PinRest::low},
///     {.name = "HEATER",
///      .number = 3,
///      .uses = mcp::PinUse::output | mcp::PinUse::hold,
///      .rest = mcp::PinRest::low,
///      .note = "MOSFET of a 12 V heating mat",
///      .away_ms = 600'000,
///      .rest_ms = 5'000,
///      .budget = {.away_ms = 1'800'000, .window_ms = 3'600'000},
///      .is_dangerous = true}};
/// constexpr mcp::I2cRule rules[] = {{.first = 0x50, .last = 0x57, .access = mcp::I2cAccess::read, .register_bytes =
/// 1}};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/devices/sensor_rows.hpp>
#include <mcp/interlock.hpp>
#include <mcp/port.hpp>
#include <mcp/ports/i2c.hpp>
#include <mcp/ports/pins.hpp>
#include <span>
#include <string_view>

namespace mcp {

/// What clients may use a pin for. Combine uses with `|`.
enum class PinUse : std::uint8_t {
  input = 1,     ///< read_pins reads its level. All pins but analog inputs have this use.
  output = 2,    ///< set_pin sets its level.
  pwm = 4,       ///< set_pwm makes pulses.
  analog = 8,    ///< read_pins reads its voltage. Not with another use.
  capture = 16,  ///< capture records the times of its edges. The pin is an input at rest.
  hold = 32,     ///< hold switches it to keep a reading at a value. The pin has a level at rest.
};

/// Returns the uses of both.
[[nodiscard]] constexpr PinUse operator|(PinUse a, PinUse b) {
  return static_cast<PinUse>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// Returns whether `uses` and `of` have a use in common.
[[nodiscard]] constexpr bool has_use(PinUse uses, PinUse of) {
  return (static_cast<unsigned>(uses) & static_cast<unsigned>(of)) != 0;
}

/// The safe state of a pin: after the start, after all_off, after its time, and when its client is gone.
enum class PinRest : std::uint8_t {
  input,  ///< An input, with WorkbenchPin::pull.
  low,    ///< An output that is low.
  high,   ///< An output that is high.
};

/// How long a pin may be away from rest in each window of time: the sum of all times away from rest, however they are
/// spread. Pulses count as away from rest for their whole time, at each percentage. The window is counted in 8 slices,
/// and a time counts until its whole slice is older than the window.
struct PinBudget {
  Millis away_ms = 0;    ///< The longest time away from rest in a window, less than the window. 0: no budget.
  Millis window_ms = 0;  ///< The length of a window, 80 ms to 2^31 - 1 ms.
};

/// A pin that clients may use. A pin that is not in the table cannot be named. Lifetime: strings (UTF-8) live as long
/// as the program.
struct WorkbenchPin {
  std::string_view name = {};     ///< As on the board, unique: 1 to 24 of A-Z a-z 0-9 _ -. Required.
  std::uint8_t number = 0;        ///< The number of the pin, or of the analog input, in Pins. Unique in its kind.
  PinUse uses = {};               ///< At least one.
  PinRest rest = PinRest::input;  ///< The safe state.
  PinPull pull = PinPull::none;   ///< Of an input at rest.
  std::string_view note = {};     ///< What is connected, for the model and for a user that has to consent.
  /// The longest time away from rest without a pause, in milliseconds, below 2^31. 0: no limit, except that of the
  /// lease.
  Millis away_ms = 0;
  /// The shortest time at rest between two times away from rest, for a compressor or a relay, below 2^31.
  Millis rest_ms = 0;
  PinBudget budget = {};           ///< The longest time away from rest in a window of time.
  std::uint32_t most_hz = 50'000;  ///< The highest frequency of pulses, 1 to 1,000,000.
  /// The user must consent to each call that takes the pin away from rest. Clients get an input request (elicitation).
  /// The tools of such pins are jobs, so they need Limits::jobs, and a Services::entropy unless the server has the
  /// legacy era only.
  bool is_dangerous = false;
  /// A hold of this pin continues without its client until its time is over, and takes none of
  /// WorkbenchOptions::clients then. Else it ends with the lease.
  bool holds_alone = false;
  /// The state of the device that the pin needs. If it no longer holds, poll() puts the pin to rest.
  Needs needs = {};
};

/// What clients may do with a range of addresses on the I2C bus.
enum class I2cAccess : std::uint8_t {
  any,   ///< Read and write.
  ask,   ///< Read as with `read`. The user must consent to each other transaction.
  read,  ///< Read: without a write, or after a write of exactly I2cRule::register_bytes bytes.
  none,  ///< Nothing. scan_i2c leaves the address out, too.
};

/// The rule of a range of addresses. Of several rules for an address, the first one counts. Without a rule, the address
/// of the sensor of a reading has the access `read`, because a hold relies on its settings, and each other address has
/// WorkbenchOptions::i2c_access. Lifetime: the string lives as long as the program.
struct I2cRule {
  std::uint8_t first = 0;  ///< The first address, 7 bits.
  std::uint8_t last = 0;   ///< The last address, not below `first`.
  I2cAccess access = {};   ///< What clients may do.
  /// The size of a register address of the device in bytes, 0 to 4. A device reads further bytes as data: an EEPROM
  /// with addresses of one byte writes the second of two bytes. With 0, as for a PCF8574, each written byte is data.
  std::uint8_t register_bytes = 1;
  std::string_view note = {};  ///< What the devices are, and why the rule is there, for the model.
};

/// A value of a sensor that hold and watch can name. The workbench measures the sensor. Do not poll it elsewhere.
struct WorkbenchReading {
  std::string_view name = {};        ///< Unique, as a name of a pin, not `holds`. Required.
  MeasuredSensor* sensor = nullptr;  ///< Such as an mcp::Measured. Required.
  std::uint8_t quantity = 0;         ///< The index of the value, such as `mcp::Bme280::temperature`.
  /// The least and the greatest value at which hold keeps the reading, in whole units, such as 15 and 60 for a
  /// temperature in Cel. A hold that lowers the reading ends below `hold_from`, and one that raises it ends above
  /// `hold_to`. Both 0: the bounds of the data sheet.
  std::int32_t hold_from = 0;
  std::int32_t hold_to = 0;  ///< See hold_from.
  /// A hold ends if there is no new value for this time, in milliseconds. Longer than the interval of the sensor.
  Millis lost_ms = 10'000;
};

/// The table of a workbench, as a constant. Features that are 0 or empty take neither flash nor RAM.
struct WorkbenchOptions {
  std::span<const WorkbenchPin> pins = {};  ///< 1 to 200 pins. Required.
  PinsOf chip = nullptr;                    ///< The pins of the board, such as `board::pins`. Required.
  /// Returns milliseconds since some moment, such as `board::millis`. Required. It may wrap at 2^32.
  Millis (*now)() = nullptr;
  I2cBusOf i2c = nullptr;                           ///< The bus of scan_i2c and i2c, such as `board::i2c0`.
  std::span<const I2cRule> i2c_rules = {};          ///< The first rule that has an address counts.
  I2cAccess i2c_access = I2cAccess::any;            ///< The access of addresses without a rule.
  std::span<const WorkbenchReading> readings = {};  ///< The values that hold and watch can name.
  /// Holds at the same time, one per pin. hold needs 1 or more, and readings. RAM: 24 bytes each.
  std::uint8_t holds = 0;
  /// The longest time of a hold in minutes, 1 to 10,080 (a week).
  std::uint16_t hold_minutes = 240;
  /// Values that watch keeps of each reading, 0 to 1024. RAM: 8 bytes for each, and 36 for each reading.
  std::uint16_t watch_values = 0;
  /// Edges that capture can store, 0 or 2 to 1024. RAM: 4 bytes each.
  std::uint16_t capture_edges = 0;
  /// A client that sends no request for this time is gone, 1000 ms to 2^31 - 1 ms. Its pins go to rest. A host sends
  /// no requests while its model or its user thinks, so choose more than a minute for work with a person.
  Millis lease_ms = 120'000;
  /// Clients that can have pins away from rest at the same time, 1 to 32. RAM: 56 bytes each.
  std::uint8_t clients = 2;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
