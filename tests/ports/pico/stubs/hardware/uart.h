/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/hardware_uart/include/hardware/uart.h. */
#pragma once

typedef struct uart_inst uart_inst_t;
static uart_inst_t* const uart0 = 0; /* a macro in the SDK */
