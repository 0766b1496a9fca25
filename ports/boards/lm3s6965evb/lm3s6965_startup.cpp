// SPDX-License-Identifier: Apache-2.0
// The reset handler, and the interrupts by the names that their handlers have.
#include "ports/bare_metal/cortex_m_startup.hpp"

extern "C" void reset_handler() { board::start(18); }

extern "C" {
[[gnu::weak]] void gpio_a_handler();
[[gnu::weak]] void gpio_b_handler();
[[gnu::weak]] void gpio_c_handler();
[[gnu::weak]] void gpio_d_handler();
[[gnu::weak]] void gpio_e_handler();
[[gnu::weak]] void gpio_f_handler();
[[gnu::weak]] void gpio_g_handler();
[[gnu::weak]] void uart0_handler();
[[gnu::weak]] void uart1_handler();
[[gnu::weak]] void uart2_handler();
[[gnu::weak]] void ssi0_handler();
[[gnu::weak]] void i2c0_handler();
[[gnu::weak]] void i2c1_handler();
[[gnu::weak]] void pwm_fault_handler();
[[gnu::weak]] void pwm0_handler();
[[gnu::weak]] void pwm1_handler();
[[gnu::weak]] void pwm2_handler();
[[gnu::weak]] void qei0_handler();
[[gnu::weak]] void qei1_handler();
[[gnu::weak]] void adc0_handler();
[[gnu::weak]] void adc1_handler();
[[gnu::weak]] void adc2_handler();
[[gnu::weak]] void adc3_handler();
[[gnu::weak]] void watchdog_handler();
[[gnu::weak]] void timer0a_handler();
[[gnu::weak]] void timer0b_handler();
[[gnu::weak]] void timer1a_handler();
[[gnu::weak]] void timer1b_handler();
[[gnu::weak]] void timer2a_handler();
[[gnu::weak]] void timer2b_handler();
[[gnu::weak]] void timer3a_handler();
[[gnu::weak]] void timer3b_handler();
[[gnu::weak]] void comparator0_handler();
[[gnu::weak]] void comparator1_handler();
[[gnu::weak]] void system_control_handler();
[[gnu::weak]] void flash_handler();
[[gnu::weak]] void ethernet_handler();
[[gnu::weak]] void hibernation_handler();
}

namespace {

// "Interrupts" in the data sheet's "Interrupts" chapter.
// clang-format off
[[gnu::section(".vectors"), gnu::used]] constexpr board::VectorTable<44> vectors{.interrupts = {
    // 0 to 9.
    gpio_a_handler, gpio_b_handler, gpio_c_handler, gpio_d_handler, gpio_e_handler, uart0_handler,
    uart1_handler, ssi0_handler, i2c0_handler, pwm_fault_handler,
    // 10 to 19.
    pwm0_handler, pwm1_handler, pwm2_handler, qei0_handler, adc0_handler, adc1_handler, adc2_handler,
    adc3_handler, watchdog_handler, timer0a_handler,
    // 20 to 29.
    timer0b_handler, timer1a_handler, timer1b_handler, timer2a_handler, timer2b_handler,
    comparator0_handler, comparator1_handler, nullptr, system_control_handler, flash_handler,
    // 30 to 39.
    gpio_f_handler, gpio_g_handler, nullptr, uart2_handler, nullptr, timer3a_handler, timer3b_handler,
    i2c1_handler, qei1_handler, nullptr,
    // 40 to 43.
    nullptr, nullptr, ethernet_handler, hibernation_handler,
}};
// clang-format on

}  // namespace
