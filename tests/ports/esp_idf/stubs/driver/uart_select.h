// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_driver_uart/include/driver/uart_select.h of ESP-IDF, commit 363bb45.
#pragma once

#include "driver/uart.h"

typedef enum { UART_SELECT_READ_NOTIF, UART_SELECT_WRITE_NOTIF, UART_SELECT_ERROR_NOTIF } uart_select_notif_t;
typedef void (*uart_select_notif_callback_t)(uart_port_t uart_num, uart_select_notif_t uart_select_notif,
                                             BaseType_t* task_woken);
extern "C" void uart_set_select_notif_callback(uart_port_t uart_num,
                                               uart_select_notif_callback_t uart_select_notif_callback);
