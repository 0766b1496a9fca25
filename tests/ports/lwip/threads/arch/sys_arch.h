// SPDX-License-Identifier: Apache-2.0
/* What lwIP asks of an operating system: threads, semaphores, mailboxes (threads_arch.cpp). */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct test_semaphore;
struct test_mutex;
struct test_mailbox;

typedef struct test_semaphore* sys_sem_t;
typedef struct test_mutex* sys_mutex_t;
typedef struct test_mailbox* sys_mbox_t;
typedef int sys_thread_t;
typedef int sys_prot_t;

#define sys_sem_valid(semaphore) (*(semaphore) != NULL)
#define sys_sem_set_invalid(semaphore) (*(semaphore) = NULL)
#define sys_mutex_valid(mutex) (*(mutex) != NULL)
#define sys_mutex_set_invalid(mutex) (*(mutex) = NULL)
#define sys_mbox_valid(mailbox) (*(mailbox) != NULL)
#define sys_mbox_set_invalid(mailbox) (*(mailbox) = NULL)

#ifdef __cplusplus
}
#endif
