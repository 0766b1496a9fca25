// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/irq.h of Zephyr. There, they are macros.
#pragma once

extern "C" unsigned int irq_lock(void);
extern "C" void irq_unlock(unsigned int key);
