// SPDX-License-Identifier: Apache-2.0
// Macros as in components/esp_common/include/esp_idf_version.h of ESP-IDF.
#pragma once

#define ESP_IDF_VERSION_VAL(major, minor, patch) ((major << 16) | (minor << 8) | (patch))
#ifdef MOTE_TEST_NO_I2C
#define ESP_IDF_VERSION ESP_IDF_VERSION_VAL(5, 4, 2)
#else
#define ESP_IDF_VERSION ESP_IDF_VERSION_VAL(6, 0, 0)
#endif
