// SPDX-License-Identifier: Apache-2.0
// error: a_pin_or_reading_of_a_workbench_needs_a_name_of_1_to_24_of_A_to_Z_a_to_z_0_to_9_underscore_hyphen
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::WorkbenchPin pins[] = {{.number = 1, .uses = mcp::PinUse::input}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now};
constinit mcp::Workbench<options> bench;
