// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_driver_uart/include/driver/uart.h of ESP-IDF, commit 0458add, and in
// hal/uart_types.h.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "esp_err.h"
#include "freertos/FreeRTOS.h"

typedef enum { UART_NUM_0, UART_NUM_1, UART_NUM_MAX } uart_port_t;

// hal/uart_types.h has more members and values.
typedef enum { UART_DATA_8_BITS = 3 } uart_word_length_t;
typedef enum { UART_STOP_BITS_1 = 1 } uart_stop_bits_t;
typedef enum { UART_PARITY_DISABLE = 0 } uart_parity_t;
typedef enum { UART_SCLK_DEFAULT = 4 } uart_sclk_t;
typedef struct {
  int baud_rate;
  uart_word_length_t data_bits;
  uart_parity_t parity;
  uart_stop_bits_t stop_bits;
  uart_sclk_t source_clk;
} uart_config_t;
#define UART_PIN_NO_CHANGE (-1)

extern "C" esp_err_t uart_param_config(uart_port_t uart_num, const uart_config_t* uart_config);
extern "C" esp_err_t uart_set_pin(uart_port_t uart_num, int tx_io_num, int rx_io_num, int rts_io_num, int cts_io_num);
extern "C" esp_err_t uart_driver_install(uart_port_t uart_num, int rx_buffer_size, int tx_buffer_size, int queue_size,
                                         void* uart_queue, int intr_alloc_flags);
extern "C" int uart_tx_chars(uart_port_t uart_num, const char* buffer, uint32_t len);
extern "C" int uart_read_bytes(uart_port_t uart_num, void* buf, uint32_t length, TickType_t ticks_to_wait);
extern "C" esp_err_t uart_flush_input(uart_port_t uart_num);
extern "C" esp_err_t uart_set_rx_timeout(uart_port_t uart_num, const uint8_t tout_thresh);
