// SPDX-License-Identifier: Apache-2.0
// error: a_pin_that_hold_drives_needs_a_level_at_rest_and_holds_in_the_options
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low, .holds_alone = true}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now};
constinit mcp::Workbench<options> bench;
