// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mcp/port.hpp>

// Opens the stream of the client. Call it once. Errors: ends the program.
mcp::ByteStream& open_stream();

// The longest sleep, for a stream that wakes no task.
extern const mcp::Millis longest_sleep_ms;
