// SPDX-License-Identifier: Apache-2.0
// error: a_pin_or_reading_of_a_workbench_needs_a_name_of_1_to_24_of_A_to_Z_a_to_z_0_to_9_underscore_hyphen
#include <mcp/devices/lm75.hpp>
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::MeasureOptions each_second{.now = now};
constinit mcp::Measured<mcp::Lm75, each_second> room{bus, 0x48};
constexpr mcp::WorkbenchReading readings[] = {{.sensor = &room}};
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now, .readings = readings};
constinit mcp::Workbench<options> bench;
