/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/pico_cyw43_driver/include/cyw43_configport.h. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
void cyw43_thread_enter(void);
void cyw43_thread_exit(void);
#ifdef __cplusplus
}
#endif
