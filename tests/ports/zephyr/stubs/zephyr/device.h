// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/device.h of Zephyr.
#pragma once

struct device {
  const char* name;
};
extern "C" bool device_is_ready(const struct device* dev);
