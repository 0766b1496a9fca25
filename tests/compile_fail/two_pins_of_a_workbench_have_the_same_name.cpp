// SPDX-License-Identifier: Apache-2.0
// error: two_pins_of_a_workbench_must_not_have_the_same_name
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low},
    {.name = "LED", .number = 2, .uses = mcp::PinUse::input}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now};
constinit mcp::Workbench<options> bench;
