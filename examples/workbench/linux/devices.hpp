// SPDX-License-Identifier: Apache-2.0
// The pins and the bus of the paths that main() was given, for a table.
#pragma once

#include <mcp/ports/i2c.hpp>
#include <mcp/ports/pins.hpp>

namespace device {

mcp::Pins& pins();
mcp::I2cBus& i2c();

}  // namespace device
