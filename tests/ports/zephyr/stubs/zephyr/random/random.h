// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/random/random.h of Zephyr.
#pragma once

#include <stddef.h>

extern "C" void sys_rand_get(void* dst, size_t len);
extern "C" int sys_csrand_get(void* dst, size_t len);
