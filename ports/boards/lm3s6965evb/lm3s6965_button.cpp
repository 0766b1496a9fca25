// SPDX-License-Identifier: Apache-2.0
// The SELECT button on PF1, which pulls the pin low while it is pressed. Knows nothing else.
#include "mcp/ports/lm3s6965evb.hpp"
#include "ports/boards/lm3s6965evb/lm3s6965_registers.hpp"

namespace board {
namespace {

constexpr std::uint32_t pin = bit(1);
constexpr unsigned interrupt_number = 30;

void (*pressed)();  // and let go

}  // namespace

void on_button(void (*from_isr)()) {
  pressed = from_isr;
  clock_on(sysctl_rcgc2, rcgc2_port_f);
  reg(gpio_f + gpio_pur) |= pin;
  reg(gpio_f + gpio_den) |= pin;
  // A rising edge, and only later edges: the emulated line is low until the first one.
  reg(gpio_f + gpio_is) &= ~pin;
  reg(gpio_f + gpio_ibe) &= ~pin;
  reg(gpio_f + gpio_iev) |= pin;
  reg(gpio_f + gpio_icr) = pin;
  reg(gpio_f + gpio_im) |= pin;
  reg(nvic_iser0) = bit(interrupt_number);
}

}  // namespace board

extern "C" void gpio_f_handler() {
  board::reg(board::gpio_f + board::gpio_icr) = board::pin;
  board::pressed();
  board::wake_from_isr();
}
