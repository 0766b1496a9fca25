// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_netif/include/esp_netif.h, esp_netif_types.h and esp_netif_ip_addr.h of ESP-IDF
// v6.2-dev, commit 1021229.
#pragma once

#include <stdint.h>

#include "esp_err.h"
#include "esp_event.h"

typedef struct esp_netif_obj esp_netif_t;
typedef struct {
  uint32_t addr;
} esp_ip4_addr_t;
typedef struct {
  esp_ip4_addr_t ip;
  esp_ip4_addr_t netmask;
  esp_ip4_addr_t gw;
} esp_netif_ip_info_t;

ESP_EVENT_DECLARE_BASE(IP_EVENT);
typedef enum { IP_EVENT_STA_GOT_IP, IP_EVENT_STA_LOST_IP } ip_event_t;

extern "C" {
esp_err_t esp_netif_init(void);
esp_err_t esp_netif_set_hostname(esp_netif_t* esp_netif, const char* hostname);
esp_err_t esp_netif_get_ip_info(esp_netif_t* esp_netif, esp_netif_ip_info_t* ip_info);
}
