// SPDX-License-Identifier: Apache-2.0
// The functions of a device and the headers of mote that the examples in the public headers use.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string_view>

#include "mcp/coroutine.hpp"
#include "mcp/history.hpp"
#include "mcp/http_transport.hpp"
#include "mcp/mailbox.hpp"
#include "mcp/port.hpp"
#include "mcp/ports/posix.hpp"
#include "mcp/prompt_input.hpp"
#include "mcp/server.hpp"
#include "mcp/stdio_transport.hpp"
#include "mcp/trace.hpp"
#include "mcp/version.hpp"

namespace mcp {
class I2cBus;
class Pins;
}  // namespace mcp

namespace board {

// Sensors and actuators.
float celsius();
bool sensor_ready();
float pin(std::int32_t number);
void led(std::int32_t percent);
void play(std::string_view note);
bool fill_random(std::span<std::uint8_t> into);
bool motor_runs();
bool motor_stuck();
void start_motor();
std::span<const std::uint8_t> photo();

// Buses and pins.
mcp::I2cBus& i2c0();
mcp::Pins& pins();

// Sensors on a bus.
bool has_sensor(std::uint16_t number);
std::string_view rom_code(std::uint16_t number);
float sensor(std::uint16_t number);

// A flash chip.
bool flash_busy();
std::uint32_t log_size();
std::size_t flash_read(std::uint32_t offset, std::span<std::uint8_t> into);

// Drivers.
bool uart_has_byte();
char uart_byte();
std::uint32_t uart_data_register();
bool uart_is_free();
void uart_send(char byte);
void uart_enable(unsigned interrupts);
class InterruptsOff {};
std::size_t uart_read(std::span<char> into);
std::size_t uart_write(std::span<const char> from);
std::span<const std::uint8_t, 6> mac_address();
bool phy_link();
std::size_t mac_receive(std::span<std::uint8_t> into);
bool mac_send(std::span<const std::span<const std::uint8_t>> pieces);
bool nor_read(std::size_t at, std::span<std::uint8_t> into);
bool nor_erase(std::size_t block);
bool nor_program(std::size_t at, std::span<const std::uint8_t> unit);
void send(std::span<const char> bytes);

// The processor, and an RTOS.
void wake_from_isr();
const void* current_task();
std::uint32_t disable_interrupts();
void restore_interrupts(std::uint32_t state);
mcp::Millis millis();
void wait_for_event(mcp::Millis timeout_ms);
void write_reset_reason(const char* file, int line);
[[noreturn]] void reset();

}  // namespace board
