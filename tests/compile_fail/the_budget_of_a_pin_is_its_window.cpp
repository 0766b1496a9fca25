// SPDX-License-Identifier: Apache-2.0
// error: the_budget_of_a_pin_must_be_less_than_its_window_of_80_to_2_31_ms
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {{.name = "LED",
                                       .number = 1,
                                       .uses = mcp::PinUse::output,
                                       .rest = mcp::PinRest::low,
                                       .budget = {.away_ms = 1000, .window_ms = 1000}}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now};
constinit mcp::Workbench<options> bench;
