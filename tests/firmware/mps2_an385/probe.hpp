// SPDX-License-Identifier: Apache-2.0
// Functions of the MPS2 AN385 for the images of this folder, in addition to those of every board.
#pragma once

#include <mcp/ports/mps2_an385.hpp>
#include <string_view>

#include "../cortex_m_probe.hpp"

namespace probe {

/// Enables and raises interrupt 6, GPIO port 0, whose handler an image may have by the name of HANDLER.
#define HANDLER gpio0_handler
inline void raise_interrupt() { raise(6); }

/// The first of the dual timer's two raises an interrupt every so many milliseconds (0: no more), which is
/// TICK_HANDLER's; that calls take_tick() first. Source: "Cortex-M System Design Kit Technical Reference Manual".
#define TICK_HANDLER dual_timer_handler
inline void tick_every(std::uint32_t milliseconds) {
  board::reg(0x4000'2008) = 0;  // off
  if (milliseconds == 0) return;
  board::reg(0x4000'2000) = milliseconds * 25'000;              // cycles
  board::reg(0x4000'2008) = 1 << 7 | 1 << 6 | 1 << 5 | 1 << 1;  // on, periodic, interrupt, of 32 bits
  board::reg(0xE000'E100) = 1 << 10;
}
inline void take_tick() { board::reg(0x4000'200C) = 1; }

inline constexpr std::uintptr_t ram_end = 0x2040'0000;

/// Calls `send_number` with the answer to a command that other boards do not have; false: neither has this one.
inline bool execute(std::string_view command, void (*)(std::string_view), void (*send_number)(std::int32_t)) {
  if (command != "errors") return false;
  send_number(static_cast<std::int32_t>(board::uart0_errors()));
  return true;
}

}  // namespace probe
