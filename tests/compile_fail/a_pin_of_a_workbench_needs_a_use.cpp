// SPDX-License-Identifier: Apache-2.0
// error: a_pin_of_a_workbench_needs_a_use
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {{.name = "LED", .number = 1}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now};
constinit mcp::Workbench<options> bench;
