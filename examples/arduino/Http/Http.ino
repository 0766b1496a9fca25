// SPDX-License-Identifier: Apache-2.0
// An LED for AI clients in your Wi-Fi: http://led.local/mcp.
//
// No password is in this file. After the upload, `mote-attach provision` stores the network and the token over Serial,
// or a client calls setting_set for wifi_ssid, wifi_password and token. They outlive a reset. `mote-attach provision
// --erase` erases them. The board joins the network again for ever.
#include <charconv>

#include <LittleFS.h>
#include <WiFi.h>
#if defined(ARDUINO_ARCH_ESP32)
#include <ESPmDNS.h>
#else
#include <LEAmDNS.h>
#endif
#include <mote.h>
#include <mote_network.h>

#include <mcp/http_tokens.hpp>
#include <mcp/http_transport.hpp>
#include <mcp/read_tools.hpp>
#include <mcp/settings.hpp>

#ifdef MOTE_NO_SERIAL
#error "This board has no Serial. In the menu Tools, choose a generic 'Serial', or put the name of another port for it."
#endif

// The pin of the LED, or -1 without an LED.
#ifdef LED_BUILTIN
const int LED_PIN = LED_BUILTIN;
#else
#pragma message("This board package names no LED. Set LED_PIN to the pin of an LED.")
const int LED_PIN = -1;
#endif

// The argument of the tool. Arduino declares all functions before the first one, so their types come earlier.
struct SetLed {
  bool on;
};

// Random bits for the names of sessions, from the hardware.
std::uint32_t random_bits() {
#if defined(ARDUINO_ARCH_ESP32)
  return esp_random();
#elif defined(ARDUINO_ARCH_RP2040)
  return rp2040.hwrand32();
#else
#error "Return 32 random bits of your board here. The random() of Arduino can be guessed."
#endif
}

// ---- In the network: the LED ---------------------------------------------------------------------------------------

mcp::Errc set_led(const SetLed& wanted, mcp::Call& call) {
  if (LED_PIN < 0) return call.fail("This board has no LED. Set LED_PIN in the sketch.");
  digitalWrite(LED_PIN, wanted.on ? HIGH : LOW);
  return call.result().text("done");
}

// What the AI model reads about the tool.
constexpr auto parameters = mcp::params(mcp::param<&SetLed::on>("on", {.description = "true to switch it on"}));
constexpr mcp::Tool tools[] = {
    mcp::tool<set_led>({.name = "set_led", .description = "Switch the LED on or off."}, parameters)};
constexpr mcp::Definition definition{.name = "led", .version = "1.0.0", .tools = tools};

// Memory for two clients, which have one or two connections each.
constinit mcp::Storage<definition, mcp::Limits{.sessions = 3}> storage;
constinit const mcp::Server server{storage};
constexpr mcp::HttpLimits http_limits{.connections = 4};
constinit mcp::HttpStorage<storage, http_limits> http_storage;

WiFiServer wifi(80);
mcp::arduino::TcpConnection<WiFiServer> connections[http_limits.connections];
mcp::arduino::TcpListener<WiFiServer> listener{wifi, connections};
mcp::arduino::RandomBits random_bytes{random_bits};
// The name of the board, which requests may have as their host: led.local.
std::string_view hosts[1];
// Clients send the token as `Authorization: Bearer …`. Without one, there is no access.
constinit mcp::RotatingToken users[1];
constinit mcp::RotatingTokens tokens{users};
const mcp::HttpOptions options{.hosts = hosts, .authorizer = &tokens};
mcp::HttpTransport transport{server, listener, random_bytes, http_storage, options};

// ---- On Serial: the settings ---------------------------------------------------------------------------------------

bool is_network_name(std::string_view text) { return !text.empty(); }
bool is_password(std::string_view text) { return text.empty() || text.size() >= 8; }

constexpr mcp::Setting rows[] = {
    {.name = "wifi_ssid",
     .description = "The name of the Wi-Fi network.",
     .max_size = 32,
     .is_valid = is_network_name},
    {.name = "wifi_password",
     .description = "Its password: 8 to 63 bytes. Without it, the network is open.",
     .is_secret = true,
     .max_size = 63,
     .is_valid = is_password},
    {.name = "token",
     .description = "What clients in the network send. Choose a long random one.",
     .is_secret = true,
     .is_valid = mcp::RotatingTokens::is_valid},
    {.name = "host_name",
     .description = "The name in the network without .local, from the next reset on.",
     .max_size = 32,
     .is_valid = mcp::is_host_name}};

bool is_token_changed = true, is_network_changed = true;  // also for the values of the start
void note_change(const mcp::Setting& setting) {
  if (setting.name == "token") is_token_changed = true;
  if (setting.name == "wifi_ssid" || setting.name == "wifi_password") is_network_changed = true;
}
char scratch[64];
constinit mcp::Settings settings{rows, scratch, note_change};

mcp::Errc read_url(mcp::ReadResult& out);
mcp::Errc read_network(mcp::ReadResult& out);
constexpr mcp::Tool setting_tools[] = {mcp::setting_set<settings>(), mcp::setting_list<settings>(),
                                       mcp::setting_erase<settings>()};
constexpr mcp::Resource resources[] = {{.uri = "device://url",
                                        .name = "url",
                                        .description = "The URL of the LED; empty without a network.",
                                        .mime_type = "text/plain",
                                        .read = read_url,
                                        .as_tool = true},
                                       // What `mote-attach provision` waits for.
                                       {.uri = mcp::NetworkReport::uri,
                                        .name = "network",
                                        .description = "Whether the board has joined the network, and its URL.",
                                        .mime_type = "application/json",
                                        .read = read_network}};
constexpr mcp::Definition setup_definition{
    .name = "led-setup", .version = "1.0.0", .tools = mcp::tools_of<setting_tools, resources>, .resources = resources};
constinit mcp::Storage<setup_definition> setup_storage;
constinit const mcp::Server setup_server{setup_storage, {.boot_id = mcp::arduino::boot_id}};
mcp::arduino::StreamPort wire{Serial};
mcp::StdioTransport setup_transport{setup_server, wire};

// ---- Both ----------------------------------------------------------------------------------------------------------

mcp::arduino::FileRecords records{LittleFS};
mcp::arduino::WifiLink link_{WiFi};
mcp::arduino::Announcement announcement{MDNS};

char host[40] = "led.local";
char host_name[33] = "led";

mcp::Errc read_url(mcp::ReadResult& out) {
  if (!link_.is_up()) return out.text("");
  const IPAddress address = WiFi.localIP();
  return out.text("http://", address[0], ".", address[1], ".", address[2], ".", address[3], "/mcp");
}

mcp::Errc read_network(mcp::ReadResult& out) {
  // What is known of the network before a change would mislead.
  if (is_network_changed) return mcp::NetworkReport{.state = mcp::NetworkReport::State::joining}.write(out);
  if (!link_.is_up()) return link_.report({}).write(out);
  char text[16];  // 255.255.255.255
  char* end = text;
  const IPAddress address = WiFi.localIP();
  for (int i = 0; i < 4; ++i) {
    if (i != 0) *end++ = '.';
    end = std::to_chars(end, end + 3, unsigned{address[i]}).ptr;
  }
  return link_.report({text, static_cast<std::size_t>(end - text)}).write(out);
}

void use_token() {
  char text[mcp::RotatingToken::max_size];
  const mcp::RecordResult result = records.load("token", text);
  const std::string_view token(text, result.status == mcp::RecordStatus::ok ? result.size : 0);
  const mcp::Rotation rotation = tokens.rotate(0, token, millis(), 0);
  if (rotation.ended_principal != 0) transport.end_principal(rotation.ended_principal);
  mcp::memory::wipe(text);
}

void use_host_name() {
  const mcp::RecordResult result = records.load("host_name", std::span(host_name).first(32));
  if (result.status == mcp::RecordStatus::ok) host_name[result.size] = '\0';
  const std::string_view name(host_name);
  host[name.copy(host, name.size())] = '\0';
  strcat(host, ".local");
  hosts[0] = host;
}

void setup() {
  if (LED_PIN >= 0) pinMode(LED_PIN, OUTPUT);
  Serial.begin(115200);
#if defined(ARDUINO_ARCH_ESP32)
  LittleFS.begin(true);  // formats the flash at the first start
#else
  LittleFS.begin();
#endif
  settings.use(records);
  use_host_name();
}

void loop() {
  mcp::arduino::poll(setup_transport);
  setup_transport.wipe();
  if (is_token_changed) use_token();
  if (is_network_changed) link_.join(records, millis());
  is_token_changed = is_network_changed = false;
  if (link_.poll(millis())) {
    wifi.begin();
    announcement.announce(host_name, 80);
  }
  announcement.poll();
  mcp::arduino::poll(transport);
}
