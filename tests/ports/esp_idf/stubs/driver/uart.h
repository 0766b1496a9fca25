// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_driver_uart/include/driver/uart.h of ESP-IDF, commit 0458add, and in
// hal/uart_types.h.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "esp_err.h"
#include "freertos/FreeRTOS.h"

typedef enum { UART_NUM_0, UART_NUM_1, UART_NUM_MAX } uart_port_t;

extern "C" int uart_tx_chars(uart_port_t uart_num, const char* buffer, uint32_t len);
extern "C" int uart_read_bytes(uart_port_t uart_num, void* buf, uint32_t length, TickType_t ticks_to_wait);
extern "C" esp_err_t uart_flush_input(uart_port_t uart_num);
extern "C" esp_err_t uart_set_rx_timeout(uart_port_t uart_num, const uint8_t tout_thresh);
