// SPDX-License-Identifier: Apache-2.0
// The reset handler, and the interrupts by the names that their handlers have.
#include "ports/bare_metal/cortex_m_startup.hpp"

extern "C" void reset_handler() { board::start(); }

extern "C" {
[[gnu::weak]] void power_clock_handler();
[[gnu::weak]] void radio_handler();
[[gnu::weak]] void uart0_handler();
[[gnu::weak]] void spi0_twi0_handler();
[[gnu::weak]] void spi1_twi1_handler();
[[gnu::weak]] void gpiote_handler();
[[gnu::weak]] void adc_handler();
[[gnu::weak]] void timer0_handler();
[[gnu::weak]] void timer1_handler();
[[gnu::weak]] void timer2_handler();
[[gnu::weak]] void rtc0_handler();
[[gnu::weak]] void temp_handler();
[[gnu::weak]] void rng_handler();
[[gnu::weak]] void ecb_handler();
[[gnu::weak]] void ccm_aar_handler();
[[gnu::weak]] void wdt_handler();
[[gnu::weak]] void rtc1_handler();
[[gnu::weak]] void qdec_handler();
[[gnu::weak]] void lpcomp_handler();
[[gnu::weak]] void swi0_handler();
[[gnu::weak]] void swi1_handler();
[[gnu::weak]] void swi2_handler();
[[gnu::weak]] void swi3_handler();
[[gnu::weak]] void swi4_handler();
[[gnu::weak]] void swi5_handler();
}

namespace {

// "nRF51 Series Reference Manual", "Instantiation".
// clang-format off
[[gnu::section(".vectors"), gnu::used]] constexpr board::VectorTable<32> vectors{.interrupts = {
    // 0 to 9.
    power_clock_handler, radio_handler, uart0_handler, spi0_twi0_handler, spi1_twi1_handler,
    nullptr, gpiote_handler, adc_handler, timer0_handler, timer1_handler,
    // 10 to 19.
    timer2_handler, rtc0_handler, temp_handler, rng_handler, ecb_handler,
    ccm_aar_handler, wdt_handler, rtc1_handler, qdec_handler, lpcomp_handler,
    // 20 to 25.
    swi0_handler, swi1_handler, swi2_handler, swi3_handler, swi4_handler, swi5_handler,
}};
// clang-format on

}  // namespace
