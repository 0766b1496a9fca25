// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_driver_gpio/include/driver/gpio.h of ESP-IDF v6.
#pragma once

typedef int gpio_num_t;  // an enumeration in soc/gpio_num.h

extern "C" int gpio_get_level(gpio_num_t gpio_num);
