// SPDX-License-Identifier: Apache-2.0
// An I2C of the HAL, with its blocking functions.
#include "mcp/ports/stm32_hal_i2c.hpp"

#ifdef HAL_I2C_MODULE_ENABLED
namespace mcp::stm32 {
namespace {

constexpr std::uint32_t most_wait_ms = 5;

// With the address, at 100 kHz, the slowest bus. The tick of the HAL may come at once.
std::uint32_t limit_ms_of(std::size_t bytes) { return most_wait_ms + 1 + static_cast<std::uint32_t>((bytes + 3) / 11); }

bool is_high(Pin pin) { return HAL_GPIO_ReadPin(pin.port, pin.bit) != GPIO_PIN_RESET; }
void set_low(Pin pin, bool low) { HAL_GPIO_WritePin(pin.port, pin.bit, low ? GPIO_PIN_RESET : GPIO_PIN_SET); }

// At least half a clock of 100 kHz. A turn takes at least 10 cycles, and no STM32 has more than 600 MHz.
void pause(Pin pin) {
  for (int turns = 0; turns < 300; ++turns) static_cast<void>(is_high(pin));
}

void open_drain(Pin pin) {
  set_low(pin, false);
  GPIO_InitTypeDef init{};
  init.Pin = pin.bit;
  init.Mode = GPIO_MODE_OUTPUT_OD;
  init.Pull = GPIO_PULLUP;
  init.Speed = GPIO_SPEED_FREQ_LOW;
  HAL_GPIO_Init(pin.port, &init);
}

}  // namespace

bool I2c::are_high() const { return is_high(data_) && is_high(clock_); }

HAL_StatusTypeDef I2c::run(std::uint16_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) {
  const auto out_size = static_cast<std::uint16_t>(out.size());
  const auto in_size = static_cast<std::uint16_t>(in.size());
  // Of the functions for memories, the address of a byte in the memory may be any 1 or 2 bytes.
  if (!in.empty() && out.size() == 1) {
    return HAL_I2C_Mem_Read(handle_, address, out[0], I2C_MEMADD_SIZE_8BIT, in.data(), in_size, limit_ms_of(in.size()));
  }
  if (!in.empty() && out.size() == 2) {
    const auto number = static_cast<std::uint16_t>(out[0] << 8 | out[1]);
    return HAL_I2C_Mem_Read(handle_, address, number, I2C_MEMADD_SIZE_16BIT, in.data(), in_size,
                            limit_ms_of(in.size()));
  }
  if (!out.empty()) {
    // The HAL reads these bytes.
    auto* const bytes = const_cast<std::uint8_t*>(out.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    const HAL_StatusTypeDef status =
        HAL_I2C_Master_Transmit(handle_, address, bytes, out_size, limit_ms_of(out.size()));
    if (status != HAL_OK || in.empty()) return status;
  }
  return HAL_I2C_Master_Receive(handle_, address, in.data(), in_size, limit_ms_of(in.size()));
}

BusError I2c::do_transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) {
  const auto shifted = static_cast<std::uint16_t>(address << 1);
  const bool were_high = are_high();
  const HAL_StatusTypeDef status = run(shifted, out, in);
  if (status == HAL_OK) return BusError::none;
  if (status == HAL_BUSY) return were_high ? BusError::failed : BusError::stuck;
  const std::uint32_t error = HAL_I2C_GetError(handle_);
  if ((error & HAL_I2C_ERROR_ARLO) != 0) return BusError::arbitration_lost;
  if ((error & HAL_I2C_ERROR_AF) != 0) {
    const bool is_there = HAL_I2C_IsDeviceReady(handle_, shifted, 1, limit_ms_of(0)) == HAL_OK;
    return is_there ? BusError::data_refused : BusError::no_device;
  }
  if (!were_high) return BusError::stuck;
  if (status != HAL_TIMEOUT && (error & HAL_I2C_ERROR_TIMEOUT) == 0) return BusError::failed;
  // The controller is still in the transaction.
  static_cast<void>(HAL_I2C_DeInit(handle_));
  static_cast<void>(HAL_I2C_Init(handle_));
  return BusError::too_late;
}

bool I2c::do_recover() {
  static_cast<void>(HAL_I2C_DeInit(handle_));
  open_drain(data_);
  open_drain(clock_);
  const auto pull = [this](bool data, bool clock) {
    set_low(data_, data);
    set_low(clock_, clock);
    pause(data_);
  };
  mcp::detail::free_data_line(pull, [this] { return is_high(data_); });
  const bool is_free = are_high();
  return HAL_I2C_Init(handle_) == HAL_OK && is_free;
}

}  // namespace mcp::stm32
#endif
