// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_common/include/esp_err.h of ESP-IDF.
#pragma once

typedef int esp_err_t;
#define ESP_ERROR_CHECK(x) static_cast<void>(x)
