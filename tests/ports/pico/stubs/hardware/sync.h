/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/hardware_sync/include/hardware/sync.h, where these functions are inline. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
void __wfe(void);
void __sev(void);
void __dmb(void);
uint32_t save_and_disable_interrupts(void);
void restore_interrupts(uint32_t status);
#ifdef __cplusplus
}
#endif
