// SPDX-License-Identifier: Apache-2.0
// The time of lwIP in a test: it lives as long as the program, and never goes back.
#pragma once

#include "mcp/port.hpp"

namespace test::lwip_time {

inline mcp::Millis now = 0;

}  // namespace test::lwip_time
