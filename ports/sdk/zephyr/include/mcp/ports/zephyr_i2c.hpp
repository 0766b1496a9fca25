// SPDX-License-Identifier: Apache-2.0
/// @file
/// An I2C bus in a Zephyr application, with the option CONFIG_I2C.
/// @code
/// mcp::I2cBus& i2c0() {
///   static mcp::zephyr::I2c bus{DEVICE_DT_GET(DT_NODELABEL(i2c0))};
///   return bus;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <span>

#include <zephyr/device.h>
#include "mcp/ports/i2c.hpp"

namespace mcp::zephyr {

/// An I2C controller of the device tree. It sends a repeated start between write and read.
///
/// Errors: most drivers report a missing device, a refused byte and a lost arbitration as -EIO. Then a write without
/// bytes shows whether the device is there. If it is, the error is `failed`. Some drivers also report a line that stays
/// low as -EIO, which is then `no_device`. A driver without a function for it cannot recover the bus.
/// Context: a thread; it sleeps during a transaction, at most for the limit of the driver.
class I2c final : public I2cBus {
 public:
  /// `controller` is the device. `limit_ms`: the limit of its driver, such as CONFIG_I2C_STM32_TRANSFER_TIMEOUT_MSEC.
  constexpr explicit I2c(const device* controller, std::uint16_t limit_ms = 500)
      : I2cBus({.most_bytes = 0xFFFF, .limit_ms = limit_ms}), controller_(controller) {}

 private:
  BusError do_transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) override;
  bool do_recover() override;

  const device* controller_;
};

}  // namespace mcp::zephyr

#include <mcp/detail/epilogue.hpp>
