/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/pico_async_context/include/pico/async_context.h, where these functions are
   inline. */
#pragma once

#include <stdbool.h>

#include "pico/time.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct async_context async_context_t;

typedef struct async_when_pending_worker {
  struct async_when_pending_worker* next;
  void (*do_work)(async_context_t* context, struct async_when_pending_worker* worker);
  bool work_pending;
  void* user_data;
} async_when_pending_worker_t;

bool async_context_add_when_pending_worker(async_context_t* context, async_when_pending_worker_t* worker);
bool async_context_remove_when_pending_worker(async_context_t* context, async_when_pending_worker_t* worker);
void async_context_set_work_pending(async_context_t* context, async_when_pending_worker_t* worker);

#ifdef __cplusplus
}
#endif
