// SPDX-License-Identifier: Apache-2.0
// As src/rp2_common/hardware_clocks of the pico-sdk 2.2.0.
#pragma once

#include <cstdint>

enum clock_handle_t { clk_sys };
inline std::uint32_t system_clock = 125'000'000;
inline std::uint32_t clock_get_hz(clock_handle_t) { return system_clock; }
