// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_wifi/include/esp_wifi.h, esp_wifi_default.h and esp_wifi_types_generic.h of ESP-IDF
// v6.2-dev, commit 1021229. The structures have more members there.
#pragma once

#include <stdint.h>

#include "esp_err.h"
#include "esp_event.h"
#include "esp_netif.h"

#define ESP_ERR_WIFI_BASE 0x3000
#define ESP_ERR_WIFI_NOT_STARTED (ESP_ERR_WIFI_BASE + 2)
#define ESP_ERR_WIFI_STATE (ESP_ERR_WIFI_BASE + 6)
#define ESP_ERR_WIFI_CONN (ESP_ERR_WIFI_BASE + 7)

ESP_EVENT_DECLARE_BASE(WIFI_EVENT);
typedef enum {
  WIFI_EVENT_STA_START = 2,
  WIFI_EVENT_STA_CONNECTED = 4,
  WIFI_EVENT_STA_DISCONNECTED = 5,
} wifi_event_t;

typedef enum {
  WIFI_REASON_UNSPECIFIED = 1,
  WIFI_REASON_AUTH_EXPIRE = 2,
  WIFI_REASON_ASSOC_TOOMANY = 5,
  WIFI_REASON_ASSOC_LEAVE = 8,
  WIFI_REASON_4WAY_HANDSHAKE_TIMEOUT = 15,
  WIFI_REASON_BEACON_TIMEOUT = 200,
  WIFI_REASON_NO_AP_FOUND = 201,
  WIFI_REASON_AUTH_FAIL = 202,
  WIFI_REASON_ASSOC_FAIL = 203,
  WIFI_REASON_HANDSHAKE_TIMEOUT = 204,
  WIFI_REASON_CONNECTION_FAIL = 205,
  WIFI_REASON_ROAMING = 207,
  WIFI_REASON_NO_AP_FOUND_W_COMPATIBLE_SECURITY = 210,
  WIFI_REASON_NO_AP_FOUND_IN_AUTHMODE_THRESHOLD = 211,
  WIFI_REASON_NO_AP_FOUND_IN_RSSI_THRESHOLD = 212,
} wifi_err_reason_t;
typedef struct {
  uint8_t ssid[32];
  uint8_t ssid_len;
  uint8_t bssid[6];
  uint8_t reason;
  int8_t rssi;
} wifi_event_sta_disconnected_t;

typedef enum { WIFI_MODE_NULL, WIFI_MODE_STA } wifi_mode_t;
typedef enum { WIFI_IF_STA } wifi_interface_t;
typedef enum { WIFI_STORAGE_FLASH, WIFI_STORAGE_RAM } wifi_storage_t;
typedef enum { WIFI_FAST_SCAN, WIFI_ALL_CHANNEL_SCAN } wifi_scan_method_t;
typedef enum { WIFI_CONNECT_AP_BY_SIGNAL, WIFI_CONNECT_AP_BY_SECURITY } wifi_sort_method_t;
typedef enum { WIFI_AUTH_OPEN = 0, WIFI_AUTH_WEP, WIFI_AUTH_WPA_PSK, WIFI_AUTH_WPA2_PSK } wifi_auth_mode_t;
typedef enum {
  WPA3_SAE_PWE_UNSPECIFIED,
  WPA3_SAE_PWE_HUNT_AND_PECK,
  WPA3_SAE_PWE_HASH_TO_ELEMENT,
  WPA3_SAE_PWE_BOTH
} wifi_sae_pwe_method_t;
typedef struct {
  int8_t rssi;
  wifi_auth_mode_t authmode;
} wifi_scan_threshold_t;
typedef struct {
  uint8_t ssid[32];
  uint8_t password[64];
  wifi_scan_method_t scan_method;
  wifi_sort_method_t sort_method;
  wifi_scan_threshold_t threshold;
  wifi_sae_pwe_method_t sae_pwe_h2e;
} wifi_sta_config_t;
typedef union {
  wifi_sta_config_t sta;
} wifi_config_t;

typedef struct {
  int nvs_enable;
  int magic;
} wifi_init_config_t;
#define WIFI_INIT_CONFIG_DEFAULT() \
  { .nvs_enable = 1, .magic = 0x1F2F3F4F }

extern "C" {
esp_netif_t* esp_netif_create_default_wifi_sta(void);
void esp_netif_destroy_default_wifi(void* esp_netif);
esp_err_t esp_wifi_init(const wifi_init_config_t* config);
esp_err_t esp_wifi_deinit(void);
esp_err_t esp_wifi_set_storage(wifi_storage_t storage);
esp_err_t esp_wifi_set_mode(wifi_mode_t mode);
esp_err_t esp_wifi_start(void);
esp_err_t esp_wifi_stop(void);
esp_err_t esp_wifi_connect(void);
esp_err_t esp_wifi_disconnect(void);
esp_err_t esp_wifi_set_config(wifi_interface_t interface, wifi_config_t* conf);
}
