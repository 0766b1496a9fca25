// SPDX-License-Identifier: Apache-2.0
// Of the file that ESP-IDF makes, what the examples use. Port 0 is any free one.
#pragma once

#define CONFIG_ESP_DEFAULT_CPU_FREQ_MHZ 160
#define CONFIG_XTAL_FREQ 40
#define CONFIG_EXAMPLE_HTTP_PORT 0
