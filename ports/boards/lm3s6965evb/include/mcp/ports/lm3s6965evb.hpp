// The TI LM3S6965EVB: a Cortex-M3 at 50 MHz with 256 KB flash and 64 KB RAM, its UART, Ethernet, clock, I2C bus, LED
// and button, beyond what every board has. An executable that links mote::lm3s6965evb is a complete image: start-up,
// vector table and linker script come along. Knows no MCP: bytes, milliseconds and pins only.
//
// Taken by the port: UART0, Ethernet, I2C0, PF0, SysTick, timer 0 and two regions of the memory protection unit (the
// stack guard; flash is read-only); in images that call on_button(), the interrupt of port F. Everything else is the
// application's. Names of interrupt handlers: lm3s6965_startup.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mcp/port.hpp>
#include <span>

#include "mcp/ports/board.hpp"

namespace board {

// ---- UART ----------------------------------------------------------------------------------------------------------

/// UART0 at 115200 baud, 8 data bits, no parity, 1 stop bit (PA0 = receive, PA1 = transmit).
/// The first call switches it on; bytes that arrive earlier are lost on hardware and kept by the emulator.
///
/// Receive: an interrupt fills a ring of MOTE_UART_RX_SIZE bytes of RAM (CMake; a power of two, default 256). With
/// the 16 bytes of the hardware FIFO that is 23.6 ms of a busy line. While the ring is full the receive interrupt is
/// off and nothing in the ring is overwritten. The emulator then holds the sender back. On hardware the UART has no
/// RTS/CTS pins: once the FIFO is full as well, bytes are lost (and counted). So make the ring as long as the longest
/// message if a handler may keep the main loop busy for longer than the ring covers (86.8 us per byte).
///
/// Transmit: write() takes what fits into the hardware FIFO (16 bytes, 1.4 ms) and then answers would_block;
/// wait_for_event() returns when there is room again.
///
/// A byte that arrived damaged (framing, parity, break) is replaced by 0xFF, and 0xFF stands where bytes were lost.
/// 0xFF is never valid in UTF-8, so a damaged message is refused and never taken for another one.
///
/// Context: main loop. Never blocks. Neither `closed` nor `failed` is ever returned.
mcp::ByteStream& uart0();

/// What went wrong on the receive line since start-up. Counters wrap at 2^32.
struct UartErrors {
  std::uint32_t framing;  ///< Bytes with a wrong stop bit: noise, or the wrong baud rate.
  std::uint32_t parity;   ///< Bytes with a wrong parity bit (never with the 8N1 format that is set).
  std::uint32_t breaks;   ///< Times the line was held low for longer than a byte.
  std::uint32_t overrun;  ///< Times the hardware FIFO was full and bytes were lost.
};

/// A copy of the counters. Context: main loop. Never blocks.
UartErrors uart0_errors();

// ---- Ethernet ------------------------------------------------------------------------------------------------------

/// The Ethernet controller and its PHY, at the address that the maker has written into the USER registers (on the
/// board's label); a board without one never has a link. The first call switches it on.
///
/// Receive: frames wait in the FIFO of the hardware (2 KB); what it has no room for is lost. An interrupt ends
/// wait_for_event() when one has come. Nothing is copied before receive() is called.
///
/// Transmit: send() waits until the frame before has gone (up to 1.2 ms at 10 Mbit/s).
///
/// The emulator has no PHY: there the link is always up.
mcp::Ethernet& ethernet();

// ---- I2C and the temperature sensor --------------------------------------------------------------------------------

/// One transaction on I2C0 (PB2 = SCL, PB3 = SDA, 100 kHz, external pull-ups) with the device at the 7-bit `address`:
/// start, all of `bytes` (at least one), stop. False if the device did not answer or the bus is stuck; what was moved
/// until then is undefined. A device that is not there is noticed after one byte time.
/// Context: main loop. Blocks for about 100 us per byte, on a stuck bus for up to 5 ms.
[[nodiscard]] bool i2c_write(std::uint8_t address, std::span<const std::uint8_t> bytes);
[[nodiscard]] bool i2c_read(std::uint8_t address, std::span<std::uint8_t> bytes);

/// The temperature of the TMP105 (or a TMP75) at I2C address 0x48 in thousandths of a degree Celsius, in steps of 62.5
/// rounded to whole thousandths. False if the sensor does not answer; `millidegrees` is then unchanged. A sensor that
/// comes back is set up again by itself.
/// Context: main loop. Blocks for about 0.6 ms (the first time 0.9 ms), on a stuck bus for up to 5 ms.
[[nodiscard]] bool read_millidegrees(std::int32_t& millidegrees);

// ---- LED -----------------------------------------------------------------------------------------------------------

/// Switches the status LED (PF0). Context: main loop. Never blocks.
void led(bool on);

/// Whether the status LED is on. Context: main loop. Never blocks.
[[nodiscard]] bool led();

// ---- Button --------------------------------------------------------------------------------------------------------

/// Calls `from_isr` in the interrupt of port F each time that the SELECT button (PF1) was pressed and is let go, from
/// now on, and ends wait_for_event(). A contact that bounces is pressed several times. Context: main loop. Never
/// blocks.
void on_button(void (*from_isr)());

}  // namespace board
