// SPDX-License-Identifier: Apache-2.0
// Of the file that ESP-IDF makes, what the example uses.
#pragma once

#ifndef CONFIG_IDF_TARGET
#define CONFIG_IDF_TARGET "esp32c3"
#endif
