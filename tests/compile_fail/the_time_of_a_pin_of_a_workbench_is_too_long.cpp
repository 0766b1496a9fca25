// SPDX-License-Identifier: Apache-2.0
// error: the_times_of_a_pin_of_a_workbench_must_be_below_2_31_ms
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low, .away_ms = 0x8000'0000}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now};
constinit mcp::Workbench<options> bench;
