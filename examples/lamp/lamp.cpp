// SPDX-License-Identifier: Apache-2.0
// A lamp that clients reach over a UART, over HTTP in the local network, and through an MQTT broker, all at once. A
// transport uses the buffers of its server, so there are three servers. They have the same tables, and a change of the
// lamp is a change for all three. The broker, the certificate of this device and the authority of the broker are
// constants of the image (CMakeLists.txt). A real board needs other sources in place of HostEntropy and HostWallClock.
#include <mcp/http_transport.hpp>
#include <mcp/mqtt_transport.hpp>
#include <mcp/ports/lm3s6965evb.hpp>
#include <mcp/ports/lwip_dialer.hpp>
#include <mcp/ports/lwip_network.hpp>
#include <mcp/ports/lwip_tcp.hpp>
#include <mcp/ports/mbedtls_arena.hpp>
#include <mcp/ports/mbedtls_dialer.hpp>
#include <mcp/ports/semihosting.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "identity.hpp"

namespace {

// ---- The application ------------------------------------------------------------------------------------------------

bool is_on = false;
void tell_all();

mcp::Errc read_state(mcp::ReadResult& out) {
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.member("on", is_on);
  json.object_end();
  return mcp::Errc::ok;
}

struct SwitchArguments {
  bool on;
};
constexpr auto switch_params =
    mcp::params(mcp::param<&SwitchArguments::on>("on", {.description = "true to switch it on"}));

mcp::Errc switch_lamp(const SwitchArguments& arguments, mcp::Call& call) {
  is_on = arguments.on;
  board::led(is_on);
  tell_all();
  return call.result().text(is_on ? "The lamp is on." : "The lamp is off.");
}

constexpr mcp::Resource resources[] = {{.uri = "lamp://state",
                                        .name = "state",
                                        .title = "State",
                                        .description = "Whether the lamp is on.",
                                        .mime_type = "application/json",
                                        .read = read_state,
                                        .subscribable = true}};
constexpr mcp::Tool tools[] = {
    mcp::tool<switch_lamp>({.name = "switch_lamp", .description = "Switches the lamp on or off."}, switch_params)};
constexpr mcp::Definition definition{
    .name = "lamp", .version = "1.0.0", .tools = tools, .resources = resources, .subscriptions = true};

// ---- Three servers --------------------------------------------------------------------------------------------------

constexpr mcp::Limits uart_limits{.subscriptions = 1};
constexpr mcp::Limits network_limits{.sessions = 3, .subscriptions = 2};
constinit mcp::Storage<definition, uart_limits> uart_storage;
constinit mcp::Storage<definition, network_limits> http_server_storage;
constinit mcp::Storage<definition, network_limits> mqtt_server_storage;
constinit const mcp::Server uart_server{uart_storage, {.boot_id = board::boot_id}};
constinit const mcp::Server http_server{http_server_storage, {.boot_id = board::boot_id}};
constinit const mcp::Server mqtt_server{mqtt_server_storage, {.boot_id = board::boot_id}};

void tell_all() {
  for (const mcp::Server* server : {&uart_server, &http_server, &mqtt_server}) server->resource_updated(resources[0]);
}

// ---- Three transports -----------------------------------------------------------------------------------------------

constexpr mcp::HttpLimits http_limits{.connections = 3, .head_size = 768, .detached = 0};
constinit mcp::HttpStorage<http_server_storage, http_limits> http_storage;
constinit mcp::MqttStorage<mqtt_server_storage> mqtt_storage;

mcp::lwip::TcpConnection connections[http_limits.connections + 1];
mcp::lwip::DialedConnection dialed[1];
mcp::mbedtls::DialedTlsConnection secured[std::size(dialed)];
static_assert(std::size(connections) + std::size(dialed) <= MOTE_LWIP_CONNECTIONS);
alignas(8) std::byte arena[12'288];

}  // namespace

int main() {
  board::HostEntropy entropy;
  board::HostWallClock calendar;
  mcp::mbedtls::set_arena(arena);
  mcp::mbedtls::TlsClient tls({.authorities = identity::client_authorities,
                               .certificates = identity::certificates,
                               .key = identity::key,
                               .clock = &calendar},
                              entropy);
  if (!tls.ok()) return 1;  // the certificate cannot be used
  mcp::lwip::Network network(board::ethernet(), entropy, board::millis());
  network.use_dhcp();
  mcp::lwip::TcpListener listener(network, connections, 80);
  mcp::lwip::TcpDialer dialer(network, dialed);
  mcp::mbedtls::TlsDialer secured_dialer(dialer, secured, tls);

  mcp::StdioTransport uart{uart_server, board::uart0()};
  const mcp::HttpOptions http_options;
  mcp::HttpTransport http{http_server, listener, entropy, http_storage, http_options};
  constexpr mcp::MqttBroker brokers[] = {{.host = LAMP_BROKER, .port = 8883}};
  const mcp::MqttOptions mqtt_options{.brokers = brokers, .server_id = LAMP_ID, .server_name = "lamp"};
  mcp::MqttTransport mqtt{mqtt_server, secured_dialer, entropy, mqtt_storage, mqtt_options};

  for (;;) {
    const mcp::Millis now = board::millis();
    const mcp::Millis uart_ms = uart.poll(now);
    const mcp::Millis http_ms = http.poll(now);
    const mcp::Millis mqtt_ms = network.ready() ? mqtt.poll(now) : mcp::forever;
    const mcp::Millis network_ms = network.poll(now);
    board::wait_for_event(std::min({uart_ms, http_ms, mqtt_ms, network_ms, secured_dialer.poll()}));
  }
}
