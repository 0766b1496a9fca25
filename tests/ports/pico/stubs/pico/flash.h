/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/pico_flash/include/pico/flash.h. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
int flash_safe_execute(void (*func)(void*), void* param, uint32_t enter_exit_timeout_ms);
#ifdef __cplusplus
}
#endif
