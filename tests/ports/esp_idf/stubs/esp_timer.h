// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_timer/include/esp_timer.h of ESP-IDF.
#pragma once

#include <stdint.h>

extern "C" int64_t esp_timer_get_time(void);
