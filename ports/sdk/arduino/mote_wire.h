// SPDX-License-Identifier: Apache-2.0
/// @file
/// An I2C bus of Arduino, such as Wire. Include <Wire.h> and <mote.h> before this file.
/// @code
/// mcp::I2cBus& i2c0() {
///   static mcp::arduino::WireBus bus{Wire};
///   return bus;
/// }
/// void setup() { Wire.begin(); }
/// @endcode
#pragma once

#include <Arduino.h>

#include <mcp/detail/prelude.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <mcp/ports/i2c.hpp>

namespace mcp::arduino {

/// What a WireBus knows of its bus.
struct WireOptions {
  std::uint16_t most_bytes = 32;  ///< The buffer of the Wire: 256 on RP2040, 128 on ESP32, 32 or more on other cores.
  std::uint16_t limit_ms = 25;    ///< The time limit of a write and of a read, at most 20,000.
  int data_pin = -1;              ///< The pins, for recover() and for the error `stuck`.
  int clock_pin = -1;             ///< As data_pin.
};

/// A Wire of Arduino, with its time limit set: setTimeout() of RP2040, setTimeOut() of ESP32, or setWireTimeout(). A
/// Wire without one of them has its own limit. The sketch calls begin().
///
/// Errors: Many cores report a missing device as another error, and nothing about a failed read. Then a write without
/// bytes shows whether the device is there. A byte of data that the device refuses is `failed` on RP2040 and ESP32,
/// which do not report it. Without pins, a line that stays low is `too_late` or `failed`, and recover() returns false.
/// With pins, recover() ends the Wire and begins it again, so the sketch may have to set its clock again. Lifetime: the
/// Wire must outlive the object. Context: main loop.
template <class Wire>
class WireBus final : public I2cBus {
 public:
  /// A bus on `wire`, such as Wire or Wire1.
  constexpr explicit WireBus(Wire& wire, WireOptions options = {})
      : I2cBus(
            {.most_bytes = options.most_bytes,
             .limit_ms = static_cast<std::uint16_t>(3 * options.limit_ms)}),  // a write, a read, and the question why
        wire_(&wire),
        part_ms_(options.limit_ms),
        data_pin_(options.data_pin),
        clock_pin_(options.clock_pin) {}

 private:
  // Results of endTransmission().
  enum Code : std::uint8_t { sent = 0, long_data = 1, address_refused = 2, data_refused = 3, timeout = 5 };

  BusError do_transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) override {
    set_limit(std::max(out.size(), in.size()));
    const bool were_low = has_pins() && !are_high();
    const BusError error = run(address, out, in);
    const bool may_be_stuck = error == BusError::too_late || error == BusError::failed;
    return may_be_stuck && were_low ? BusError::stuck : error;
  }

  BusError run(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) {
    if (!out.empty()) {
      wire_->beginTransmission(address);
      const std::size_t size = wire_->write(out.data(), out.size());
      const auto code = static_cast<std::uint8_t>(wire_->endTransmission(in.empty()));
      if (size != out.size()) return BusError::too_long;
      if (code != sent) return error_of(code, address);
    }
    if (in.empty()) return BusError::none;
    const std::size_t size = in.size();
    if (static_cast<std::size_t>(wire_->requestFrom(address, size, true)) != size) return reason(address);
    for (std::uint8_t& byte : in) byte = static_cast<std::uint8_t>(wire_->read());
    return BusError::none;
  }

  BusError error_of(std::uint8_t code, std::uint8_t address) {
    switch (code) {
      case long_data: return BusError::too_long;
      case address_refused: return BusError::no_device;
      case data_refused: return BusError::data_refused;
      case timeout: return BusError::too_late;
      default: return reason(address);
    }
  }

  // Why a transaction failed, if the Wire does not report it.
  BusError reason(std::uint8_t address) {
    if (is_too_late()) return BusError::too_late;
    wire_->beginTransmission(address);
    switch (static_cast<std::uint8_t>(wire_->endTransmission(true))) {
      case address_refused: return BusError::no_device;
      case timeout: return BusError::too_late;
      default: return BusError::failed;
    }
  }

  // The limit includes the time of the bytes: 0.09 ms each at 100 kHz, the slowest bus.
  void set_limit(std::size_t bytes) {
    [[maybe_unused]] const auto ms = static_cast<std::uint16_t>(part_ms_ + bytes / 11);
    if constexpr (requires { wire_->setWireTimeout(std::uint32_t{}, true); }) {
      wire_->setWireTimeout(std::uint32_t{ms} * 1000, true);
      wire_->clearWireTimeoutFlag();
    } else if constexpr (requires { wire_->setTimeout(std::uint32_t{}, true); }) {
      wire_->setTimeout(std::uint32_t{ms}, true);
      wire_->clearTimeoutFlag();
    } else if constexpr (requires { wire_->setTimeOut(ms); }) {
      wire_->setTimeOut(ms);
    }
  }

  bool is_too_late() {
    if constexpr (requires { wire_->getWireTimeoutFlag(); }) {
      return wire_->getWireTimeoutFlag();
    } else if constexpr (requires { wire_->getTimeoutFlag(); }) {
      return wire_->getTimeoutFlag();
    } else {
      return false;
    }
  }

  [[nodiscard]] bool has_pins() const { return data_pin_ >= 0 && clock_pin_ >= 0; }
  [[nodiscard]] bool are_high() const { return digitalRead(data_pin_) != LOW && digitalRead(clock_pin_) != LOW; }

  static void set_low(int pin, bool low) {
    pinMode(pin, low ? OUTPUT : INPUT_PULLUP);
    if (low) digitalWrite(pin, LOW);
  }

  bool do_recover() override {
    if (!has_pins()) return false;
    wire_->end();
    const auto pull = [this](bool data, bool clock) {
      set_low(data_pin_, data);
      set_low(clock_pin_, clock);
      delayMicroseconds(5);  // half a clock of 100 kHz
    };
    mcp::detail::free_data_line(pull, [this] { return digitalRead(data_pin_) != LOW; });
    const bool is_free = are_high();
    wire_->begin();
    return is_free;
  }

  Wire* wire_;
  std::uint16_t part_ms_;
  int data_pin_;
  int clock_pin_;
};

}  // namespace mcp::arduino

#include <mcp/detail/epilogue.hpp>
