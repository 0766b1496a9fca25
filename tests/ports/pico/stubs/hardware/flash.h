/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/hardware_flash/include/hardware/flash.h. The size is in the header of a board.
   A board of the tests has smaller sectors. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifndef FLASH_PAGE_SIZE
#define FLASH_PAGE_SIZE (1u << 8)
#define FLASH_SECTOR_SIZE (1u << 12)
#endif
#define PICO_FLASH_SIZE_BYTES (64u << 10)

#ifdef __cplusplus
extern "C" {
#endif
void flash_range_erase(uint32_t flash_offs, size_t count);
void flash_range_program(uint32_t flash_offs, const uint8_t* data, size_t count);
#ifdef __cplusplus
}
#endif
