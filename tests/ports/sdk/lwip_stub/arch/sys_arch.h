/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

typedef void* sys_sem_t;
typedef void* sys_mutex_t;
typedef void* sys_mbox_t;
typedef void* sys_thread_t;
