// SPDX-License-Identifier: Apache-2.0
// Options of the thermometer on a PC, in addition to device.hpp.
#pragma once

#include <mcp/trace.hpp>

namespace device {

/// What the program reads and writes, once main() has begun to record it or to play it.
inline constinit mcp::TraceRing<0x4'0000> trace;

/// Path of the file that is the sensor; it holds thousandths of a degree Celsius. Stays the caller's. Before the first
/// sample.
void use_sensor(const char* path);

}  // namespace device
