// SPDX-License-Identifier: Apache-2.0
// error: an_i2c_rule_must_have_at_most_4_register_bytes
#include <mcp/workbench.hpp>

mcp::Millis now();
mcp::Pins& chip();
mcp::I2cBus& bus();
constexpr mcp::I2cRule rules[] = {{.first = 0x20, .last = 0x20, .register_bytes = 5}};
constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip, .now = now, .i2c = bus, .i2c_rules = rules};
constinit mcp::Workbench<options> bench;
