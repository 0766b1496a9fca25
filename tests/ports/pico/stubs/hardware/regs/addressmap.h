/* SPDX-License-Identifier: Apache-2.0 */
/* Names as in pico-sdk 2.1.1: src/rp2040/hardware_regs/include/hardware/regs/addressmap.h. The addresses are those of
   the fake's memory. */
#pragma once

#include <stdint.h>

#include "hardware/flash.h"

#ifdef __cplusplus
extern "C" {
#endif
extern uint8_t fake_flash_memory[PICO_FLASH_SIZE_BYTES];
#ifdef __cplusplus
}
#endif

#define XIP_BASE ((uintptr_t)fake_flash_memory)
#define XIP_NOCACHE_NOALLOC_BASE XIP_BASE
#define SRAM_BASE (XIP_BASE + PICO_FLASH_SIZE_BYTES)
