// SPDX-License-Identifier: Apache-2.0
// error: a_pin_that_hold_drives_needs_a_level_at_rest_and_holds_in_the_options
#include <mcp/devices/lm75.hpp>
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::MeasureOptions each_second{.now = now};
constinit mcp::Measured<mcp::Lm75, each_second> room{bus, 0x48};
constexpr mcp::WorkbenchReading readings[] = {{.name = "room", .sensor = &room}};
constexpr mcp::WorkbenchPin pins[] = {{.name = "GP1", .number = 1, .uses = mcp::PinUse::hold}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now, .readings = readings, .holds = 1};
constinit mcp::Workbench<options> bench;
