// SPDX-License-Identifier: Apache-2.0
#include "wifi_setup.hpp"

#include <mcp/memory/secrets.hpp>
#include <mcp/ports/network_report.hpp>
#include <mcp/ports/pico.hpp>
#include <mcp/settings.hpp>

#include <iterator>

namespace wifi_setup {
namespace {

using mcp::pico::WifiError;
using mcp::pico::WifiState;

// ---- Settings -------------------------------------------------------------------------------------------------------

bool is_network_name(std::string_view text) { return !text.empty(); }

constexpr mcp::Setting rows[] = {
    {.name = "wifi_ssid",
     .description = "The name of the Wi-Fi network (2.4 GHz).",
     .max_size = mcp::pico::Wifi::max_ssid,
     .is_valid = is_network_name},
    {.name = "wifi_password",
     .description = "Its password: 8 to 63 bytes. Without it, the network is open.",
     .is_secret = true,
     .max_size = mcp::pico::Wifi::max_passphrase,
     .is_valid = mcp::pico::Wifi::is_passphrase},
    {.name = "token",
     .description = "The bearer token of HTTP clients. Without it, no client has access.",
     .is_secret = true,
     .max_size = mcp::RotatingToken::max_size,
     .is_valid = mcp::RotatingTokens::is_valid},
    {.name = "host_name",
     .description = "The name in the network without .local, from the next reset on.",
     .max_size = 32,
     .is_valid = mcp::is_host_name},
};

bool is_network_changed = true, is_token_changed = true;  // also for the values of the start

void changed(const mcp::Setting& setting) {
  is_network_changed = is_network_changed || setting.name == "wifi_ssid" || setting.name == "wifi_password";
  is_token_changed = is_token_changed || setting.name == "token";
}

char scratch[64];
static_assert(sizeof scratch >= mcp::RotatingToken::max_size);
constinit mcp::Settings settings{rows, scratch, changed};

mcp::Records* values;
const mcp::pico::Wifi* the_wifi;
char host[33] = "thermometer";
mcp::RotatingToken users[1];

void use_token(mcp::HttpTransport& transport, mcp::Millis now) {
  char text[mcp::RotatingToken::max_size];
  const mcp::RecordResult result = values->load("token", text);
  const std::string_view token(text, result.status == mcp::RecordStatus::ok ? result.size : 0);
  const mcp::Rotation rotation = tokens.rotate(0, token, now, 0);
  if (rotation.ended_principal != 0) transport.end_principal(rotation.ended_principal);
  mcp::memory::wipe(text);
}

std::string_view text_of(WifiError error) {
  switch (error) {
    case WifiError::none: return "joining";
    case WifiError::no_network: return "no network with this SSID";
    case WifiError::rejected: return "rejected; is the passphrase right?";
    case WifiError::failed: return "could not join";
    case WifiError::timed_out: return "the access point does not respond";
    case WifiError::lost: return "link lost";
    case WifiError::radio: return "the radio does not work";
  }
  return {};
}

// ---- The server on USB ----------------------------------------------------------------------------------------------

// A report about the network of the settings before the last change would mislead the person who has changed them.
mcp::Errc read_network(mcp::ReadResult& out) {
  using State = mcp::NetworkReport::State;
  if (is_network_changed) return mcp::NetworkReport{.state = State::joining}.write(out);
  const bool is_unset = the_wifi->ok() && the_wifi->state() == WifiState::off;
  const bool is_up = the_wifi->state() == WifiState::joined;
  const bool is_joined = is_up && the_wifi->ready();
  const bool waits_for_address = is_up && !is_joined;
  char address[16];
  return mcp::NetworkReport{
      .state = is_unset    ? State::unset
               : is_joined ? State::joined
                           : State::joining,
      .failures = the_wifi->ok() ? the_wifi->failures() : 255,
      .reason = waits_for_address ? std::string_view("no address from DHCP yet") : reason(*the_wifi),
      .address = is_joined ? the_wifi->address(address) : std::string_view()}
      .write(out);
}

constexpr mcp::Tool tools[] = {mcp::setting_set<settings>(), mcp::setting_list<settings>(),
                               mcp::setting_erase<settings>()};
constexpr mcp::Resource resources[] = {{.uri = mcp::NetworkReport::uri,
                                        .name = "network",
                                        .description = "Whether the device has joined the network, and its URL.",
                                        .mime_type = "application/json",
                                        .read = read_network}};
constexpr mcp::Definition definition{.name = "thermometer-setup",
                                     .title = "Set-up of the thermometer",
                                     .version = "1.0.0",
                                     .instructions = "Call setting_list, then setting_set.",
                                     .tools = tools,
                                     .resources = resources};
constinit mcp::Storage<definition, mcp::Limits{.receive_size = 1280}> storage;

}  // namespace

constinit const mcp::Server server{storage, {.boot_id = mcp::pico::boot_id}};
constinit mcp::RotatingTokens tokens{users};

void begin(mcp::Records& records) {
  values = &records;
  settings.use(records);
  char name[std::size(host) - 1];
  const mcp::RecordResult result = records.load("host_name", name);
  if (result.status == mcp::RecordStatus::ok) host[std::string_view(name, result.size).copy(host, result.size)] = '\0';
}

std::string_view host_name() { return host; }

void apply(mcp::pico::Wifi& wifi, mcp::HttpTransport& transport, mcp::Millis now) {
  the_wifi = &wifi;
  // Without a network in the settings, the board leaves the old one.
  if (is_network_changed && !wifi.join(*values)) wifi.leave();
  if (is_token_changed) use_token(transport, now);
  is_network_changed = is_token_changed = false;
}

std::string_view reason(const mcp::pico::Wifi& wifi) {
  if (wifi.state() == WifiState::joined) return {};
  if (wifi.state() == WifiState::off && wifi.ok()) return "no network is set";
  return text_of(wifi.error());
}

}  // namespace wifi_setup
