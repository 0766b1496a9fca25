// SPDX-License-Identifier: Apache-2.0
// Random bytes and the temperature of the chip, and the LED.
#include "mcp/ports/microbit.hpp"
#include "ports/bare_metal/startup.hpp"
#include "ports/boards/microbit/nrf51_registers.hpp"

namespace board {
namespace {

constexpr std::uint32_t task_start = 0x000;  // In each of the two
constexpr std::uint32_t task_stop = 0x004;
constexpr std::uint32_t event_ready = 0x100;

constexpr std::uint32_t rng_config = rng_registers + 0x504;
constexpr std::uint32_t rng_value = rng_registers + 0x508;
constexpr std::uint32_t correct_bias = 1;
constexpr mcp::Millis rng_limit_ms = 100;  // A byte takes 0.7 ms.

constexpr std::uint32_t temp_offset = temp_registers + 0x504;
constexpr std::uint32_t temp_value = temp_registers + 0x508;
constexpr mcp::Millis temp_limit_ms = 2;  // It takes 36 us.

bool is_led_on;

// Waits for the event of a peripheral, and clears it.
bool wait_ready(std::uint32_t registers, mcp::Millis limit_ms) {
  const mcp::Millis start_ms = millis();
  while (reg(registers + event_ready) == 0) {
    if (millis() - start_ms > limit_ms) return false;
  }
  reg(registers + event_ready) = 0;
  return true;
}

}  // namespace

// 0 if the generator fails.
std::uint32_t boot_noise() {
  std::uint8_t random[4] = {};
  if (!ChipEntropy().fill(random)) return 0;
  return std::uint32_t{random[0]} << 24 | std::uint32_t{random[1]} << 16 | std::uint32_t{random[2]} << 8 | random[3];
}

bool ChipEntropy::do_fill(std::span<std::uint8_t> into) {
  reg(rng_config) = correct_bias;
  reg(rng_registers + event_ready) = 0;
  reg(rng_registers + task_start) = 1;
  bool is_ready = true;
  for (std::uint8_t& byte : into) {
    is_ready = wait_ready(rng_registers, rng_limit_ms);
    if (!is_ready) break;
    byte = static_cast<std::uint8_t>(reg(rng_value));
  }
  reg(rng_registers + task_stop) = 1;
  return is_ready;
}

bool read_millidegrees(std::int32_t& millidegrees) {
  // "nRF51822 Product Anomaly Notice": 31, the offset is not loaded; 30, the sensor stays on until it is stopped; 29,
  // that clears the value; 28, a negative value has only 10 bits.
  reg(temp_offset) = 0;
  reg(temp_registers + event_ready) = 0;
  reg(temp_registers + task_start) = 1;
  const bool is_ready = wait_ready(temp_registers, temp_limit_ms);
  const auto quarters = static_cast<std::int32_t>(reg(temp_value) << 22) >> 22;
  reg(temp_registers + task_stop) = 1;
  if (is_ready) millidegrees = quarters * 250;
  return is_ready;
}

void led(bool on) {
  reg(gpio_dirset) = bit(pin_led_row1) | bit(pin_led_column1);
  reg(gpio_outclr) = bit(pin_led_column1);
  reg(on ? gpio_outset : gpio_outclr) = bit(pin_led_row1);
  is_led_on = on;
}

bool led() { return is_led_on; }

}  // namespace board
