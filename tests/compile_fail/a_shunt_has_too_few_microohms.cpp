// SPDX-License-Identifier: Apache-2.0
// error: a shunt has 150 to 10^9 microohms
#include <mcp/devices/ina219.hpp>

mcp::I2cBus& bus();
constinit mcp::Ina219<149> sensor{bus, 0x40};
