// SPDX-License-Identifier: Apache-2.0
// error: a measured sensor needs a now function
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sensor_rows.hpp>

mcp::I2cBus& bus();
constexpr mcp::MeasureOptions options{};
constinit mcp::Measured<mcp::Lm75, options> sensor{bus, 0x48};
