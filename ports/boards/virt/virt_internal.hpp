// SPDX-License-Identifier: Apache-2.0
// Shared by the files of this folder. Contains nothing for applications.
#pragma once

#include <cstdint>

namespace board {

// The memory map of `virt` (QEMU, hw/riscv/virt.c).
inline constexpr std::uint32_t clint = 0x0200'0000;    // Software interrupt and timer of the processor
inline constexpr std::uint32_t plic = 0x0C00'0000;     // External interrupts
inline constexpr std::uint32_t ns16550 = 0x1000'0000;  // UART
inline constexpr std::uint32_t flash1 = 0x2200'0000;   // The second of two CFI flashes
inline constexpr std::uint32_t virtio = 0x1000'1000;   // Eight places for virtio devices
inline constexpr std::uint32_t virtio_step = 0x1000;   // from one to the next
inline constexpr unsigned virtio_places = 8;
inline constexpr unsigned virtio_interrupt = 1;  // of the first place
inline constexpr unsigned uart_interrupt = 10;

}  // namespace board

extern "C" void timer_handler();
