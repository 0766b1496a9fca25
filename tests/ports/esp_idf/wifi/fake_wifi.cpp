// SPDX-License-Identifier: Apache-2.0
#include "fake_wifi.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "mcp/ports/esp_idf.hpp"

esp_event_base_t const WIFI_EVENT = "WIFI_EVENT";
esp_event_base_t const IP_EVENT = "IP_EVENT";

namespace fake {

Wifi wifi;

void Wifi::pass(std::uint64_t ms, const std::function<void()>& turn) {
  const std::uint64_t end = now_ms + ms;
  while (!later.empty() && later.begin()->first <= end) {
    now_ms = std::max(now_ms, later.begin()->first);
    const std::function<void()> what = std::move(later.begin()->second);
    later.erase(later.begin());
    what();
    turn();
  }
  now_ms = end;
  turn();
}

// The handlers of the interface come first, as they were registered first.
void Wifi::post(esp_event_base_t base, std::int32_t id, void* data) {
  if (base == WIFI_EVENT && id == WIFI_EVENT_STA_CONNECTED) {
    netif.is_up = true;
    if (has_dhcp) {
      after(dhcp_ms, [this, mine = generation] {
        if (mine != generation) return;
        netif.ip = netif.last_ip = lease;
        if (!loses_got_ip) post(IP_EVENT, IP_EVENT_STA_GOT_IP);
      });
    }
  } else if (base == WIFI_EVENT) {
    netif.is_up = false;
    netif.ip = 0;
    if (!keeps_last_ip) netif.last_ip = 0;
  }
  for (const Handler& each : std::deque<Handler>(handlers)) {
    if (each.base == base && each.id == id) each.function(each.argument, base, id, data);
  }
}

void Wifi::post_end(std::uint8_t reason) {
  sta = Sta::idle;
  ++generation;
  after(event_ms, [this, reason] {
    wifi_event_sta_disconnected_t data{};
    data.reason = reason;
    post(WIFI_EVENT, WIFI_EVENT_STA_DISCONNECTED, &data);
  });
}

void Wifi::lose(std::uint8_t reason) {
  if (sta == Sta::connected) post_end(reason);
}

std::string_view text_of(const std::uint8_t* bytes, std::size_t most) {
  const auto* const text = reinterpret_cast<const char*>(bytes);
  return {text, static_cast<std::size_t>(std::find(text, text + most, '\0') - text)};
}

void Wifi::end_attempt() {
  const bool is_secure = !password.empty();
  const std::string_view given = text_of(config.sta.password, sizeof config.sta.password);
  if (is_silent) return;
  if (refusal != 0) return post_end(refusal);
  if (!is_in_reach || text_of(config.sta.ssid, sizeof config.sta.ssid) != ssid) {
    return post_end(WIFI_REASON_NO_AP_FOUND);
  }
  const bool wants_security = config.sta.threshold.authmode != WIFI_AUTH_OPEN;
  if (is_secure != wants_security) return post_end(WIFI_REASON_NO_AP_FOUND_IN_AUTHMODE_THRESHOLD);
  if (given != password) return post_end(WIFI_REASON_4WAY_HANDSHAKE_TIMEOUT);
  sta = Sta::connected;
  after(event_ms, [this] { post(WIFI_EVENT, WIFI_EVENT_STA_CONNECTED); });
}

}  // namespace fake

using fake::wifi;

namespace mcp::esp_idf {
void wake() { ++wifi.wakes; }
}  // namespace mcp::esp_idf

extern "C" {
esp_err_t esp_event_loop_create_default() { return wifi.loop; }
esp_err_t esp_event_handler_instance_register(esp_event_base_t base, int32_t id, esp_event_handler_t function,
                                              void* argument, esp_event_handler_instance_t* instance) {
  if (wifi.handler != ESP_OK) return wifi.handler;
  *instance = &wifi.handlers.emplace_back(base, id, function, argument);
  return ESP_OK;
}
esp_err_t esp_event_handler_instance_unregister(esp_event_base_t base, int32_t id, esp_event_handler_instance_t) {
  return std::erase_if(wifi.handlers, [&](const auto& each) { return each.base == base && each.id == id; }) == 1
             ? ESP_OK
             : ESP_ERR_NOT_FOUND;
}

esp_err_t esp_netif_init() { return wifi.interface_init; }
esp_err_t esp_netif_set_hostname(esp_netif_t*, const char* name) {
  wifi.host_name = name;
  return ESP_OK;
}
esp_err_t esp_netif_get_ip_info(esp_netif_t* netif, esp_netif_ip_info_t* info) {
  if (netif == nullptr) return ESP_ERR_INVALID_ARG;
  info->ip.addr = netif->is_up ? netif->ip : netif->last_ip;
  return ESP_OK;
}
esp_netif_t* esp_netif_create_default_wifi_sta() { return wifi.has_interface ? &wifi.netif : nullptr; }
void esp_netif_destroy_default_wifi(void*) { wifi.netif = {}; }

esp_err_t esp_wifi_init(const wifi_init_config_t* config) {
  wifi.nvs_enable = config->nvs_enable;
  return wifi.init;
}
esp_err_t esp_wifi_deinit() { return ESP_OK; }
esp_err_t esp_wifi_set_storage(wifi_storage_t storage) {
  wifi.storage = storage;
  return ESP_OK;
}
esp_err_t esp_wifi_set_mode(wifi_mode_t mode) { return mode == WIFI_MODE_STA ? ESP_OK : ESP_ERR_INVALID_ARG; }
esp_err_t esp_wifi_start() {
  wifi.is_started = wifi.start == ESP_OK;
  return wifi.start;
}
esp_err_t esp_wifi_stop() {
  wifi.is_started = false;
  wifi.sta = fake::Wifi::Sta::idle;
  ++wifi.generation;
  return ESP_OK;
}
esp_err_t esp_wifi_connect() {
  wifi.attempts.push_back(wifi.now_ms);
  if (!wifi.is_started) return ESP_ERR_WIFI_NOT_STARTED;
  if (wifi.connect != ESP_OK) return wifi.connect;
  if (wifi.sta != fake::Wifi::Sta::idle) return ESP_ERR_WIFI_CONN;
  wifi.sta = fake::Wifi::Sta::connecting;
  wifi.after(wifi.join_ms, [mine = ++wifi.generation] {
    if (mine == wifi.generation) wifi.end_attempt();
  });
  return ESP_OK;
}
esp_err_t esp_wifi_disconnect() {
  if (wifi.sta != fake::Wifi::Sta::idle) wifi.post_end(WIFI_REASON_ASSOC_LEAVE);
  return ESP_OK;
}
esp_err_t esp_wifi_set_config(wifi_interface_t, wifi_config_t* config) {
  if (wifi.set_config != ESP_OK) return wifi.set_config;
  if (wifi.sta == fake::Wifi::Sta::connecting) return ESP_ERR_WIFI_STATE;
  wifi.config = *config;
  return ESP_OK;
}
}
