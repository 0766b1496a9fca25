/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/hardware_gpio/include/hardware/gpio.h, where some of these functions are inline,
   and headers that it includes. With FAKE_RP2350B, the chip is an RP2350B with the radio of a Pico 2 W. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <hardware/irq.h>

#if FAKE_RP2350B
#define NUM_BANK0_GPIOS 48
#define CYW43_DEFAULT_PIN_WL_REG_ON 23u
#define CYW43_DEFAULT_PIN_WL_DATA_OUT 24u
#define CYW43_DEFAULT_PIN_WL_CLOCK 29u
#define CYW43_DEFAULT_PIN_WL_CS 25u
#else
#define NUM_BANK0_GPIOS 30
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gpio_function_rp2040 {
  GPIO_FUNC_UART = 2,
  GPIO_FUNC_I2C = 3,
  GPIO_FUNC_PWM = 4,
  GPIO_FUNC_SIO = 5,
  GPIO_FUNC_NULL = 0x1f,
} gpio_function_t;

void gpio_set_function(unsigned gpio, gpio_function_t fn);
gpio_function_t gpio_get_function(unsigned gpio);
void gpio_pull_up(unsigned gpio);
void gpio_set_pulls(unsigned gpio, bool up, bool down);
void gpio_disable_pulls(unsigned gpio);
void gpio_set_input_enabled(unsigned gpio, bool enabled);
void gpio_init(unsigned gpio);
void gpio_set_dir(unsigned gpio, bool out);
bool gpio_is_dir_out(unsigned gpio);
void gpio_put(unsigned gpio, bool value);
bool gpio_get(unsigned gpio);

enum gpio_irq_level { GPIO_IRQ_EDGE_FALL = 4, GPIO_IRQ_EDGE_RISE = 8 };
typedef void (*gpio_irq_callback_t)(unsigned gpio, uint32_t event_mask);
void gpio_set_irq_enabled(unsigned gpio, uint32_t event_mask, bool enabled);
void gpio_set_irq_callback(gpio_irq_callback_t callback);
uint32_t gpio_get_irq_event_mask(unsigned gpio);
void gpio_acknowledge_irq(unsigned gpio, uint32_t event_mask);
void gpio_add_raw_irq_handler_with_order_priority(unsigned gpio, irq_handler_t handler, uint8_t order_priority);
void gpio_remove_raw_irq_handler(unsigned gpio, irq_handler_t handler);

/* hardware/structs/io_bank0.h */
typedef struct {
  uint32_t inte[6];
} io_bank0_irq_ctrl_hw_t;
typedef struct {
  uint32_t intr[6];
  io_bank0_irq_ctrl_hw_t proc0_irq_ctrl;
  io_bank0_irq_ctrl_hw_t proc1_irq_ctrl;
} io_bank0_hw_t;
extern io_bank0_hw_t fake_io_bank0;
#define io_bank0_hw (&fake_io_bank0)

/* pico/platform.h */
unsigned get_core_num(void);
void busy_wait_at_least_cycles(uint32_t minimum_cycles);

#ifdef __cplusplus
}
#endif
