// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <mcp/http_tokens.hpp>
#include <mcp/ports/esp_idf.hpp>
#include <mcp/ports/esp_idf_wifi.hpp>
#include <mcp/read_tools.hpp>
#include <mcp/settings.hpp>

#include <utility>

namespace setup {
namespace {

constexpr mcp::Setting rows[] = {
    {.name = "wifi_ssid",
     .description = "The name of the Wi-Fi network.",
     .max_size = mcp::esp_idf::Wifi::max_ssid,
     .is_valid = mcp::esp_idf::Wifi::is_ssid},
    {.name = "wifi_password",
     .description = "Its passphrase: 8 to 63 bytes. Without it, the network is open.",
     .is_secret = true,
     .max_size = mcp::esp_idf::Wifi::max_passphrase,
     .is_valid = mcp::esp_idf::Wifi::is_passphrase},
    {.name = "token",
     .description = "What clients in the network send. Choose a long random one.",
     .is_secret = true,
     .is_valid = mcp::RotatingTokens::is_valid},
    {.name = "host_name",
     .description = "The name in the network without .local, from the next reset on.",
     .max_size = 32,
     .is_valid = mcp::is_host_name},
};

bool is_token_changed = true;
bool is_network_changed = true;
void note_change(const mcp::Setting& setting) {
  if (setting.name == "token") is_token_changed = true;
  if (setting.name == "wifi_ssid" || setting.name == "wifi_password") is_network_changed = true;
}

char scratch[mcp::RotatingToken::max_size];
constinit mcp::Settings settings{rows, scratch, note_change};

char address[24];  // with a port
constinit mcp::NetworkReport network;

mcp::Errc read_network(mcp::ReadResult& out) {
  // A report about the network before the last change would mislead the person who has changed it.
  if (is_network_changed) return mcp::NetworkReport{.state = mcp::NetworkReport::State::joining}.write(out);
  return network.write(out);
}

constexpr mcp::Tool setting_tools[] = {mcp::setting_set<settings>(), mcp::setting_list<settings>(),
                                       mcp::setting_erase<settings>()};
constexpr mcp::Resource resources[] = {
    {.uri = mcp::NetworkReport::uri,
     .name = "network",
     .description = "Whether the device has joined the network, and its URL, or why not.",
     .mime_type = "application/json",
     .read = read_network,
     .subscribable = true,
     .as_tool = true}};
constexpr mcp::Definition definition{.name = "thermometer-setup",
                                     .version = "1.0.0",
                                     .instructions = "Call setting_list, then setting_set.",
                                     .tools = mcp::tools_of<setting_tools, resources>,
                                     .resources = resources};
constinit mcp::Storage<definition> storage;

}  // namespace

constinit const mcp::Server server{storage, {.boot_id = mcp::esp_idf::boot_id}};

void begin(mcp::Records& records) { settings.use(records); }
bool take_token_change() { return std::exchange(is_token_changed, false); }
bool take_network_change() { return std::exchange(is_network_changed, false); }

void show_network(const mcp::NetworkReport& report) {
  if (report.state == network.state && report.failures == network.failures && report.reason == network.reason &&
      report.address == network.address) {
    return;
  }
  network = report;
  network.address = {address, report.address.copy(address, sizeof address)};
  server.resource_updated(resources[0]);
}

}  // namespace setup
