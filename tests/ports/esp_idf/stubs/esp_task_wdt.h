// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_system/include/esp_task_wdt.h of ESP-IDF v6.2-dev.
#pragma once

#include "esp_err.h"
#include "freertos/task.h"

extern "C" {
esp_err_t esp_task_wdt_add(TaskHandle_t task_handle);
esp_err_t esp_task_wdt_reset(void);
}
