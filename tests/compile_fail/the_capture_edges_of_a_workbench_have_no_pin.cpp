// SPDX-License-Identifier: Apache-2.0
// error: the_capture_edges_of_a_workbench_need_a_pin_with_this_use_and_must_be_2_to_1024
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now, .capture_edges = 8};
constinit mcp::Workbench<options> bench;
