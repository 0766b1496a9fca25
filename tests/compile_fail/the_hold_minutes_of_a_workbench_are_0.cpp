// SPDX-License-Identifier: Apache-2.0
// error: the_hold_minutes_of_a_workbench_must_be_1_to_10080
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now, .hold_minutes = 0};
constinit mcp::Workbench<options> bench;
