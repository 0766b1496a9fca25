// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/kernel.h of Zephyr and the headers that it includes. A tick is a millisecond.
#pragma once

#include <stdint.h>

struct k_sem {
  unsigned int count;
  unsigned int limit;
};
typedef struct {
  int64_t ticks;
} k_timeout_t;

#define K_FOREVER (k_timeout_t{-1})
#define K_MSEC(ms) (k_timeout_t{(ms) > 0 ? (ms) : 0})
#define K_SEM_DEFINE(name, initial_count, count_limit) struct k_sem name = {initial_count, count_limit}

extern "C" {
int k_sem_take(struct k_sem* sem, k_timeout_t timeout);
void k_sem_give(struct k_sem* sem);
uint32_t k_uptime_get_32(void);
void k_panic(void);
}
