// SPDX-License-Identifier: Apache-2.0
// An LED for AI clients in your Wi-Fi: http://ADDRESS/mcp. Serial prints the address.
#include <WiFi.h>
#include <mote.h>

#include <mcp/http_transport.hpp>

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

const char* const WIFI_NAME = "your network";
const char* const WIFI_PASSWORD = "your password";

// Clients send it as `Authorization: Bearer …`. Choose a long random one. Each client with it can use the tools.
const std::string_view tokens[] = {"replace-this-by-a-long-random-word"};

// The argument of the tool.
struct SetLed {
  bool on;
};

mcp::Errc set_led(const SetLed& wanted, mcp::Call& call) {
  if (LED_PIN < 0) return call.fail("This board has no LED. Set LED_PIN in the sketch.");
  digitalWrite(LED_PIN, wanted.on ? HIGH : LOW);
  return call.result().text("done");
}

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
mcp::StaticTokens authorizer{tokens};
const mcp::HttpOptions options{.authorizer = &authorizer};
mcp::HttpTransport transport{server, listener, random_bytes, http_storage, options};

void setup() {
  if (LED_PIN >= 0) pinMode(LED_PIN, OUTPUT);
  Serial.begin(115200);
  WiFi.begin(WIFI_NAME, WIFI_PASSWORD);
  while (WiFi.status() != WL_CONNECTED) delay(100);
  Serial.println(WiFi.localIP());
  wifi.begin();
}

void loop() { mcp::arduino::poll(transport); }
