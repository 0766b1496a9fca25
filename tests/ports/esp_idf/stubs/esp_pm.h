// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_pm/include/esp_pm.h of ESP-IDF v6.2-dev, commit 1021229.
#pragma once

#include "esp_err.h"

typedef struct {
  int max_freq_mhz;
  int min_freq_mhz;
  bool light_sleep_enable;
} esp_pm_config_t;

extern "C" esp_err_t esp_pm_configure(const void* config);
