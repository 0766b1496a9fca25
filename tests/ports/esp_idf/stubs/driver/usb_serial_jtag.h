// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_driver_usb_serial_jtag/include/driver/usb_serial_jtag.h of ESP-IDF, commit 1929b27.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "esp_err.h"

extern "C" {
int usb_serial_jtag_read_bytes(void* buf, uint32_t length, uint32_t ticks_to_wait);
int usb_serial_jtag_write_bytes(const void* src, size_t size, uint32_t ticks_to_wait);
bool usb_serial_jtag_is_driver_installed(void);
}
