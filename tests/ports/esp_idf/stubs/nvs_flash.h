// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/nvs_flash/include/nvs_flash.h of ESP-IDF v6.2-dev, commit 1021229.
#pragma once

#include "nvs.h"

extern "C" {
esp_err_t nvs_flash_init(void);
esp_err_t nvs_flash_erase(void);
}
