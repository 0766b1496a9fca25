// SPDX-License-Identifier: Apache-2.0
// error: the_watch_values_of_a_workbench_need_a_reading_and_must_be_at_most_1024
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now, .watch_values = 8};
constinit mcp::Workbench<options> bench;
