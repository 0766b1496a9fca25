// SPDX-License-Identifier: Apache-2.0
// The driver of Wi-Fi, the event loop and the interface of ESP-IDF in virtual time, without a radio. A test is the
// access point. It follows components/esp_event, esp_netif/lwip/esp_netif_lwip.c and esp_wifi/src/wifi_default.c of
// ESP-IDF v6.2-dev, commit 1021229, and for the driver, which is a library without sources, esp_wifi.h and the guide of
// Wi-Fi:
// - a call only posts a request: the result is an event of another task, some time later.
// - while an attempt runs, esp_wifi_set_config() and esp_wifi_connect() return an error.
// - esp_wifi_disconnect() posts an event if an attempt or a link has ended by it.
// - while the interface is down, esp_netif_get_ip_info() returns what the last address was, if it was not reset.
// - the event of a new address is lost if the queue of the event loop is full.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <esp_event.h>
#include <esp_netif.h>
#include <esp_wifi.h>

struct esp_netif_obj {
  bool is_up = false;
  std::uint32_t ip = 0;       // of the interface
  std::uint32_t last_ip = 0;  // what esp_netif keeps
};

namespace fake {

struct Handler {
  esp_event_base_t base;
  std::int32_t id;
  esp_event_handler_t function;
  void* argument;
};

/// What a test decides, and what it looks at.
struct Wifi {
  enum class Sta : std::uint8_t { idle, connecting, connected };
  /// The network that the access point has.
  std::string ssid = "network";
  std::string password = "a passphrase";
  bool is_in_reach = true;
  bool is_silent = false;  ///< The driver reports no end of an attempt.
  bool has_dhcp = true;
  bool loses_got_ip = false;         ///< The queue of the event loop is full then.
  bool keeps_last_ip = false;        ///< esp_netif does not reset the address.
  std::uint32_t lease = 0x1701A8C0;  ///< 192.168.1.23
  std::uint32_t join_ms = 2'500;
  std::uint32_t dhcp_ms = 600;
  std::uint32_t event_ms = 5;  ///< The time from a change to its event.
  std::uint8_t refusal = 0;    ///< The reason of a refused attempt; 0: as the network demands.
  esp_err_t init = ESP_OK, start = ESP_OK, connect = ESP_OK, set_config = ESP_OK, loop = ESP_OK,
            interface_init = ESP_OK;
  esp_err_t handler = ESP_OK;  ///< Of the registration of a handler.
  bool has_interface = true;

  Sta sta = Sta::idle;
  bool is_started = false;
  int nvs_enable = 1;
  wifi_storage_t storage = WIFI_STORAGE_FLASH;
  wifi_config_t config = {};
  std::string host_name;
  esp_netif_obj netif;
  std::vector<std::uint64_t> attempts;  ///< The times of esp_wifi_connect(), in milliseconds.
  unsigned wakes = 0;
  std::deque<Handler> handlers;
  std::uint64_t now_ms = 0;
  std::multimap<std::uint64_t, std::function<void()>> later;
  unsigned generation = 0;  // of attempts and links, so that what is left of an old one does nothing

  /// Does something after some time.
  void after(std::uint32_t ms, std::function<void()> what) { later.emplace(now_ms + ms, std::move(what)); }
  /// Does what is due until `ms` later. `turn` runs after each change, and at the end.
  void pass(
      std::uint64_t ms, const std::function<void()>& turn = [] {});
  /// The access point is gone, or has ended the link.
  void lose(std::uint8_t reason = WIFI_REASON_BEACON_TIMEOUT);
  /// Calls the handlers.
  void post(esp_event_base_t base, std::int32_t id, void* data = nullptr);
  void post_end(std::uint8_t reason);
  void end_attempt();
};

extern Wifi wifi;

}  // namespace fake
