// SPDX-License-Identifier: Apache-2.0
// examples/esp_idf/wifi as a program for this machine: the wire is stdin and stdout, HTTP is on loopback, and a fake
// radio joins the network "network" with the passphrase "a passphrase" at once. The network "no address" has no DHCP.
// The NVS is in the file MOTE_TEST_NVS. mDNS prints what it announces to stderr.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mcp/ports/esp_idf.hpp>
#include <mcp/ports/fake_i2c.hpp>
#include <mcp/ports/posix.hpp>
#include <random>
#include <string>
#include <string_view>

#include <esp_netif_sntp.h>
#include <esp_random.h>
#include <esp_rom_sys.h>
#include <esp_timer.h>
#include <esp_wifi.h>
#include <mdns.h>
#include <nvs_flash.h>
#include "examples/esp_idf/wifi/main/board.hpp"
#include "tests/ports/esp_idf/records/fake_nvs.hpp"

struct esp_netif_obj {
  std::uint32_t ip = 0;
};
esp_event_base_t const WIFI_EVENT = "WIFI_EVENT";
esp_event_base_t const IP_EVENT = "IP_EVENT";

namespace {

constexpr std::uint16_t cool = 0x1580;  // 21.5 degrees in the register of an LM75
constexpr std::uint16_t warm = 0x1E80;  // 30.5 degrees

mcp::FakeWords lm75{0x48, 1};
mcp::FakeI2cDevice* const devices[] = {&lm75};
mcp::FakeTransaction transactions[1];
mcp::FakeI2c i2c{devices, transactions};

esp_netif_obj interface;
wifi_sta_config_t network;
bool is_connected = false;
esp_event_handler_t handler = nullptr;
void* handler_argument = nullptr;

std::string text_of(const std::uint8_t* bytes, std::size_t most) {
  const auto* const text = reinterpret_cast<const char*>(bytes);
  return {text, strnlen(text, most)};
}

void end_link(std::uint8_t reason) {
  wifi_event_sta_disconnected_t data{};
  data.reason = reason;
  is_connected = false;
  interface.ip = 0;
  handler(handler_argument, WIFI_EVENT, WIFI_EVENT_STA_DISCONNECTED, &data);
}

// One line for each value: the name of its namespace, its name, and its bytes as hexadecimal digits.
void load_nvs() {
  std::ifstream file(std::getenv("MOTE_TEST_NVS"));
  for (std::string space, name, digits; file >> space >> name >> digits;) {
    std::string bytes;
    for (std::size_t i = 1; i < digits.size(); i += 2)
      bytes += static_cast<char>(std::strtoul(digits.substr(i, 2).c_str(), nullptr, 16));
    fake::nvs.namespaces[space][name] = {NVS_TYPE_BLOB, bytes, false};
  }
}
void save_nvs() {
  std::ofstream file(std::getenv("MOTE_TEST_NVS"));
  for (const auto& [space, values] : fake::nvs.namespaces) {
    for (const auto& [name, value] : values) {
      file << space << ' ' << name << " x";
      for (const char byte : value.bytes) {
        constexpr std::string_view digits = "0123456789abcdef";
        const auto number = static_cast<unsigned char>(byte);
        file << digits[number / 16U] << digits[number % 16U];
      }
      file << '\n';
    }
  }
}

}  // namespace

namespace board {

const mcp::Millis longest_sleep_ms = 10;

mcp::ByteStream& open_stream() {
  static mcp::posix::Stdio stream;
  set_led(false);
  return stream;
}
mcp::I2cBus& bus() { return i2c; }
void set_led(bool on) { lm75[0] = on ? warm : cool; }
void start_watchdog() {}
void feed_watchdog() {}
void enable_sleep() {}

}  // namespace board

namespace mcp::esp_idf {
void wake() {}
}  // namespace mcp::esp_idf

extern "C" {
void app_main();

int __real_bind(int fd, const sockaddr* address, socklen_t size);
int __wrap_bind(int fd, const sockaddr* address, socklen_t size);
// 0.0.0.0 is every interface of this machine.
int __wrap_bind(int fd, const sockaddr* address, socklen_t size) {
  sockaddr_in loopback{};
  std::memcpy(&loopback, address, std::min<std::size_t>(size, sizeof loopback));
  loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return __real_bind(fd, reinterpret_cast<const sockaddr*>(&loopback), sizeof loopback);
}

int64_t esp_timer_get_time() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
}
uint32_t esp_random() {
  static std::random_device device;
  return device();
}
void esp_fill_random(void* into, size_t size) {
  for (size_t i = 0; i < size; ++i) static_cast<std::uint8_t*>(into)[i] = static_cast<std::uint8_t>(esp_random());
}
int esp_rom_printf(const char*, ...) { return 0; }

esp_err_t nvs_flash_init() {
  load_nvs();
  return std::atexit(save_nvs) == 0 ? ESP_OK : ESP_FAIL;
}
esp_err_t nvs_flash_erase() { return ESP_FAIL; }

esp_err_t mdns_init() { return ESP_OK; }
esp_err_t mdns_hostname_set(const char* name) {
  return std::fprintf(stderr, "mdns host %s\n", name) > 0 ? ESP_OK : ESP_FAIL;
}
esp_err_t mdns_instance_name_set(const char*) { return ESP_OK; }
esp_err_t mdns_service_add(const char*, const char* type, const char* proto, uint16_t port, mdns_txt_item_t txt[],
                           size_t size) {
  std::fprintf(stderr, "mdns service %s.%s %u", type, proto, port);
  for (size_t i = 0; i < size; ++i) std::fprintf(stderr, " %s=%s", txt[i].key, txt[i].value);
  std::fprintf(stderr, "\n");
  return ESP_OK;
}
esp_err_t esp_netif_sntp_init(const esp_sntp_config_t* config) { return config->wait_for_sync ? ESP_FAIL : ESP_OK; }

esp_err_t esp_event_loop_create_default() { return ESP_OK; }
esp_err_t esp_event_handler_instance_register(esp_event_base_t, int32_t, esp_event_handler_t function, void* argument,
                                              esp_event_handler_instance_t*) {
  handler = function;
  handler_argument = argument;
  return ESP_OK;
}
esp_err_t esp_event_handler_instance_unregister(esp_event_base_t, int32_t, esp_event_handler_instance_t) {
  return ESP_OK;
}
esp_err_t esp_netif_init() { return ESP_OK; }
esp_err_t esp_netif_set_hostname(esp_netif_t*, const char*) { return ESP_OK; }
esp_err_t esp_netif_get_ip_info(esp_netif_t* netif, esp_netif_ip_info_t* info) {
  info->ip.addr = netif->ip;
  return ESP_OK;
}
esp_netif_t* esp_netif_create_default_wifi_sta() { return &interface; }
void esp_netif_destroy_default_wifi(void*) {}
esp_err_t esp_wifi_init(const wifi_init_config_t*) { return ESP_OK; }
esp_err_t esp_wifi_deinit() { return ESP_OK; }
esp_err_t esp_wifi_set_storage(wifi_storage_t) { return ESP_OK; }
esp_err_t esp_wifi_set_mode(wifi_mode_t) { return ESP_OK; }
esp_err_t esp_wifi_start() { return ESP_OK; }
esp_err_t esp_wifi_stop() { return ESP_OK; }
esp_err_t esp_wifi_set_config(wifi_interface_t, wifi_config_t* config) {
  network = config->sta;
  return ESP_OK;
}
esp_err_t esp_wifi_connect() {
  const std::string ssid = text_of(network.ssid, sizeof network.ssid);
  if (ssid != "network" && ssid != "no address") {
    end_link(WIFI_REASON_NO_AP_FOUND);
  } else if (text_of(network.password, sizeof network.password) != "a passphrase") {
    end_link(WIFI_REASON_4WAY_HANDSHAKE_TIMEOUT);
  } else {
    is_connected = true;
    interface.ip = ssid == "network" ? htonl(INADDR_LOOPBACK) : 0;
    handler(handler_argument, WIFI_EVENT, WIFI_EVENT_STA_CONNECTED, nullptr);
  }
  return ESP_OK;
}
esp_err_t esp_wifi_disconnect() {
  if (is_connected) end_link(WIFI_REASON_ASSOC_LEAVE);
  return ESP_OK;
}
}

int main() { app_main(); }
