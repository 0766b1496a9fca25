// SPDX-License-Identifier: Apache-2.0
// The reset handler, and the interrupts by the names that their handlers have.
#include "ports/bare_metal/cortex_m_startup.hpp"

extern "C" void reset_handler() { board::start(17, 0x0800'0000); }

extern "C" {
[[gnu::weak]] void wwdg_handler();
[[gnu::weak]] void pvd_handler();
[[gnu::weak]] void tamper_handler();
[[gnu::weak]] void rtc_handler();
[[gnu::weak]] void flash_handler();
[[gnu::weak]] void rcc_handler();
[[gnu::weak]] void exti0_handler();
[[gnu::weak]] void exti1_handler();
[[gnu::weak]] void exti2_handler();
[[gnu::weak]] void exti3_handler();
[[gnu::weak]] void exti4_handler();
[[gnu::weak]] void dma1_channel1_handler();
[[gnu::weak]] void dma1_channel2_handler();
[[gnu::weak]] void dma1_channel3_handler();
[[gnu::weak]] void dma1_channel4_handler();
[[gnu::weak]] void dma1_channel5_handler();
[[gnu::weak]] void dma1_channel6_handler();
[[gnu::weak]] void dma1_channel7_handler();
[[gnu::weak]] void adc1_handler();
[[gnu::weak]] void exti9_5_handler();
[[gnu::weak]] void tim1_break_tim15_handler();
[[gnu::weak]] void tim1_update_tim16_handler();
[[gnu::weak]] void tim1_trigger_tim17_handler();
[[gnu::weak]] void tim1_compare_handler();
[[gnu::weak]] void tim2_handler();
[[gnu::weak]] void tim3_handler();
[[gnu::weak]] void tim4_handler();
[[gnu::weak]] void i2c1_event_handler();
[[gnu::weak]] void i2c1_error_handler();
[[gnu::weak]] void i2c2_event_handler();
[[gnu::weak]] void i2c2_error_handler();
[[gnu::weak]] void spi1_handler();
[[gnu::weak]] void spi2_handler();
[[gnu::weak]] void usart1_handler();
[[gnu::weak]] void usart2_handler();
[[gnu::weak]] void usart3_handler();
[[gnu::weak]] void exti15_10_handler();
[[gnu::weak]] void rtc_alarm_handler();
[[gnu::weak]] void cec_handler();
[[gnu::weak]] void tim6_dac_handler();
[[gnu::weak]] void tim7_handler();
}

namespace {

// RM0041, "Interrupt and exception vectors".
// clang-format off
[[gnu::section(".vectors"), gnu::used]] constexpr board::VectorTable<56> vectors{.interrupts = {
    // 0 to 9.
    wwdg_handler, pvd_handler, tamper_handler, rtc_handler, flash_handler,
    rcc_handler, exti0_handler, exti1_handler, exti2_handler, exti3_handler,
    // 10 to 19.
    exti4_handler, dma1_channel1_handler, dma1_channel2_handler, dma1_channel3_handler, dma1_channel4_handler,
    dma1_channel5_handler, dma1_channel6_handler, dma1_channel7_handler, adc1_handler, nullptr,
    // 20 to 29.
    nullptr, nullptr, nullptr, exti9_5_handler, tim1_break_tim15_handler,
    tim1_update_tim16_handler, tim1_trigger_tim17_handler, tim1_compare_handler, tim2_handler, tim3_handler,
    // 30 to 39.
    tim4_handler, i2c1_event_handler, i2c1_error_handler, i2c2_event_handler, i2c2_error_handler,
    spi1_handler, spi2_handler, usart1_handler, usart2_handler, usart3_handler,
    // 40 to 49.
    exti15_10_handler, rtc_alarm_handler, cec_handler, nullptr, nullptr,
    nullptr, nullptr, nullptr, nullptr, nullptr,
    // 50 to 55.
    nullptr, nullptr, nullptr, nullptr, tim6_dac_handler, tim7_handler,
}};
// clang-format on

}  // namespace
