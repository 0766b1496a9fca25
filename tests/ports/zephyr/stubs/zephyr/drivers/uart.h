// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/drivers/uart.h of Zephyr. There, most are inline or system calls. From 4.5 on,
// uart_irq_update() returns nothing (pull request 105231 of 2026-05).
#pragma once

#include <stdint.h>
#include <zephyr/device.h>

typedef void (*uart_irq_callback_user_data_t)(const struct device* dev, void* user_data);

extern "C" {
int uart_err_check(const struct device* dev);
int uart_poll_in(const struct device* dev, unsigned char* p_char);
void uart_poll_out(const struct device* dev, unsigned char out_char);
int uart_fifo_fill(const struct device* dev, const uint8_t* tx_data, int size);
int uart_fifo_read(const struct device* dev, uint8_t* rx_data, const int size);
void uart_irq_tx_enable(const struct device* dev);
void uart_irq_tx_disable(const struct device* dev);
int uart_irq_tx_ready(const struct device* dev);
void uart_irq_rx_enable(const struct device* dev);
void uart_irq_rx_disable(const struct device* dev);
int uart_irq_rx_ready(const struct device* dev);
#ifdef MOTE_TEST_ZEPHYR_4_4
int uart_irq_update(const struct device* dev);
#else
void uart_irq_update(const struct device* dev);
#endif
int uart_irq_callback_user_data_set(const struct device* dev, uart_irq_callback_user_data_t cb, void* user_data);
}
