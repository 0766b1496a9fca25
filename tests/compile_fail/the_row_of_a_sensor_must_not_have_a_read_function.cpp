// SPDX-License-Identifier: Apache-2.0
// error: the_row_of_a_sensor_must_not_have_a_read_function
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sensor_rows.hpp>

mcp::Millis now();
mcp::I2cBus& bus();
constexpr mcp::MeasureOptions options{.now = now};
constinit mcp::Measured<mcp::Lm75, options> sensor{bus, 0x48};
mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
constexpr mcp::Resource resource = mcp::sensor<sensor>({.uri = "x:y", .name = "y", .read = read});
