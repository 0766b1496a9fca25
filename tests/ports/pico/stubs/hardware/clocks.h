/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/hardware_clocks/include/hardware/clocks.h. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
typedef enum { clk_sys = 5 } clock_handle_t;
uint32_t clock_get_hz(clock_handle_t clock);
#ifdef __cplusplus
}
#endif
