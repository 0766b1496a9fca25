// SPDX-License-Identifier: Apache-2.0
// The parts of the board that main.cpp uses. CMakeLists.txt chooses the files that define them.
#pragma once

#include <mcp/port.hpp>
#include <mcp/ports/i2c.hpp>

namespace board {

// Opens the wire of the settings. Call it once. Errors: ends the program.
mcp::ByteStream& open_stream();

// The bus of the sensor. The first call opens it. Errors: ends the program.
mcp::I2cBus& bus();

// Switches the LED.
void set_led(bool on);

// Lets the watchdog watch this task. Then feed_watchdog() is due every 5 s.
void start_watchdog();
void feed_watchdog();

// Lets the chip sleep while it waits.
void enable_sleep();

// The longest wait for a client: the wire of the settings wakes no task that waits for the network.
extern const mcp::Millis longest_sleep_ms;

}  // namespace board
