// SPDX-License-Identifier: Apache-2.0
// error: the_table_of_the_workbench_has_nothing_for_this_tool
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now};
constinit mcp::Workbench<options> bench;
constexpr mcp::Tool tools[] = {mcp::workbench_tool<bench, mcp::WorkbenchTool::i2c>()};
