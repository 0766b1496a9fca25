// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_common/include/esp_err.h of ESP-IDF.
#pragma once

typedef int esp_err_t;
