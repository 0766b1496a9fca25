// SPDX-License-Identifier: Apache-2.0
// error: the_time_after_which_a_reading_is_lost_must_be_1_to_2_31_ms
#include <mcp/devices/lm75.hpp>
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::MeasureOptions each_second{.now = now};
constinit mcp::Measured<mcp::Lm75, each_second> room{bus, 0x48};
constexpr mcp::WorkbenchReading readings[] = {{.name = "room", .sensor = &room, .lost_ms = 0}};
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now, .readings = readings};
constinit mcp::Workbench<options> bench;
