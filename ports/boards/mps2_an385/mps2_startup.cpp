// SPDX-License-Identifier: Apache-2.0
// The reset handler, and the interrupts by the names that their handlers have.
#include "ports/bare_metal/cortex_m_startup.hpp"

extern "C" void reset_handler() { board::start(22); }

extern "C" {
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

// "Interrupts" in the application note.
// clang-format off
[[gnu::section(".vectors"), gnu::used]] constexpr board::VectorTable<32> vectors{.interrupts = {
    // 0 to 7.
    uart0_receive_handler, uart0_transmit_handler, uart1_receive_handler, uart1_transmit_handler,
    uart2_receive_handler, uart2_transmit_handler, gpio0_handler, gpio1_handler,
    // 8 to 15.
    timer0_handler, timer1_handler, dual_timer_handler, spi_handler,
    uart_overflow_handler, ethernet_handler, audio_handler, touch_screen_handler,
}};
// clang-format on

}  // namespace
