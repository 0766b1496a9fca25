// SPDX-License-Identifier: Apache-2.0
// Functions of riscv32 `virt` for the images of this folder, in addition to those of every board.
#pragma once

#include <mcp/ports/processor.hpp>
#include <mcp/ports/virt.hpp>
#include <string_view>

namespace probe {

/// Raises the software interrupt, whose handler an image may have by the name of HANDLER.
#define HANDLER software_interrupt_handler
inline void raise_interrupt() { *reinterpret_cast<volatile std::uint32_t*>(0x0200'0000) = 1; }

/// The real-time clock (Goldfish) raises an interrupt every so many milliseconds (0: no more), which is TICK_HANDLER's;
/// that calls take_tick() first. Its alarm comes once, so that sets it again.
#define TICK_HANDLER rtc_handler
extern "C" void rtc_handler();
inline std::uint32_t tick_ms;
inline void set_alarm() {
  const std::uint32_t low = board::reg(0x10'1000);  // nanoseconds; this word first
  const std::uint64_t at =
      (std::uint64_t{board::reg(0x10'1004)} << 32 | low) + std::uint64_t{tick_ms} * std::uint64_t{1'000'000};
  board::reg(0x10'100C) = static_cast<std::uint32_t>(at >> 32);
  board::reg(0x10'1008) = static_cast<std::uint32_t>(at);
}
inline void tick_every(std::uint32_t milliseconds) {
  tick_ms = milliseconds;
  board::reg(0x10'1010) = milliseconds != 0 ? 1 : 0;  // interrupt
  if (milliseconds == 0) return;
  board::on_interrupt(11, rtc_handler);
  set_alarm();
}
inline void take_tick() {
  board::reg(0x10'101C) = 1;
  if (tick_ms != 0) set_alarm();
}

inline void illegal_instruction() { asm volatile("unimp"); }
/// The same, with this address in the stack pointer.
inline void fault_with_stack(std::uintptr_t address) { asm volatile("mv sp, %0\n unimp" ::"r"(address)); }

/// No code is there.
inline constexpr std::uintptr_t nowhere = 0x1FFF'F000;
/// No data is there either.
inline constexpr std::uintptr_t unmapped = 0x1234'5678;
inline constexpr std::uintptr_t ram_end = 0x8014'0000;

/// Calls `send_number` with the answer to a command that other boards do not have; false: neither has this one.
inline bool execute(std::string_view command, void (*)(std::string_view), void (*send_number)(std::int32_t)) {
  if (command != "errors") return false;
  send_number(static_cast<std::int32_t>(board::uart0_errors()));
  return true;
}

}  // namespace probe
