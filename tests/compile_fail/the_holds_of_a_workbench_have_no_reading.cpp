// SPDX-License-Identifier: Apache-2.0
// error: the_holds_of_a_workbench_need_a_reading_and_a_pin_with_this_use
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::hold, .rest = mcp::PinRest::low}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now, .holds = 1};
constinit mcp::Workbench<options> bench;
