// SPDX-License-Identifier: Apache-2.0
// error: configTICK_RATE_HZ must be 1 to 4,000,000
#include "ports/sdk/freertos/freertos_ticks.hpp"

constexpr std::uint32_t rate = mcp::freertos::tick_rate<4'000'001>();
