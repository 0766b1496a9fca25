// SPDX-License-Identifier: Apache-2.0
// error: two_readings_of_a_workbench_must_not_have_the_same_name
#include <mcp/devices/lm75.hpp>
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::MeasureOptions each_second{.now = now};
constinit mcp::Measured<mcp::Lm75, each_second> room{bus, 0x48};
constexpr mcp::WorkbenchReading readings[] = {{.name = "room", .sensor = &room}, {.name = "room", .sensor = &room}};
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now, .readings = readings};
constinit mcp::Workbench<options> bench;
