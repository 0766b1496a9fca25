// SPDX-License-Identifier: Apache-2.0
// error: a_workbench_needs_1_to_200_pins_a_chip_and_a_now_function
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = nullptr, .now = now};
constinit mcp::Workbench<options> bench;
