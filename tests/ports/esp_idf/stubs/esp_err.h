// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_common/include/esp_err.h of ESP-IDF.
#pragma once

#include <stdlib.h>

typedef int esp_err_t;
#define ESP_OK 0
#define ESP_FAIL (-1)
#define ESP_ERR_NO_MEM 0x101
#define ESP_ERR_INVALID_ARG 0x102
#define ESP_ERR_INVALID_STATE 0x103
#define ESP_ERR_NOT_FOUND 0x105
#define ESP_ERR_TIMEOUT 0x107
#define ESP_ERR_INVALID_RESPONSE 0x108
#define ESP_ERROR_CHECK(x) ((x) == ESP_OK ? static_cast<void>(0) : abort())
