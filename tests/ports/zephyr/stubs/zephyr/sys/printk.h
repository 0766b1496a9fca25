// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/sys/printk.h of Zephyr.
#pragma once

extern "C" void printk(const char* fmt, ...);
