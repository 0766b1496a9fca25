/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/pico_cyw43_arch/include/pico/cyw43_arch.h. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#include "cyw43.h"
#include "pico/async_context.h"

int cyw43_arch_init(void);
int cyw43_arch_init_with_country(uint32_t country);
void cyw43_arch_deinit(void);
async_context_t* cyw43_arch_async_context(void);
void cyw43_arch_enable_sta_mode(void);
void cyw43_arch_poll(void);
void cyw43_arch_wait_for_work_until(absolute_time_t until);
static inline void cyw43_arch_lwip_begin(void) { cyw43_thread_enter(); }
static inline void cyw43_arch_lwip_end(void) { cyw43_thread_exit(); }

#ifdef __cplusplus
}
#endif
