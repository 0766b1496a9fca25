/* SPDX-License-Identifier: Apache-2.0 */
/* A driver without a radio, so that an image links. It never joins a network. */
#include "cyw43.h"

cyw43_t cyw43_state;
void (*cyw43_poll)(void);
uint32_t cyw43_sleep;

void cyw43_init(cyw43_t* self) { (void)self; }
void cyw43_deinit(cyw43_t* self) { (void)self; }
bool cyw43_is_initialized(cyw43_t* self) { return self != NULL; }
void cyw43_wifi_set_up(cyw43_t* self, int itf, bool up, uint32_t country) {
  (void)self, (void)itf, (void)up, (void)country;
}
int cyw43_wifi_join(cyw43_t* self, size_t ssid_len, const uint8_t* ssid, size_t key_len, const uint8_t* key,
                    uint32_t auth_type, const uint8_t* bssid, uint32_t channel) {
  (void)self, (void)ssid_len, (void)ssid, (void)key_len, (void)key, (void)auth_type, (void)bssid, (void)channel;
  return -1;
}
int cyw43_wifi_leave(cyw43_t* self, int itf) { return (void)self, itf; }
void cyw43_cb_tcpip_deinit(cyw43_t* self, int itf) { (void)self, (void)itf; }
int cyw43_tcpip_link_status(cyw43_t* self, int itf) { return (void)self, itf; }
int cyw43_gpio_set(cyw43_t* self, int gpio, bool val) { return (void)self, (void)val, gpio; }
int cyw43_gpio_get(cyw43_t* self, int gpio, bool* val) { return (void)self, *val = false, gpio; }
void cyw43_wifi_ap_set_ssid(cyw43_t* self, size_t len, const uint8_t* buf) { (void)self, (void)len, (void)buf; }
void cyw43_wifi_ap_set_password(cyw43_t* self, size_t len, const uint8_t* buf) { (void)self, (void)len, (void)buf; }
void cyw43_wifi_ap_set_auth(cyw43_t* self, uint32_t auth) { (void)self, (void)auth; }
