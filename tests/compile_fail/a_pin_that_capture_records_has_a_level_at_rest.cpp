// SPDX-License-Identifier: Apache-2.0
// error: a_pin_that_capture_records_must_be_an_input_at_rest_and_needs_capture_edges_in_the_options
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "GP6", .number = 6, .uses = mcp::PinUse::capture, .rest = mcp::PinRest::low}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now, .capture_edges = 8};
constinit mcp::Workbench<options> bench;
