/* SPDX-License-Identifier: Apache-2.0 */
/* What pico_usb.cpp uses of TinyUSB. Declarations as in TinyUSB 0.18.0: src/tusb.h, src/device/usbd.h,
   src/class/cdc/cdc.h, src/class/cdc/cdc_device.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tusb_config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  uint32_t bit_rate;
  uint8_t stop_bits;
  uint8_t parity;
  uint8_t data_bits;
} cdc_line_coding_t;

bool tusb_init(void);
void tud_task(void);
bool tud_task_event_ready(void);
uint32_t tud_cdc_available(void);
uint32_t tud_cdc_read(void* buffer, uint32_t bufsize);
void tud_cdc_read_flush(void);
uint32_t tud_cdc_write(const void* buffer, uint32_t bufsize);
uint32_t tud_cdc_write_flush(void);
uint32_t tud_cdc_write_available(void);
bool tud_cdc_write_clear(void);

void tud_cdc_line_state_cb(uint8_t itf, bool dtr, bool rts);
void tud_cdc_line_coding_cb(uint8_t itf, const cdc_line_coding_t* coding);
void tud_mount_cb(void);
void tud_umount_cb(void);

#ifdef __cplusplus
}
#endif
