// SPDX-License-Identifier: Apache-2.0
// error: a_reading_of_a_workbench_needs_a_sensor
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchReading readings[] = {{.name = "room"}};
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now, .readings = readings};
constinit mcp::Workbench<options> bench;
