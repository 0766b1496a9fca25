// SPDX-License-Identifier: Apache-2.0
// error: the_lease_of_a_workbench_must_be_1000_to_2_31_ms
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now, .lease_ms = 0};
constinit mcp::Workbench<options> bench;
