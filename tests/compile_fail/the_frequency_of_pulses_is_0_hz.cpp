// SPDX-License-Identifier: Apache-2.0
// error: the_frequency_of_pulses_must_be_1_to_1000000_hz
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low, .most_hz = 0}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now};
constinit mcp::Workbench<options> bench;
