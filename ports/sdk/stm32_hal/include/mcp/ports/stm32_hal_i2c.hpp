// SPDX-License-Identifier: Apache-2.0
/// @file
/// An I2C bus in a project of STM32CubeMX. CMake target: `mote::stm32_hal`.
/// @code
/// extern I2C_HandleTypeDef hi2c1;  // of CubeMX, on PB7 (data) and PB6 (clock)
/// mcp::I2cBus& i2c0() {
///   static mcp::stm32::I2c bus{&hi2c1, {GPIOB, GPIO_PIN_7}, {GPIOB, GPIO_PIN_6}};
///   return bus;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <span>

#include <main.h>
#include "mcp/ports/i2c.hpp"

#ifdef HAL_I2C_MODULE_ENABLED
namespace mcp::stm32 {

/// A pin by its port, such as GPIOB, and its bit, such as GPIO_PIN_7.
struct Pin {
  GPIO_TypeDef* port;  ///< The port.
  std::uint16_t bit;   ///< The bit.
};

/// An I2C of the HAL, after the MX_I2C1_Init() of CubeMX, with the blocking functions of the HAL. It sends a repeated
/// start after a write of 1 or 2 bytes, and after a longer write a stop and a start.
///
/// Errors: all. A write without bytes tells a missing device from one that refused a byte. After a timeout, the object
/// calls HAL_I2C_DeInit() and HAL_I2C_Init(), which configure the pins again. recover() does so, too. Context: main
/// loop; blocks for the time of the bytes, and at most 60 ms longer, of which 25 ms are the limit of the HAL for a busy
/// bus.
class I2c final : public I2cBus {
 public:
  /// `handle` is the one of CubeMX, with its two pins. Lifetime: it must outlive the object.
  constexpr I2c(I2C_HandleTypeDef* handle, Pin data, Pin clock)
      : I2cBus({.most_bytes = 0xFFFF, .limit_ms = 60, .stops_between = true}),
        handle_(handle),
        data_(data),
        clock_(clock) {}

 private:
  BusError do_transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) override;
  bool do_recover() override;

  HAL_StatusTypeDef run(std::uint16_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in);
  [[nodiscard]] bool are_high() const;

  I2C_HandleTypeDef* handle_;
  Pin data_;
  Pin clock_;
};

}  // namespace mcp::stm32
#endif

#include <mcp/detail/epilogue.hpp>
