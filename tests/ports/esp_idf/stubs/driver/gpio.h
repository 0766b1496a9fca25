// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_driver_gpio/include/driver/gpio.h of ESP-IDF v6.
#pragma once

#include <stdint.h>

#include "esp_err.h"

typedef int gpio_num_t;  // an enumeration in soc/gpio_num.h

typedef enum { GPIO_MODE_INPUT = 1, GPIO_MODE_OUTPUT = 2 } gpio_mode_t;

extern "C" {
int gpio_get_level(gpio_num_t gpio_num);
esp_err_t gpio_set_level(gpio_num_t gpio_num, uint32_t level);
esp_err_t gpio_set_direction(gpio_num_t gpio_num, gpio_mode_t mode);
}
