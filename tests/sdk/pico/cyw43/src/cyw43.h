/* SPDX-License-Identifier: Apache-2.0 */
/* What the pico-sdk and pico_wifi.cpp use of the driver of the radio. Declarations and values as in cyw43-driver 1.0.4
   and 1.1.0: src/cyw43.h, src/cyw43_ll.h. cyw43_t has only the members that are used. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cyw43_configport.h"
#include "lwip/dhcp.h"
#include "lwip/netif.h"

#ifdef __cplusplus
extern "C" {
#endif

/* src/cyw43_ll.h */
enum { CYW43_ITF_STA, CYW43_ITF_AP };
#define CYW43_AUTH_OPEN (0)
#define CYW43_AUTH_WPA2_AES_PSK (0x00400004)
#define CYW43_CHANNEL_NONE (0xffffffff)

/* src/cyw43_config.h */
#define CYW43_DEBUG(...) ((void)0)

/* src/cyw43.h */
#define CYW43_LINK_DOWN (0)
#define CYW43_LINK_JOIN (1)
#define CYW43_LINK_NOIP (2)
#define CYW43_LINK_UP (3)
#define CYW43_LINK_FAIL (-1)
#define CYW43_LINK_NONET (-2)
#define CYW43_LINK_BADAUTH (-3)

typedef struct _cyw43_t {
  uint8_t itf_state;
  uint32_t wifi_join_state;
  struct netif netif[2];
  struct dhcp dhcp_client;
  uint8_t mac[6];
} cyw43_t;

extern cyw43_t cyw43_state;
extern void (*cyw43_poll)(void);
extern uint32_t cyw43_sleep;

void cyw43_init(cyw43_t* self);
void cyw43_deinit(cyw43_t* self);
bool cyw43_is_initialized(cyw43_t* self); /* inline there */
void cyw43_wifi_set_up(cyw43_t* self, int itf, bool up, uint32_t country);
int cyw43_wifi_join(cyw43_t* self, size_t ssid_len, const uint8_t* ssid, size_t key_len, const uint8_t* key,
                    uint32_t auth_type, const uint8_t* bssid, uint32_t channel);
int cyw43_wifi_leave(cyw43_t* self, int itf);
void cyw43_cb_tcpip_deinit(cyw43_t* self, int itf);
int cyw43_tcpip_link_status(cyw43_t* self, int itf);
int cyw43_gpio_set(cyw43_t* self, int gpio, bool val);
int cyw43_gpio_get(cyw43_t* self, int gpio, bool* val);
/* Of an access point: inline there */
void cyw43_wifi_ap_set_ssid(cyw43_t* self, size_t len, const uint8_t* buf);
void cyw43_wifi_ap_set_password(cyw43_t* self, size_t len, const uint8_t* buf);
void cyw43_wifi_ap_set_auth(cyw43_t* self, uint32_t auth);

#ifdef __cplusplus
}
#endif
