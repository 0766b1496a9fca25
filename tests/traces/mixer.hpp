// SPDX-License-Identifier: Apache-2.0
// A mixer that crashes after a certain conversation. It is the same program on a board and on a PC.
#pragma once

#include "mcp/server.hpp"
#include "mcp/trace.hpp"

namespace mixer {

extern const mcp::Server server;
/// A UART may bring one byte for each poll, and the ring has the whole conversation.
inline constinit mcp::TraceRing<0x8000> ring;
/// The boot id of this run, on a PC that of the trace.
inline std::uint32_t boot_id = 0;

/// Supplied by the platform: the temperature of the motor in degrees.
std::int32_t read_temperature();

}  // namespace mixer
