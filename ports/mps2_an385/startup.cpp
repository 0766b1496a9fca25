// From reset to main(): the vector table, memory as C++ expects it, the clock. Knows no driver but the clock.
//
// An interrupt handler is an extern "C" function with a name from the table below. All run at the same priority, so
// none interrupts another. An interrupt that is on without a handler jumps to address 0, which is a processor fault.
#include "ports/startup.hpp"

#include "ports/mps2_an385/registers.hpp"

extern "C" [[noreturn]] void reset_handler() {
  board::begin_memory();
  board::protect_memory(22);
  board::start_clock();
  board::run();
}

extern "C" {
[[gnu::weak]] void nmi_handler();
[[gnu::weak]] void svcall_handler();
[[gnu::weak]] void pendsv_handler();
[[gnu::weak]] void systick_handler();
[[gnu::weak]] void uart0_receive_handler();
[[gnu::weak]] void uart0_transmit_handler();
[[gnu::weak]] void uart1_receive_handler();
[[gnu::weak]] void uart1_transmit_handler();
[[gnu::weak]] void uart2_receive_handler();
[[gnu::weak]] void uart2_transmit_handler();
[[gnu::weak]] void gpio0_handler();
[[gnu::weak]] void gpio1_handler();
[[gnu::weak]] void timer0_handler();
[[gnu::weak]] void timer1_handler();
[[gnu::weak]] void dual_timer_handler();
[[gnu::weak]] void spi_handler();
[[gnu::weak]] void uart_overflow_handler();
[[gnu::weak]] void ethernet_handler();
[[gnu::weak]] void audio_handler();
[[gnu::weak]] void touch_screen_handler();
}

namespace {

struct VectorTable {
  std::uint32_t* stack;
  void (*handlers[47])();
};

// "Interrupts" in the application note. The linker script puts it at address 0. MemManage, bus and usage fault stay
// switched off in the processor, which makes each of them a hard fault.
// clang-format off
[[gnu::section(".vectors"), gnu::used]] constexpr VectorTable vectors{mote_stack_top, {
    // The processor's own: 1 to 15.
    reset_handler, nmi_handler, fault_handler, fault_handler, fault_handler, fault_handler, nullptr,
    nullptr, nullptr, nullptr, svcall_handler, fault_handler, nullptr, pendsv_handler, systick_handler,
    // Interrupts 0 to 7.
    uart0_receive_handler, uart0_transmit_handler, uart1_receive_handler, uart1_transmit_handler,
    uart2_receive_handler, uart2_transmit_handler, gpio0_handler, gpio1_handler,
    // 8 to 15.
    timer0_handler, timer1_handler, dual_timer_handler, spi_handler,
    uart_overflow_handler, ethernet_handler, audio_handler, touch_screen_handler,
}};
// clang-format on

}  // namespace
