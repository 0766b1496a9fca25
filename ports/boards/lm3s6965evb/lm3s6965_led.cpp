// SPDX-License-Identifier: Apache-2.0
// The status LED on PF0, lit by a high level. Knows nothing else.
#include "mcp/ports/lm3s6965evb.hpp"
#include "ports/boards/lm3s6965evb/lm3s6965_registers.hpp"

namespace board {
namespace {

constexpr std::uint32_t pin = bit(0);

}  // namespace

void led(bool on) {
  clock_on(sysctl_rcgc2, rcgc2_port_f);
  reg(gpio_f + gpio_dir) |= pin;
  reg(gpio_f + gpio_den) |= pin;
  reg(gpio_data(gpio_f, pin)) = on ? pin : 0;
}

// A port without clock must not be read.
bool led() { return (reg(sysctl_rcgc2) & rcgc2_port_f) != 0 && reg(gpio_data(gpio_f, pin)) != 0; }

}  // namespace board
