// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_driver_usb_serial_jtag/include/driver/usb_serial_jtag.h of ESP-IDF v6.2-dev, commit
// 1021229. From v6.0 on it does not include FreeRTOS.h.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "esp_err.h"

typedef struct {
  uint32_t tx_buffer_size;
  uint32_t rx_buffer_size;
  int intr_priority;
} usb_serial_jtag_driver_config_t;
#define USB_SERIAL_JTAG_DRIVER_CONFIG_DEFAULT() \
  (usb_serial_jtag_driver_config_t{.tx_buffer_size = 256, .rx_buffer_size = 256, .intr_priority = 0})

extern "C" {
esp_err_t usb_serial_jtag_driver_install(usb_serial_jtag_driver_config_t* usb_serial_jtag_config);
int usb_serial_jtag_read_bytes(void* buf, uint32_t length, uint32_t ticks_to_wait);
int usb_serial_jtag_write_bytes(const void* src, size_t size, uint32_t ticks_to_wait);
bool usb_serial_jtag_is_driver_installed(void);
}
