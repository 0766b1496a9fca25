/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/hardware_gpio/include/hardware/gpio.h, where some of these functions are inline. */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gpio_function_rp2040 { GPIO_FUNC_I2C = 3, GPIO_FUNC_SIO = 5 } gpio_function_t;

void gpio_set_function(unsigned gpio, gpio_function_t fn);
void gpio_pull_up(unsigned gpio);
void gpio_init(unsigned gpio);
void gpio_set_dir(unsigned gpio, bool out);
bool gpio_get(unsigned gpio);

#ifdef __cplusplus
}
#endif
