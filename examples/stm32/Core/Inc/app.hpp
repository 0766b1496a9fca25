// SPDX-License-Identifier: Apache-2.0
// The part of the application that both forms share.
#pragma once

#include <mcp/port.hpp>

namespace app {

/// Returns the milliseconds since start-up. Each form has its own.
mcp::Millis millis();

/// The UART of the server.
mcp::ByteStream& uart();

/// Measures if that is due, and serves clients. Returns the milliseconds until the next call is due at the latest.
mcp::Millis poll();

}  // namespace app
