// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_netif/include/esp_netif_sntp.h of ESP-IDF v6.2-dev, commit 1021229. The structure
// has more members there.
#pragma once

#include <stddef.h>

#include "esp_err.h"

typedef struct {
  bool wait_for_sync;
  bool start;
  size_t num_of_servers;
  const char* servers[1];
} esp_sntp_config_t;
#define ESP_NETIF_SNTP_DEFAULT_CONFIG(server)                                        \
  {                                                                                  \
    .wait_for_sync = true, .start = true, .num_of_servers = 1, .servers = { server } \
  }

extern "C" esp_err_t esp_netif_sntp_init(const esp_sntp_config_t* config);
