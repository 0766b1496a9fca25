// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_rom/include/esp_rom_sys.h of ESP-IDF.
#pragma once

extern "C" int esp_rom_printf(const char* fmt, ...);
