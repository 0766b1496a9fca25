// SPDX-License-Identifier: Apache-2.0
// What main.cpp needs of the board. Interrupts of the board end a sleep.
#pragma once

#include <mcp/port.hpp>

namespace board {

// The UART, 115200 baud. Received bytes are in a ring of 256 bytes.
mcp::ByteStream& uart();
// Milliseconds since the start. Wraps.
mcp::Millis millis();
// Sleeps until a byte arrives, the transmitter has space, or `timeout_ms` have passed. May return earlier.
void sleep(mcp::Millis timeout_ms);

}  // namespace board
