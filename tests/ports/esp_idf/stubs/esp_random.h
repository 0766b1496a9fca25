// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_hw_support/include/esp_random.h of ESP-IDF.
#pragma once

#include <stddef.h>

extern "C" void esp_fill_random(void* buf, size_t len);
