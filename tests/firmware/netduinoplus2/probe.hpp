// SPDX-License-Identifier: Apache-2.0
// Functions of the Netduino Plus 2 for the images of this folder, in addition to those of every board.
#pragma once

#include <mcp/ports/netduinoplus2.hpp>
#include <string_view>

#include "../cortex_m_probe.hpp"

namespace probe {

/// Enables and raises interrupt 6, EXTI0, whose handler an image may have by the name of HANDLER.
#define HANDLER exti0_handler
inline void raise_interrupt() { raise(6); }

/// TIM2 raises an interrupt every so many milliseconds (0: no more), which is TICK_HANDLER's; that calls take_tick()
/// first. Source: RM0090, "General-purpose timers". The emulated timer counts with 1 GHz, and that of hardware with 84
/// MHz, so there is less time between two interrupts in the emulator.
#define TICK_HANDLER tim2_handler
inline void tick_every(std::uint32_t milliseconds) {
  board::reg(0x4002'3840) = board::reg(0x4002'3840) | 1;  // its clock
  board::reg(0x4000'0000) = 0;                            // off
  if (milliseconds == 0) return;
  board::reg(0x4000'0028) = 83;                       // divide by 84
  board::reg(0x4000'002C) = milliseconds * 1000 - 1;  // the last value
  board::reg(0x4000'0014) = 1;                        // take both
  board::reg(0x4000'0010) = 0;                        // clear the interrupt of this
  board::reg(0x4000'000C) = 1;                        // interrupt at the end of each
  board::reg(0x4000'0000) = 1;                        // on
  board::reg(0xE000'E100) = 1 << 28;
}
inline void take_tick() { board::reg(0x4000'0010) = 0; }

/// Sleeps for 1 to 50 ms and for 900 ms, and returns by how many microseconds the clock is then ahead of TIM2. The
/// emulated timer counts with 1 GHz, so this is for the emulator only.
inline std::int32_t drift_us() {
  board::reg(0x4002'3840) = board::reg(0x4002'3840) | 1;  // its clock
  board::reg(0x4000'0028) = 999;                          // divide by 1000
  const mcp::Millis begun_ms = board::millis();
  mcp::Millis now_ms = begun_ms;
  while (now_ms == begun_ms) now_ms = board::millis();
  const mcp::Millis start_ms = now_ms;
  const std::uint32_t start_us = board::reg(0x4000'0024);
  for (mcp::Millis sleep_ms = 1; sleep_ms <= 51; ++sleep_ms) {
    const mcp::Millis end_ms = now_ms + (sleep_ms == 51 ? 900 : sleep_ms);
    while (static_cast<std::int32_t>(end_ms - now_ms) > 0) {
      board::wait_for_event(end_ms - now_ms);
      now_ms = board::millis();
    }
  }
  const mcp::Millis last_ms = now_ms;
  while (now_ms == last_ms) now_ms = board::millis();
  return static_cast<std::int32_t>((now_ms - start_ms) * 1000 - (board::reg(0x4000'0024) - start_us));
}

/// Where the image's RAM ends. The emulated RAM is contiguous and longer.
inline constexpr std::uintptr_t ram_end = 0x2002'0000;

/// The first word of CCM.
[[gnu::section(".ccm"), maybe_unused]] static volatile std::uint32_t in_ccm;

/// Calls `send` or `send_number` with the answer to a command that other boards do not have; false: neither has this
/// one.
inline bool execute(std::string_view command, void (*send)(std::string_view), void (*send_number)(std::int32_t)) {
  if (command == "errors") {
    send_number(static_cast<std::int32_t>(board::uart0_errors()));
  } else if (command == "random") {
    board::ChipEntropy entropy;
    std::uint8_t bytes[8] = {};
    send(entropy.fill(bytes) ? "random" : "no generator");
  } else if (command == "drift") {
    const std::int32_t ahead_us = drift_us();
    if (ahead_us >= -20 && ahead_us <= 20) {
      send("exact");
    } else {
      send_number(ahead_us);
    }
  } else if (command == "ccm") {
    in_ccm = 1;
  } else if (command == "end of ccm") {
    board::reg(0x1000'FFFC) = 1;
  } else if (command == "id") {
    [[maybe_unused]] const std::uint32_t id = board::reg(0x1FFF'7A10);
  } else if (command == "behind ccm") {
    board::reg(0x1001'0000) = 1;
  } else if (command == "write id") {
    board::reg(0x1FFF'7A10) = 1;
  } else if (command == "float") {
    volatile float factor = 1.5F;
    send_number(static_cast<std::int32_t>(factor * 2.25F * 1000.0F));
  } else if (command == "led on" || command == "led off") {
    send(board::led() ? "yes " : "no ");
    board::led(command == "led on");
    send(board::led() ? "yes" : "no");
  } else {
    return false;
  }
  return true;
}

}  // namespace probe
