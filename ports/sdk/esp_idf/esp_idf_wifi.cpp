// SPDX-License-Identifier: Apache-2.0
// Wi-Fi through the driver of ESP-IDF. Its events come from the task of the default event loop, in the order in which
// they happened, and the state machine runs in poll().
#include "mcp/ports/esp_idf_wifi.hpp"

#include <algorithm>
#include <charconv>

#include <esp_event.h>
#include <esp_netif.h>
#include <esp_wifi.h>
#include "mcp/ports/esp_idf.hpp"
#include "mcp/settings.hpp"

namespace mcp::esp_idf {
namespace {

constexpr Millis look_interval_ms = 1'000;

constexpr std::uint32_t up = 1;
constexpr std::uint16_t ends_of(std::uint32_t events) { return static_cast<std::uint16_t>(events >> 16); }
constexpr std::uint8_t reason_of(std::uint32_t events) { return static_cast<std::uint8_t>(events >> 8); }

// Volatile, because the compiler may omit a store that no code reads.
void wipe(std::span<char> bytes) {
  for (volatile char& byte : bytes) byte = 0;
}

// The reasons for a wrong passphrase: "Wi-Fi Reason code related to wrong password" in the programming guide, and
// AUTH_FAIL for WPA3. The driver names 4WAY_HANDSHAKE_TIMEOUT also after a weak signal.
WifiError error_of(std::uint8_t reason) {
  switch (reason) {
    case WIFI_REASON_NO_AP_FOUND:
    case WIFI_REASON_NO_AP_FOUND_IN_RSSI_THRESHOLD: return WifiError::no_network;
    case WIFI_REASON_4WAY_HANDSHAKE_TIMEOUT:
    case WIFI_REASON_HANDSHAKE_TIMEOUT:
    case WIFI_REASON_AUTH_FAIL: return WifiError::wrong_password;
    case WIFI_REASON_NO_AP_FOUND_W_COMPATIBLE_SECURITY:
    case WIFI_REASON_NO_AP_FOUND_IN_AUTHMODE_THRESHOLD: return WifiError::security;
    default: return WifiError::failed;
  }
}

bool create_event_loop() {
  const esp_err_t result = esp_event_loop_create_default();
  return result == ESP_OK || result == ESP_ERR_INVALID_STATE;  // the application has created it
}

// Without the NVS of the driver, which would keep the passphrase in flash.
bool start_driver() {
  wifi_init_config_t config = WIFI_INIT_CONFIG_DEFAULT();
  config.nvs_enable = 0;
  return esp_wifi_init(&config) == ESP_OK && esp_wifi_set_storage(WIFI_STORAGE_RAM) == ESP_OK &&
         esp_wifi_set_mode(WIFI_MODE_STA) == ESP_OK && esp_wifi_start() == ESP_OK;
}

void set_host_name(esp_netif_t* netif, std::string_view name) {
  constexpr std::size_t longest = 32;  // ESP-IDF: "the length is 32 at most"
  char text[longest + 1];
  if (!is_host_name(name) || name.size() > longest) return;
  text[name.copy(text, longest)] = '\0';
  static_cast<void>(esp_netif_set_hostname(netif, text));
}

}  // namespace

Wifi::Wifi(const WifiOptions& options) : error_(WifiError::radio) {
  if (esp_netif_init() != ESP_OK || !create_event_loop()) return;
  netif_ = esp_netif_create_default_wifi_sta();
  if (netif_ == nullptr) return;
  set_host_name(netif_, options.host_name);
  // After the handlers of the interface, which ESP-IDF calls first: at an event, the address is that of the new link.
  const auto add = [this](esp_event_base_t base, std::int32_t id, void*& handler) {
    return esp_event_handler_instance_register(base, id, on_event, this, &handler) == ESP_OK;
  };
  if (!add(WIFI_EVENT, WIFI_EVENT_STA_CONNECTED, handlers_[0]) ||
      !add(WIFI_EVENT, WIFI_EVENT_STA_DISCONNECTED, handlers_[1]) ||
      !add(IP_EVENT, IP_EVENT_STA_GOT_IP, handlers_[2]) || !start_driver()) {
    return;
  }
  is_on_ = true;
  error_ = WifiError::none;
}

Wifi::~Wifi() {
  wipe(passphrase_);
  static_cast<void>(esp_wifi_stop());
  static_cast<void>(esp_wifi_deinit());
  const auto remove = [](esp_event_base_t base, std::int32_t id, void* handler) {
    if (handler != nullptr) static_cast<void>(esp_event_handler_instance_unregister(base, id, handler));
  };
  remove(WIFI_EVENT, WIFI_EVENT_STA_CONNECTED, handlers_[0]);
  remove(WIFI_EVENT, WIFI_EVENT_STA_DISCONNECTED, handlers_[1]);
  remove(IP_EVENT, IP_EVENT_STA_GOT_IP, handlers_[2]);
  if (netif_ != nullptr) esp_netif_destroy_default_wifi(netif_);
}

// The task of the events.
void Wifi::on_event(void* self, esp_event_base_t base, std::int32_t id, void* data) {
  std::atomic<std::uint32_t>& events = static_cast<Wifi*>(self)->events_;
  if (base == WIFI_EVENT && id == WIFI_EVENT_STA_CONNECTED) {
    events.store(events.load() | up);
  } else if (base == WIFI_EVENT) {
    const std::uint32_t reason = static_cast<const wifi_event_sta_disconnected_t*>(data)->reason;
    const std::uint32_t ends = ends_of(events.load()) + 1U;
    events.store(ends << 16 | reason << 8);
  }
  wake();
}

// The driver takes an SSID up to its first zero.
bool Wifi::is_ssid(std::string_view text) {
  return !text.empty() && text.size() <= max_ssid && text.find('\0') == std::string_view::npos;
}

bool Wifi::is_passphrase(std::string_view text) {
  constexpr std::size_t least = 8;
  constexpr std::size_t key_size = 64;
  if (text.size() != key_size) return text.empty() || (text.size() >= least && text.size() < key_size);
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); });
}

bool Wifi::join(std::string_view ssid, std::string_view passphrase, Millis now) {
  if (!is_on_ || !is_ssid(ssid) || !is_passphrase(passphrase)) return false;
  advance(now);
  wipe(passphrase_);
  ssid_size_ = static_cast<std::uint8_t>(ssid.copy(ssid_, sizeof ssid_));
  passphrase_size_ = static_cast<std::uint8_t>(passphrase.copy(passphrase_, sizeof passphrase_));
  backoff_ms_ = first_backoff_ms;
  failures_ = 0;
  if (state_ == WifiState::joining || state_ == WifiState::joined || is_leaving_) {
    // The event of the end must not come after the next attempt has begun.
    disconnect();
    give_up(WifiError::none);
  } else {
    error_ = WifiError::none;
    start();
  }
  return true;
}

bool Wifi::join(Records& records, Millis now) {
  char ssid[max_ssid];
  char passphrase[max_passphrase];
  const RecordResult name = records.load("wifi_ssid", ssid);
  const RecordResult key = records.load("wifi_password", passphrase);
  // An unreadable record must not make the network an open network.
  const bool is_read =
      name.status == RecordStatus::ok && (key.status == RecordStatus::ok || key.status == RecordStatus::not_found);
  const std::size_t key_size = key.status == RecordStatus::ok ? key.size : 0;
  const bool is_valid = is_read && join({ssid, name.size}, {passphrase, key_size}, now);
  wipe(passphrase);
  return is_valid;
}

void Wifi::leave() {
  if (state_ == WifiState::off) return;
  wipe(passphrase_);
  ssid_size_ = failures_ = 0;
  disconnect();
  state_ = WifiState::off;
  error_ = WifiError::none;
}

Millis Wifi::poll(Millis now) {
  advance(now);
  if (state_ == WifiState::off) return forever;
  const std::uint32_t events = events_.load();
  const bool has_ended = ends_of(events) != ends_;
  if (is_up(events)) {
    if (state_ != WifiState::joined) {
      state_ = WifiState::joined;
      error_ = WifiError::none;
      failures_ = 0;
      since_ms_ = now_ms_;
      had_address_ = false;
    }
    look_at_joined();
  } else if (state_ == WifiState::joined) {
    give_up(WifiError::lost);
  } else if (state_ == WifiState::joining && has_ended) {
    give_up(error_of(reason_of(events)));
  } else if (state_ == WifiState::joining && now_ms_ - since_ms_ >= join_timeout_ms) {
    disconnect();
    give_up(WifiError::timed_out);
  } else if (state_ == WifiState::waiting && now_ms_ - since_ms_ >= wait_ms_) {
    start();
  }
  return state_ == WifiState::waiting ? std::min(wait_ms_ - (now_ms_ - since_ms_), look_interval_ms) : look_interval_ms;
}

// A link without an address is left: its access point may forward nothing.
void Wifi::look_at_joined() {
  const bool has_address = ip() != 0;
  if (has_address != had_address_) {
    had_address_ = has_address;
    since_ms_ = now_ms_;
  } else if (has_address && now_ms_ - since_ms_ >= stable_ms) {
    backoff_ms_ = first_backoff_ms;
  } else if (!has_address && now_ms_ - since_ms_ >= address_timeout_ms) {
    disconnect();
    give_up(WifiError::no_address);
  }
}

// The link of an earlier attempt is none.
bool Wifi::is_up(std::uint32_t events) const {
  return (events & up) != 0 && (!is_leaving_ || ends_of(events) != ends_);
}

// ESP-IDF returns the last address also while the interface is down.
std::uint32_t Wifi::ip() const {
  esp_netif_ip_info_t info{};
  if (state_ != WifiState::joined || !is_up(events_.load())) return 0;
  return esp_netif_get_ip_info(netif_, &info) == ESP_OK ? info.ip.addr : 0;
}

std::string_view Wifi::address(std::span<char> into) const {
  constexpr std::size_t longest = sizeof "255.255.255.255";
  const std::uint32_t all = ip();
  if (all == 0 || into.size() < longest) return {};
  char* at = into.data();
  for (unsigned shift = 0; shift < 32; shift += 8) {  // the first number is in the lowest byte
    if (shift != 0) *at++ = '.';
    at = std::to_chars(at, at + 3, all >> shift & 0xFFU).ptr;
  }
  return {into.data(), static_cast<std::size_t>(at - into.data())};
}

// A time that is earlier than another one changes nothing. Times wrap.
void Wifi::advance(Millis now) {
  if (!has_time_ || static_cast<std::int32_t>(now - now_ms_) > 0) now_ms_ = now;
  has_time_ = true;
}

void Wifi::start() {
  const std::uint32_t events = events_.load();
  if ((events & up) != 0) {  // the driver has not left the last network
    disconnect();
    give_up(error_);
    return;
  }
  is_leaving_ = false;
  ends_ = ends_of(events);
  state_ = WifiState::joining;
  since_ms_ = now_ms_;
  wifi_config_t config{};
  std::copy_n(ssid_, ssid_size_, config.sta.ssid);
  std::copy_n(passphrase_, passphrase_size_, config.sta.password);
  config.sta.scan_method = WIFI_ALL_CHANNEL_SCAN;  // the strongest access point in place of the first one
  config.sta.sort_method = WIFI_CONNECT_AP_BY_SIGNAL;
  config.sta.threshold.authmode = passphrase_size_ != 0 ? WIFI_AUTH_WPA2_PSK : WIFI_AUTH_OPEN;
  config.sta.sae_pwe_h2e = WPA3_SAE_PWE_BOTH;
  const bool is_started = esp_wifi_set_config(WIFI_IF_STA, &config) == ESP_OK && esp_wifi_connect() == ESP_OK;
  wipe({reinterpret_cast<char*>(config.sta.password), sizeof config.sta.password});
  if (is_started) return;
  disconnect();  // an attempt that the driver still makes
  give_up(WifiError::radio);
}

void Wifi::disconnect() {
  ends_ = ends_of(events_.load());
  is_leaving_ = true;
  static_cast<void>(esp_wifi_disconnect());
}

void Wifi::give_up(WifiError error) {
  state_ = WifiState::waiting;
  error_ = error;
  const bool is_failure = error != WifiError::lost && error != WifiError::none;
  if (is_failure && failures_ != UINT8_MAX) ++failures_;
  since_ms_ = now_ms_;
  wait_ms_ = backoff_ms_;
  backoff_ms_ = std::min(2 * backoff_ms_, longest_backoff_ms);
}

}  // namespace mcp::esp_idf
