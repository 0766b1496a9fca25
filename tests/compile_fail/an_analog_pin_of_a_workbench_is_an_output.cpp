// SPDX-License-Identifier: Apache-2.0
// error: an_analog_pin_of_a_workbench_must_have_no_other_use_and_no_level_at_rest
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {{.name = "A0", .number = 1, .uses = mcp::PinUse::analog | mcp::PinUse::output}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now};
constinit mcp::Workbench<options> bench;
