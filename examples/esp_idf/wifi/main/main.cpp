// SPDX-License-Identifier: Apache-2.0
// An LM75 and an LED for AI clients in a Wi-Fi network: http://thermometer.local/mcp, with a bearer token.
//
// No secret is in this project. After the first start, `mote-attach provision` stores the network and the token over
// USB.
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sensor_rows.hpp>
#include <mcp/http_tokens.hpp>
#include <mcp/http_transport.hpp>
#include <mcp/memory/secrets.hpp>
#include <mcp/ports/esp_idf.hpp>
#include <mcp/ports/esp_idf_records.hpp>
#include <mcp/ports/esp_idf_wifi.hpp>
#include <mcp/ports/sockets.hpp>
#include <mcp/read_tools.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include <sys/time.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include <esp_err.h>
#include <esp_netif_sntp.h>
#include <mdns.h>
#include <nvs_flash.h>
#include <sdkconfig.h>
#include "board.hpp"
#include "settings.hpp"

namespace {

using mcp::esp_idf::WifiError;

// ---- In the network: the sensor and the LED -------------------------------------------------------------------------

constexpr mcp::MeasureOptions each_second{.now = mcp::esp_idf::millis, .interval_ms = 1000};
constinit mcp::Measured<mcp::Lm75, each_second> room{board::bus, 0x48};

// The time of SNTP. Before the first response, the clock of ESP-IDF is in 1970.
mcp::Errc read_time(mcp::ReadResult& out) {
  constexpr std::int64_t earliest = 1'700'000'000;
  timeval time{};
  if (gettimeofday(&time, nullptr) != 0 || time.tv_sec < earliest) return mcp::Errc::unavailable;
  return out.text(static_cast<std::uint64_t>(time.tv_sec));
}

constexpr mcp::Resource resources[] = {
    mcp::sensor<room>({.uri = "sensor://room", .name = "room", .subscribable = true, .as_tool = true}),
    {.uri = "device://time",
     .name = "time",
     .description = "The time of day in seconds since 1970 (UTC).",
     .mime_type = "text/plain",
     .read = read_time}};
constexpr mcp::SensorRow rows[] = {{&room, &resources[0]}};

struct SetLed {
  bool on;
};
mcp::Errc set_led(const SetLed& arguments, mcp::Call& call) {
  board::set_led(arguments.on);
  return call.result().text("The LED is ", std::string_view(arguments.on ? "on" : "off"), ".");
}
constexpr auto set_led_params = mcp::params(mcp::param<&SetLed::on>("on", {.description = "true to switch it on"}));
constexpr mcp::Tool tools[] = {mcp::tool<set_led>(
    {.name = "set_led", .title = "LED", .description = "Switch the LED on or off."}, set_led_params)};

constexpr mcp::Definition definition{.name = "thermometer",
                                     .version = "1.0.0",
                                     .tools = mcp::tools_of<tools, resources>,
                                     .resources = resources,
                                     .subscriptions = true};
constexpr mcp::Limits limits{.receive_size = 1024, .transmit_size = 2048, .sessions = 3, .subscriptions = 2};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage, {.boot_id = mcp::esp_idf::boot_id}};
constexpr mcp::HttpLimits http_limits{.connections = 4};
constinit mcp::HttpStorage<storage, http_limits> http_storage;
mcp::sockets::TcpConnection connections[http_limits.connections];

// Clients send the token as `Authorization: Bearer …`. Without one, there is no access.
constinit mcp::RotatingToken users[1];
constinit mcp::RotatingTokens tokens{users};

void use_token(mcp::Records& records, mcp::HttpTransport& transport) {
  char text[mcp::RotatingToken::max_size];
  const mcp::RecordResult result = records.load("token", text);
  const std::string_view token(text, result.status == mcp::RecordStatus::ok ? result.size : 0);
  const mcp::Rotation rotation = tokens.rotate(0, token, mcp::esp_idf::millis(), 0);
  if (rotation.ended_principal != 0) transport.end_principal(rotation.ended_principal);
  mcp::memory::wipe(text);
}

// ---- The network ----------------------------------------------------------------------------------------------------

// The setting `host_name`, or "thermometer", and the name that requests may have as their host.
char name[33] = "thermometer";
char host[40];
std::string_view hosts[1];

void use_host_name(mcp::Records& records) {
  char text[32];
  const mcp::RecordResult result = records.load("host_name", text);
  if (result.status == mcp::RecordStatus::ok) name[std::string_view(text, result.size).copy(name, sizeof text)] = '\0';
  const std::size_t size = std::string_view(name).copy(host, sizeof name);
  hosts[0] = {host, size + std::string_view(".local").copy(host + size, sizeof host - size)};
}

// After this, mDNS and SNTP follow the link by themselves.
void start_services(std::uint16_t port) {
  ESP_ERROR_CHECK(mdns_init());
  ESP_ERROR_CHECK(mdns_hostname_set(name));
  ESP_ERROR_CHECK(mdns_instance_name_set("Thermometer"));
  mdns_txt_item_t txt[] = {{"path", "/mcp"}, {"proto", "http"}, {"auth", "bearer"}};
  ESP_ERROR_CHECK(mdns_service_add(nullptr, "_mcp", "_tcp", port, txt, std::size(txt)));
  esp_sntp_config_t sntp = ESP_NETIF_SNTP_DEFAULT_CONFIG("pool.ntp.org");
  sntp.wait_for_sync = false;
  ESP_ERROR_CHECK(esp_netif_sntp_init(&sntp));
}

std::string_view text_of(WifiError error) {
  switch (error) {
    case WifiError::none: return "joining";
    case WifiError::no_network: return "no network with this SSID; the radio may support only 2.4 GHz";
    case WifiError::wrong_password: return "rejected; is the passphrase right?";
    case WifiError::security: return "the network has other security than WPA2 or WPA3 with this passphrase";
    case WifiError::failed: return "could not join";
    case WifiError::timed_out: return "the access point does not respond";
    case WifiError::no_address: return "no address from DHCP";
    case WifiError::lost: return "link lost";
    case WifiError::radio: return "the driver of the radio fails";
  }
  return {};
}

mcp::NetworkReport report_of(const mcp::esp_idf::Wifi& wifi, std::string_view address) {
  using State = mcp::NetworkReport::State;
  if (!wifi.ok()) return {.state = State::joining, .failures = 255, .reason = "the radio does not work"};
  if (wifi.state() == mcp::esp_idf::WifiState::off) return {.state = State::unset, .reason = "no network is set"};
  if (wifi.ready()) return {.state = State::joined, .address = address};
  if (wifi.state() == mcp::esp_idf::WifiState::joined)
    return {.state = State::joining, .reason = "no address from DHCP yet"};
  return {.state = State::joining, .failures = wifi.failures(), .reason = text_of(wifi.error())};
}

void show_network(const mcp::esp_idf::Wifi& wifi, std::uint16_t port) {
  char address[24];  // 255.255.255.255:65535
  std::size_t size = wifi.address(address).size();
  if (size != 0 && port != 80) {
    address[size++] = ':';
    size = static_cast<std::size_t>(std::to_chars(address + size, address + sizeof address, port).ptr - address);
  }
  setup::show_network(report_of(wifi, {address, size}));
}

// A partition without a free page, or of a newer format, is erased: the settings must then be stored again.
void start_nvs() {
  esp_err_t result = nvs_flash_init();
  if (result == ESP_ERR_NVS_NO_FREE_PAGES || result == ESP_ERR_NVS_NEW_VERSION_FOUND) {
    ESP_ERROR_CHECK(nvs_flash_erase());
    result = nvs_flash_init();
  }
  ESP_ERROR_CHECK(result);
}

}  // namespace

extern "C" void app_main() {
  start_nvs();
  static mcp::esp_idf::NvsRecords records;
  setup::begin(records);
  use_host_name(records);
  static mcp::esp_idf::Wifi wifi({.host_name = name});
  static mcp::esp_idf::SdkEntropy entropy;
  static mcp::sockets::TcpListener listener(connections, "0.0.0.0", CONFIG_EXAMPLE_HTTP_PORT);
  const mcp::HttpOptions options{.hosts = hosts, .authorizer = &tokens};
  static mcp::HttpTransport http{server, listener, entropy, http_storage, options};
  static mcp::StdioTransport wire{setup::server, board::open_stream()};
  start_services(listener.port());
  board::enable_sleep();
  board::start_watchdog();
  while (!wire.closed()) {
    board::feed_watchdog();
    const mcp::Millis wire_ms = wire.poll(mcp::esp_idf::millis());
    wire.wipe();
    if (setup::take_token_change()) use_token(records, http);
    if (setup::take_network_change() && !wifi.join(records, mcp::esp_idf::millis())) wifi.leave();
    const mcp::Millis wifi_ms = wifi.poll(mcp::esp_idf::millis());
    show_network(wifi, listener.port());
    const mcp::Millis sensors_ms = mcp::poll_sensors(rows, server);
    const mcp::Millis http_ms = http.poll(mcp::esp_idf::millis());
    listener.wait(std::min({wire_ms, wifi_ms, sensors_ms, http_ms, board::longest_sleep_ms}));
  }
  std::exit(0);  // at the end of stdin; the streams of a chip have none
}
