// SPDX-License-Identifier: Apache-2.0
/* What this application says to lwIP about the compiler, and the check that a thread holds the lock of lwIP. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Ends the program unless this thread has the lock. */
void test_check_lock(void);
/* A random number that threads may ask for at the same time. */
unsigned test_random(void);
#ifdef __cplusplus
}
#endif

#define LWIP_PLATFORM_DIAG(arguments) ((void)0)
#define LWIP_PLATFORM_ASSERT(text) (fputs(text, stderr), abort())
#define LWIP_RAND() test_random()
