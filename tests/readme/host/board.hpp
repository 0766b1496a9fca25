// SPDX-License-Identifier: Apache-2.0
// A board for the code of the documents, on this machine: stdin and stdout are its UART, stderr shows its LED.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/port.hpp"
#include "mcp/ports/ethernet.hpp"
#include "mcp/ports/i2c.hpp"

namespace board {

mcp::ByteStream& uart0();
mcp::Millis millis();
mcp::Ethernet& ethernet();
void wait_for_event(mcp::Millis timeout_ms);  // Ends the process when stdin has ended: firmware never does.
float celsius();
std::int32_t humidity();
float moisture(int bed);
float pin(std::int32_t number);
mcp::I2cBus& i2c0();  // Has a TMP105 of 21.5 degrees at 0x48.
void led(std::int32_t percent);
bool flash_busy();
std::uint32_t log_size();
std::size_t flash_read(std::uint32_t offset, std::span<std::uint8_t> into);

// Files on a card, and relays on a bus.
struct File {
  std::string_view name;
  std::uint32_t size;
};
const File* card_file(std::uint16_t number);
std::string_view card_text(std::uint16_t number);
bool has_relay(std::uint16_t number);
void pulse_relay(std::uint16_t number, std::uint16_t ms);

// The claims of a token.
struct Claims {
  std::string_view audience;
  std::string_view scopes;
  std::uint64_t user;
};
const Claims* verify(std::string_view token);

}  // namespace board
