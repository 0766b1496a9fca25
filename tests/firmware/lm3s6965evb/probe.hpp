// SPDX-License-Identifier: Apache-2.0
// Functions of the LM3S6965EVB for the images of this folder, in addition to those of every board.
#pragma once

#include <mcp/devices/lm75.hpp>
#include <mcp/ports/lm3s6965evb.hpp>
#include <string_view>

#include "../cortex_m_probe.hpp"

namespace probe {

/// Enables and raises interrupt 0, GPIO port A, whose handler an image may have by the name of HANDLER.
#define HANDLER gpio_a_handler
inline void raise_interrupt() { raise(0); }

/// Timer 1 raises an interrupt every so many milliseconds (0: no more), which is TICK_HANDLER's; that calls take_tick()
/// first. Source: the data sheet, "General-Purpose Timers".
#define TICK_HANDLER timer1a_handler
inline void tick_every(std::uint32_t milliseconds) {
  const auto timer1 = [](std::uint32_t offset) -> volatile std::uint32_t& { return board::reg(0x4003'1000 + offset); };
  board::reg(0x400F'E104) |= 1 << 17;  // its clock
  [[maybe_unused]] const std::uint32_t settled = board::reg(0x400F'E104);
  timer1(0x00C) = 0;  // off
  if (milliseconds == 0) return;
  timer1(0x004) = 2;                      // periodic
  timer1(0x028) = milliseconds * 50'000;  // cycles
  timer1(0x018) = 1;                      // interrupt at the end of each
  timer1(0x00C) = 1;                      // on
  board::reg(0xE000'E100) = 1 << 21;
}
inline void take_tick() { board::reg(0x4003'1024) = 1; }

inline constexpr std::uintptr_t ram_end = 0x2001'0000;

/// Calls `send` or `send_number` with the answer to a command that other boards do not have; false: neither has this
/// one.
inline bool execute(std::string_view command, void (*send)(std::string_view), void (*send_number)(std::int32_t)) {
  if (command == "temperature") {
    // The first begin() sets the sensor up.
    static constinit mcp::Tmp105 sensor{board::i2c0, 0x48};
    const mcp::Sensor::Begun begun = sensor.begin();
    const mcp::Millis begun_ms = board::millis();
    while (board::millis() - begun_ms < begun.ready_ms) continue;
    if (begun.error || sensor.collect()) {
      send("no sensor");
    } else {
      send_number(sensor.value(mcp::Tmp105::temperature) * 10);
    }
  } else if (command == "missing") {
    // The driver detects a missing device at once, and the next transaction works.
    const std::uint8_t out[] = {0};
    std::uint8_t in[2];
    const mcp::Millis start_ms = board::millis();
    const bool is_missing = board::i2c0().transfer(0x50, out, in) == mcp::BusError::no_device &&
                            board::i2c0().probe(0x50) == mcp::BusError::no_device;
    if (board::millis() - start_ms > 100) send("slow ");
    send(is_missing ? "missing" : "found");
  } else if (command == "led on" || command == "led off") {
    send(board::led() ? "yes " : "no ");
    board::led(command == "led on");
    send(board::led() ? "yes" : "no");
  } else if (command == "pins") {
    // PF0 is the LED. The UART has PA1.
    bool is_high = false;
    const bool is_lit = board::pins().output(40, true) == mcp::PinError::none && board::led() &&
                        board::pins().level(40, is_high) == mcp::PinError::none && is_high;
    const bool is_off = board::pins().output(40, false) == mcp::PinError::none && !board::led();
    send(is_lit && is_off && board::pins().input(1) == mcp::PinError::busy ? "pins" : "no pins");
  } else if (command == "capture") {
    // PE0 is the UP button. The image has the interrupt of port A.
    std::uint32_t times_us[2];
    mcp::Pins& pins = board::pins();
    bool is_right = pins.input(2) == mcp::PinError::none && pins.input(32) == mcp::PinError::none;
    is_right &= pins.begin_capture(2, mcp::PinEdges::both, times_us) == mcp::PinError::busy;
    is_right &= pins.begin_capture(32, mcp::PinEdges::both, times_us) == mcp::PinError::none;
    is_right &= pins.begin_capture(32, mcp::PinEdges::both, times_us) == mcp::PinError::busy;
    is_right &= pins.captured().count == 0;
    pins.end_capture();
    is_right &= pins.begin_capture(32, mcp::PinEdges::rising, times_us) == mcp::PinError::none;
    send(is_right ? "captured" : "not captured");
  } else if (command == "voltage") {
    // More conversions than the FIFO of the emulator has places.
    bool is_right = true;
    for (std::uint8_t i = 0; i < 20; ++i) {
      std::int32_t millivolts = 0;
      is_right &= board::pins().millivolts(i % 5, 1, millivolts) == mcp::PinError::none;
      is_right &= millivolts >= 1500 && millivolts <= 1521;
    }
    send(is_right ? "noise" : "no noise");
  } else if (command == "errors") {
    const board::UartErrors errors = board::uart0_errors();
    send_number(static_cast<std::int32_t>(errors.framing + errors.parity + errors.breaks + errors.overrun));
  } else {
    return false;
  }
  return true;
}

}  // namespace probe
