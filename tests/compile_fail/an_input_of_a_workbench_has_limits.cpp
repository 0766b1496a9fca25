// SPDX-License-Identifier: Apache-2.0
// error: a_pin_that_no_tool_drives_must_have_no_limits_and_must_not_be_dangerous
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {{.name = "GP1", .number = 1, .uses = mcp::PinUse::input, .away_ms = 10}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now};
constinit mcp::Workbench<options> bench;
