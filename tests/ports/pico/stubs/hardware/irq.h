/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/hardware_irq/include/hardware/irq.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define USBCTRL_IRQ 5
#define IO_IRQ_BANK0 13
#define PICO_SHARED_IRQ_HANDLER_DEFAULT_ORDER_PRIORITY 0x80
#define PICO_SHARED_IRQ_HANDLER_HIGHEST_ORDER_PRIORITY 0xff
#define PICO_SHARED_IRQ_HANDLER_LOWEST_ORDER_PRIORITY 0x00

#ifdef __cplusplus
extern "C" {
#endif
typedef void (*irq_handler_t)(void);
void irq_add_shared_handler(unsigned int num, irq_handler_t handler, uint8_t order_priority);
irq_handler_t irq_get_exclusive_handler(unsigned int num);
void irq_set_enabled(unsigned int num, bool enabled);
#ifdef __cplusplus
}
#endif
