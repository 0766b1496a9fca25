// SPDX-License-Identifier: Apache-2.0
// The functions that device.cpp needs from Zephyr. It cannot include the headers of Zephyr, because they have a struct
// with the name of its namespace.
#pragma once

#include <cstdint>

#include "mcp/port.hpp"

namespace system_of_device {

const char* board();

mcp::Millis millis();
std::uint32_t boot_id();

}  // namespace system_of_device
