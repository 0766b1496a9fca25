// SPDX-License-Identifier: Apache-2.0
// External interrupts: the PLIC, and the handler of each. All have the same priority, so none interrupts another.
#include <span>

#include "mcp/ports/processor.hpp"
#include "mcp/ports/virt.hpp"
#include "ports/bare_metal/startup.hpp"
#include "ports/boards/virt/virt_internal.hpp"

namespace board {
namespace {

// "RISC-V Platform-Level Interrupt Controller Specification": registers for machine mode of the first processor.
constexpr std::uint32_t plic_enable = plic + 0x2000;    // Interrupts 0 to 31
constexpr std::uint32_t plic_claim = plic + 0x20'0004;  // Read: which one is to be handled; write: it was

void (*handlers[16])();

}  // namespace

void on_interrupt(unsigned number, void (*handler)()) {
  handlers[number] = handler;
  // In this order: the emulated PLIC checks for pending interrupts when a priority is set, and not when one is enabled.
  reg(plic_enable) = reg(plic_enable) | bit(number);
  reg(plic + 4 * number) = 1;
}

}  // namespace board

// Handles one. While another one waits, the interrupt stays raised.
extern "C" void external_interrupt_handler() {
  using namespace board;
  const std::uint32_t number = reg(plic_claim);
  if (number == 0) return;
  if (number >= std::size(handlers) || handlers[number] == nullptr) end_in_fault();
  handlers[number]();
  reg(plic_claim) = number;
}
