// SPDX-License-Identifier: Apache-2.0
// The thermometer on a board for the clients of an MQTT broker, over TLS. The broker, the certificate of this device and
// the authority of the broker are constants of the image (CMakeLists.txt). The MQTT client id has the address of the
// Ethernet interface, so all boards may have the same image. UART0 prints what happens. The emulated boards have neither a
// random source nor a calendar, so this image uses those of the emulator's or debugger's host. A real board needs other
// sources in place of HostEntropy and HostWallClock.
#include <mcp/mqtt_transport.hpp>
#include <mcp/ports/board.hpp>
#include <mcp/ports/lwip_dialer.hpp>
#include <mcp/ports/lwip_network.hpp>
#include <mcp/ports/mbedtls_arena.hpp>
#include <mcp/ports/mbedtls_dialer.hpp>
#include <mcp/ports/semihosting.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "identity.hpp"
#include "thermometer.hpp"

namespace {

constinit mcp::MqttStorage<thermometer::shape> mqtt_storage;

mcp::lwip::DialedConnection connections[1];
mcp::mbedtls::DialedTlsConnection secured[1];
alignas(8) std::byte arena[THERMOMETER_ARENA];

void say(std::string_view text) {
  while (!text.empty()) text.remove_prefix(board::uart0().write(text).size);
}

constexpr std::string_view id_prefix = "thermometer-";
char id[id_prefix.size() + 12];

// Returns `thermometer-525400123456` for the address 52:54:00:12:34:56.
std::string_view client_id(mcp::Ethernet::Address address) {
  char* at = std::copy(id_prefix.begin(), id_prefix.end(), id);
  for (const std::uint8_t byte : address) {
    *at++ = "0123456789abcdef"[byte >> 4];
    *at++ = "0123456789abcdef"[byte & 15];
  }
  return {id, sizeof id};
}

// Prints when the device is found by clients, and why not.
void print_state(const mcp::MqttTransport& transport) {
  using State = mcp::MqttTransport::State;
  static State printed = State::waiting;
  const State state = transport.state();
  if (state == printed || state == State::connecting) return;
  printed = state;
  say({id, sizeof id});
  say(state == State::online ? ": online" : ": offline, because ");
  if (state != State::online) say(transport.problem());
  say("\r\n");
}

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
  if (!tls.ok()) {
    say("the certificate cannot be used\r\n");
    return 1;
  }
  mcp::lwip::Network network(board::ethernet(), entropy, board::millis());
  network.use_dhcp();
  mcp::lwip::TcpDialer dialer(network, connections);
  mcp::mbedtls::TlsDialer secured_dialer(dialer, secured, tls);
  constexpr mcp::MqttBroker brokers[] = {{.host = THERMOMETER_BROKER, .port = 8883}};
  const mcp::MqttOptions options{.brokers = brokers,
                                 .server_id = client_id(board::ethernet().address()),
                                 .server_name = THERMOMETER_SERVICE,
                                 .description = "Measures the temperature of a board."};
  mcp::MqttTransport transport{thermometer::server, secured_dialer, entropy, mqtt_storage, options};
  for (;;) {
    const mcp::Millis sample_ms = thermometer::sample(board::millis());
    // The network has no address yet, so no broker can be reached.
    const mcp::Millis work_ms = network.ready() ? transport.poll(board::millis()) : mcp::forever;
    const mcp::Millis network_ms = network.poll(board::millis());
    const mcp::Millis handshake_ms = secured_dialer.poll();
    print_state(transport);
    board::wait_for_event(std::min({sample_ms, work_ms, network_ms, handshake_ms}));
  }
}
