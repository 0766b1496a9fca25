// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/kernel.h of Zephyr and the headers that it includes. A tick is a millisecond.
#pragma once

#include <stddef.h>
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

// Work queues, with other members than those of the kernel.
struct k_work;
typedef void (*k_work_handler_t)(struct k_work* work);
struct k_work {
  k_work_handler_t handler;
  bool is_queued;
};
struct k_work_q {
  bool is_started;
};
struct k_work_queue_config;
typedef char k_thread_stack_t;
#define K_THREAD_STACK_DEFINE(name, size) k_thread_stack_t name[size]
#define K_THREAD_STACK_SIZEOF(name) sizeof(name)
#define K_LOWEST_APPLICATION_THREAD_PRIO 14

extern "C" {
void k_work_init(struct k_work* work, k_work_handler_t handler);
void k_work_queue_init(struct k_work_q* queue);
void k_work_queue_start(struct k_work_q* queue, k_thread_stack_t* stack, size_t stack_size, int prio,
                        const struct k_work_queue_config* cfg);
int k_work_submit_to_queue(struct k_work_q* queue, struct k_work* work);
int k_sem_take(struct k_sem* sem, k_timeout_t timeout);
void k_sem_give(struct k_sem* sem);
uint32_t k_uptime_get_32(void);
void k_panic(void);
}
