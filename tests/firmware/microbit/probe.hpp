// SPDX-License-Identifier: Apache-2.0
// Functions of the micro:bit for the images of this folder, in addition to those of every board.
#pragma once

#include <mcp/ports/microbit.hpp>
#include <string_view>

#include "../cortex_m_probe.hpp"

namespace probe {

/// Enables and raises interrupt 20, software interrupt 0, whose handler an image may have by the name of HANDLER.
#define HANDLER swi0_handler
inline void raise_interrupt() { raise(20); }

/// TIMER1 raises an interrupt every so many milliseconds (0: no more), which is TICK_HANDLER's; that calls take_tick()
/// first. It has 16 bits: at most 2000 milliseconds. Source: "nRF51 Series Reference Manual", TIMER.
#define TICK_HANDLER timer1_handler
inline void tick_every(std::uint32_t milliseconds) {
  board::reg(0x4000'9004) = 1;  // stop
  if (milliseconds == 0) return;
  board::reg(0x4000'900C) = 1;                              // clear
  board::reg(0x4000'9508) = 0;                              // 16 bits
  board::reg(0x4000'9510) = 9;                              // 31,250 Hz
  board::reg(0x4000'9540) = milliseconds * 31'250 / 1'000;  // compare
  board::reg(0x4000'9200) = 1;                              // begin again there
  board::reg(0x4000'9304) = 1 << 16;                        // interrupt there
  board::reg(0x4000'9000) = 1;                              // start
  board::reg(0xE000'E100) = 1 << 9;
}
inline void take_tick() { board::reg(0x4000'9140) = 0; }

inline constexpr std::uintptr_t ram_end = 0x2000'4000;

/// Calls `send` or `send_number` with the answer to a command that other boards do not have; false: neither has this
/// one.
inline bool execute(std::string_view command, void (*send)(std::string_view), void (*send_number)(std::int32_t)) {
  if (command == "errors") {
    send_number(static_cast<std::int32_t>(board::uart0_errors()));
  } else if (command == "random") {
    // Three draws of 8 bytes differ.
    static constinit board::ChipEntropy entropy;
    std::uint8_t draws[3][8] = {};
    bool differ = true;
    for (auto& draw : draws) differ = entropy.fill(draw) && differ;
    const auto same = [](const std::uint8_t(&a)[8], const std::uint8_t(&b)[8]) {
      return std::string_view(reinterpret_cast<const char*>(a), 8) ==
             std::string_view(reinterpret_cast<const char*>(b), 8);
    };
    send(differ && !same(draws[0], draws[1]) && !same(draws[1], draws[2]) && !same(draws[0], draws[2]) ? "random"
                                                                                                       : "equal");
  } else if (command == "temperature") {
    std::int32_t millidegrees = 0;
    send(board::read_millidegrees(millidegrees) ? "a sensor" : millidegrees == 0 ? "no sensor" : "changed");
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
