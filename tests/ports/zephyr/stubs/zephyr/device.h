// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/device.h of Zephyr.
#pragma once

struct device {
  const char* name;
};
extern "C" bool device_is_ready(const struct device* dev);

// One device for each node of the devicetree. The stub has one for all.
extern "C" const struct device device_of_node;
#define DEVICE_DT_GET(node) (&device_of_node)
