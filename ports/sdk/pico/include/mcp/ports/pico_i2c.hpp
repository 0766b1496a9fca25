// SPDX-License-Identifier: Apache-2.0
/// @file
/// An I2C bus of a Raspberry Pi Pico or Pico 2, in a project of the pico-sdk. CMake target: `mote::pico`.
/// @code
/// mcp::I2cBus& bus() {  // hardware/i2c.h has a macro with the name i2c0
///   static mcp::pico::I2c i2c{i2c0, 4, 5};
///   return i2c;
/// }
/// bool has_sensor() { return bus().probe(0x48) == mcp::BusError::none; }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <span>

#include "mcp/ports/i2c.hpp"

struct i2c_inst;  // NOLINT(readability-identifier-naming): the type of the SDK

namespace mcp::pico {

/// An I2C controller of the chip on two pins, with the functions of hardware_i2c that have a time limit. The internal
/// pull-ups are on, which are enough only for short wires. The first transaction switches the controller on. It sends
/// a repeated start between write and read.
///
/// Errors: all but `arbitration_lost` and `failed`. A lost arbitration is `no_device`, because hardware_i2c reports
/// both as one error. Reserved addresses are `unsupported`. Context: main loop of one core; blocks for the time of the
/// bytes, and at most 10 ms longer (20 ms if a line stays low).
class I2c final : public I2cBus {
 public:
  /// `controller` is i2c0 or i2c1 of the SDK, with `hz` bits per second. `data_pin` and `clock_pin` are numbers of GPIO
  /// pins that the controller can use.
  constexpr I2c(i2c_inst* controller, unsigned data_pin, unsigned clock_pin, std::uint32_t hz = 100'000)
      : I2cBus({.most_bytes = 0xFFFF, .limit_ms = 2 * most_wait_ms}),
        controller_(controller),
        data_pin_(data_pin),
        clock_pin_(clock_pin),
        hz_(hz) {}

 private:
  static constexpr std::uint16_t most_wait_ms = 5;  // of a write, and of a read

  BusError do_transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) override;
  bool do_recover() override;

  void switch_on();
  BusError finish(int result, std::size_t size, bool were_high);
  [[nodiscard]] bool are_high() const;
  [[nodiscard]] std::uint32_t time_us(std::size_t bytes) const;

  i2c_inst* controller_;
  unsigned data_pin_;
  unsigned clock_pin_;
  std::uint32_t hz_;
  bool is_on_ = false;
};

}  // namespace mcp::pico

#include <mcp/detail/epilogue.hpp>
