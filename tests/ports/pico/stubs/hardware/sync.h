/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/hardware_sync/include/hardware/sync.h, where these functions are inline. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
void __wfe(void);
void __sev(void);
void __dmb(void);
#ifdef __cplusplus
}
#endif
