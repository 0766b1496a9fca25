// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_driver_usb_serial_jtag/include/driver/usb_serial_jtag_select.h of ESP-IDF v6.2-dev,
// commit 1021229.
#pragma once

#include "driver/usb_serial_jtag.h"

typedef enum { USJ_SELECT_READ_NOTIF, USJ_SELECT_WRITE_NOTIF, USJ_SELECT_ERROR_NOTIF } usj_select_notif_t;
typedef void (*usj_select_notif_callback_t)(usj_select_notif_t usb_serial_jtag_select_notif, int* task_woken);
extern "C" void usb_serial_jtag_set_select_notif_callback(
    usj_select_notif_callback_t usb_serial_jtag_select_notif_callback);
