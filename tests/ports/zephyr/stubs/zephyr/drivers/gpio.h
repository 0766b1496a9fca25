// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/drivers/gpio.h of Zephyr, commit 0103f40, where these functions are inline.
#pragma once

#include <stdint.h>

#include <zephyr/device.h>

typedef uint8_t gpio_pin_t;
typedef uint16_t gpio_dt_flags_t;
typedef uint32_t gpio_flags_t;

struct gpio_dt_spec {
  const struct device* port;
  gpio_pin_t pin;
  gpio_dt_flags_t dt_flags;
};

#define GPIO_ACTIVE_LOW (1 << 0)
#define GPIO_OUTPUT (1U << 17)
#define GPIO_OUTPUT_INIT_LOW (1U << 18)
#define GPIO_OUTPUT_INIT_LOGICAL (1U << 20)
#define GPIO_OUTPUT_INACTIVE (GPIO_OUTPUT | GPIO_OUTPUT_INIT_LOW | GPIO_OUTPUT_INIT_LOGICAL)

// The stub has one controller, and each node is at pin 13 of it.
extern "C" const struct device gpio_of_node;
#define GPIO_DT_SPEC_GET(node, property) \
  { .port = &gpio_of_node, .pin = 13, .dt_flags = GPIO_ACTIVE_LOW }

extern "C" {
bool gpio_is_ready_dt(const struct gpio_dt_spec* spec);
int gpio_pin_configure_dt(const struct gpio_dt_spec* spec, gpio_flags_t extra_flags);
int gpio_pin_set_dt(const struct gpio_dt_spec* spec, int value);
}
