// SPDX-License-Identifier: Apache-2.0
/* What this application says to lwIP about the compiler. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#define LWIP_PLATFORM_DIAG(arguments) ((void)0)
#define LWIP_PLATFORM_ASSERT(text) (fputs(text, stderr), abort())
#define LWIP_RAND() ((u32_t)rand())
