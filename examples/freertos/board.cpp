// SPDX-License-Identifier: Apache-2.0
// The MPS2 AN385 and FreeRTOS: interrupt priorities, a timer, and the hooks of the kernel.
#include "board.hpp"

#include <mcp/assert.hpp>
#include <mcp/ports/mps2_an385.hpp>
#include <mcp/ports/processor.hpp>

#include <FreeRTOS.h>
#include <task.h>

namespace {

// "ARMv7-M Architecture Reference Manual", NVIC_ISER0 and NVIC_IPR0.
constexpr std::uint32_t interrupt_enable = 0xE000'E100;
constexpr std::uint32_t interrupt_priorities = 0xE000'E400;

// "Cortex-M System Design Kit Technical Reference Manual", dual timer: the first of two.
constexpr std::uint32_t timer_load = 0x4000'2000;
constexpr std::uint32_t timer_control = 0x4000'2008;
constexpr std::uint32_t timer_clear = 0x4000'200C;
constexpr std::uint32_t control_once = 1u << 7 | 1u << 5 | 1u << 1 | 1u;  // On, with an interrupt, 32 bits, one-shot
constexpr unsigned timer_interrupt = 10;

}  // namespace

namespace tank {

void lower_interrupts() {
  for (std::uint32_t word = 0; word < 8; ++word)
    board::reg(interrupt_priorities + 4 * word) = configKERNEL_INTERRUPT_PRIORITY * 0x0101'0101u;
}

void start_measurement() {
  board::reg(timer_load) = 5 * (configCPU_CLOCK_HZ / 1000);
  board::reg(timer_control) = control_once;
  board::reg(interrupt_enable) = board::bit(timer_interrupt);
}

}  // namespace tank

extern "C" void dual_timer_handler() {
  board::reg(timer_clear) = 1;
  tank::measured_from_isr();
}

// NOLINTBEGIN(readability-identifier-naming): names of FreeRTOS
// The processor sleeps while no task is ready.
extern "C" void vApplicationIdleHook() { asm volatile("wfi"); }

extern "C" void vApplicationStackOverflowHook(TaskHandle_t, char* name) { mcp_assert_failed(name, 0); }

extern "C" void vApplicationGetIdleTaskMemory(StaticTask_t** block, StackType_t** stack, std::uint32_t* size) {
  static StaticTask_t idle_block;
  static StackType_t idle_stack[configMINIMAL_STACK_SIZE];
  *block = &idle_block;
  *stack = idle_stack;
  *size = configMINIMAL_STACK_SIZE;
}
// NOLINTEND(readability-identifier-naming)
