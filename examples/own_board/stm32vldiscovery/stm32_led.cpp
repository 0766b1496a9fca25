// SPDX-License-Identifier: Apache-2.0
// The green LED.
#include "mcp/ports/stm32vldiscovery.hpp"
#include "stm32_registers.hpp"

namespace board {
namespace {

constexpr std::uint32_t apb2enr_port_c = bit(4);
constexpr unsigned pin = 9;

bool is_on;

}  // namespace

void led(bool on) {
  reg(rcc_apb2enr) = reg(rcc_apb2enr) | apb2enr_port_c;
  set_pin_mode(gpio_c, pin, mode_output_2_mhz);
  reg(gpio_c + gpio_bsrr) = on ? bit(pin) : bit(pin + 16);
  is_on = on;
}

bool led() { return is_on; }

}  // namespace board
