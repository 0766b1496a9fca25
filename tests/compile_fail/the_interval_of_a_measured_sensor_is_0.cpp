// SPDX-License-Identifier: Apache-2.0
// error: the interval is 1 to 2^31 - 1 ms
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sensor_rows.hpp>

mcp::Millis now();
mcp::I2cBus& bus();
constexpr mcp::MeasureOptions options{.now = now, .interval_ms = 0};
constinit mcp::Measured<mcp::Lm75, options> sensor{bus, 0x48};
