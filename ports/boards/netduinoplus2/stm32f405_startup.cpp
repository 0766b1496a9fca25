// SPDX-License-Identifier: Apache-2.0
// The reset handler, and the interrupts by the names that their handlers have.
#include "ports/bare_metal/cortex_m_startup.hpp"

namespace {

// Below RAM, besides 1 MB of flash.
constexpr board::MemoryRegion others[] = {
    {0x1000'0000, 16, board::mpu_read_write},  // 64 KB of RAM at the core (CCM)
    {0x1FFF'7A00, 6, board::mpu_read_only},    // The unique id at 0x1FFF7A10, and the size of flash at 0x1FFF7A22
};

}  // namespace

extern "C" void reset_handler() { board::start(20, 0x0800'0000, others); }

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
[[gnu::weak]] void dma1_stream0_handler();
[[gnu::weak]] void dma1_stream1_handler();
[[gnu::weak]] void dma1_stream2_handler();
[[gnu::weak]] void dma1_stream3_handler();
[[gnu::weak]] void dma1_stream4_handler();
[[gnu::weak]] void dma1_stream5_handler();
[[gnu::weak]] void dma1_stream6_handler();
[[gnu::weak]] void adc_handler();
[[gnu::weak]] void can1_tx_handler();
[[gnu::weak]] void can1_rx0_handler();
[[gnu::weak]] void can1_rx1_handler();
[[gnu::weak]] void can1_sce_handler();
[[gnu::weak]] void exti9_5_handler();
[[gnu::weak]] void tim1_break_tim9_handler();
[[gnu::weak]] void tim1_update_tim10_handler();
[[gnu::weak]] void tim1_trigger_tim11_handler();
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
[[gnu::weak]] void usb_fs_wakeup_handler();
[[gnu::weak]] void tim8_break_tim12_handler();
[[gnu::weak]] void tim8_update_tim13_handler();
[[gnu::weak]] void tim8_trigger_tim14_handler();
[[gnu::weak]] void tim8_compare_handler();
[[gnu::weak]] void dma1_stream7_handler();
[[gnu::weak]] void fsmc_handler();
[[gnu::weak]] void sdio_handler();
[[gnu::weak]] void tim5_handler();
[[gnu::weak]] void spi3_handler();
[[gnu::weak]] void uart4_handler();
[[gnu::weak]] void uart5_handler();
[[gnu::weak]] void tim6_dac_handler();
[[gnu::weak]] void tim7_handler();
[[gnu::weak]] void dma2_stream0_handler();
[[gnu::weak]] void dma2_stream1_handler();
[[gnu::weak]] void dma2_stream2_handler();
[[gnu::weak]] void dma2_stream3_handler();
[[gnu::weak]] void dma2_stream4_handler();
[[gnu::weak]] void can2_tx_handler();
[[gnu::weak]] void can2_rx0_handler();
[[gnu::weak]] void can2_rx1_handler();
[[gnu::weak]] void can2_sce_handler();
[[gnu::weak]] void usb_fs_handler();
[[gnu::weak]] void dma2_stream5_handler();
[[gnu::weak]] void dma2_stream6_handler();
[[gnu::weak]] void dma2_stream7_handler();
[[gnu::weak]] void usart6_handler();
[[gnu::weak]] void i2c3_event_handler();
[[gnu::weak]] void i2c3_error_handler();
[[gnu::weak]] void usb_hs_ep1_out_handler();
[[gnu::weak]] void usb_hs_ep1_in_handler();
[[gnu::weak]] void usb_hs_wakeup_handler();
[[gnu::weak]] void usb_hs_handler();
[[gnu::weak]] void rng_handler();
[[gnu::weak]] void fpu_handler();
}

namespace {

// RM0090, "Interrupts and events".
// clang-format off
[[gnu::section(".vectors"), gnu::used]] constexpr board::VectorTable<82> vectors{.interrupts = {
    // 0 to 9.
    wwdg_handler, pvd_handler, tamper_handler, rtc_handler, flash_handler, rcc_handler, exti0_handler,
    exti1_handler, exti2_handler, exti3_handler,
    // 10 to 19.
    exti4_handler, dma1_stream0_handler, dma1_stream1_handler, dma1_stream2_handler, dma1_stream3_handler,
    dma1_stream4_handler, dma1_stream5_handler, dma1_stream6_handler, adc_handler, can1_tx_handler,
    // 20 to 29.
    can1_rx0_handler, can1_rx1_handler, can1_sce_handler, exti9_5_handler, tim1_break_tim9_handler,
    tim1_update_tim10_handler, tim1_trigger_tim11_handler, tim1_compare_handler, tim2_handler, tim3_handler,
    // 30 to 39.
    tim4_handler, i2c1_event_handler, i2c1_error_handler, i2c2_event_handler, i2c2_error_handler, spi1_handler,
    spi2_handler, usart1_handler, usart2_handler, usart3_handler,
    // 40 to 49.
    exti15_10_handler, rtc_alarm_handler, usb_fs_wakeup_handler, tim8_break_tim12_handler,
    tim8_update_tim13_handler, tim8_trigger_tim14_handler, tim8_compare_handler, dma1_stream7_handler,
    fsmc_handler, sdio_handler,
    // 50 to 59.
    tim5_handler, spi3_handler, uart4_handler, uart5_handler, tim6_dac_handler, tim7_handler,
    dma2_stream0_handler, dma2_stream1_handler, dma2_stream2_handler, dma2_stream3_handler,
    // 60 to 69.
    dma2_stream4_handler, nullptr, nullptr, can2_tx_handler, can2_rx0_handler, can2_rx1_handler,
    can2_sce_handler, usb_fs_handler, dma2_stream5_handler, dma2_stream6_handler,
    // 70 to 79.
    dma2_stream7_handler, usart6_handler, i2c3_event_handler, i2c3_error_handler, usb_hs_ep1_out_handler,
    usb_hs_ep1_in_handler, usb_hs_wakeup_handler, usb_hs_handler, nullptr, nullptr,
    // 80 to 81.
    rng_handler, fpu_handler,
}};
// clang-format on

}  // namespace
