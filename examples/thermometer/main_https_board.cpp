// SPDX-License-Identifier: Apache-2.0
// The thermometer on a board over HTTPS: at the address from DHCP, port 443. UART0 prints the address, and the most TLS
// memory in use so far. Certificate and key are constants of the image (identity.hpp, CMakeLists). The emulated boards
// have neither a random source nor a calendar, so this image uses those of the emulator's or debugger's host. A real
// board needs other sources in place of HostEntropy and HostWallClock.
#include <mcp/http_transport.hpp>
#include <mcp/ports/board.hpp>
#include <mcp/ports/lwip_network.hpp>
#include <mcp/ports/lwip_tcp.hpp>
#include <mcp/ports/mbedtls_arena.hpp>
#include <mcp/ports/mbedtls_tls.hpp>
#include <mcp/ports/semihosting.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "identity.hpp"
#include "thermometer.hpp"

namespace {

// A client has a connection for its requests and one for its notifications. No tool is a job, so no call can outlive
// its connection.
constexpr mcp::HttpLimits http_limits{.connections = 3, .head_size = 768, .detached = 0};
constinit mcp::HttpStorage<thermometer::shape, http_limits> http_storage;

// A client may send a request in one record.
static_assert(http_limits.head_size + thermometer::receive_size <= mcp::mbedtls::most_record);

// One more, for a client that makes its handshake while all others are served.
mcp::mbedtls::TlsConnection secured[http_limits.connections + 1];
mcp::lwip::TcpConnection connections[std::size(secured)];
static_assert(std::size(connections) <= MOTE_LWIP_CONNECTIONS);

// For all connections at the same time, two of them in their handshake: ports/mbedtls/README.md.
alignas(8) std::byte arena[THERMOMETER_ARENA];

void say(std::string_view text) {
  while (!text.empty()) text.remove_prefix(board::uart0().write(text).size);
}

void say(std::size_t number) {
  char digits[10];
  say(std::string_view(digits, std::to_chars(digits, std::end(digits), number).ptr));
}

// Prints each new maximum of the arena in use.
void print_arena() {
  static std::size_t printed;
  const mcp::mbedtls::ArenaUse use = mcp::mbedtls::arena_use();
  if (use.high_water == printed) return;
  printed = use.high_water;
  say("TLS memory: ");
  say(use.high_water);
  say(" of ");
  say(use.size);
  say("\r\n");
}

// Prints the URL when the board gets an address or loses it.
void print_address(const mcp::lwip::Network& network) {
  static bool was_ready;
  if (network.ready() == was_ready) return;
  was_ready = network.ready();
  char text[16];
  say("listening on https://");
  say(was_ready ? network.address(text) : "(no address)");
  say("/mcp\r\n");
}

}  // namespace

int main() {
  board::HostEntropy entropy;
  board::HostWallClock calendar;
  mcp::mbedtls::set_arena(arena);
  mcp::mbedtls::TlsServer tls({.certificates = identity::certificates,
                               .key = identity::key,
                               .client_authorities = identity::client_authorities,
                               .clock = &calendar},
                              entropy);
  if (!tls.ok()) {
    say("the certificate cannot be used\r\n");
    return 1;
  }
  mcp::lwip::Network network(board::ethernet(), entropy, board::millis());
  network.use_dhcp();
  mcp::lwip::TcpListener listener(network, connections, 443);
  mcp::mbedtls::TlsListener secured_listener(listener, secured, tls);
  // Clients use the address. For a name of the certificate, add the name to HttpOptions::hosts.
  const mcp::HttpOptions options;
  mcp::HttpTransport transport{thermometer::server, secured_listener, entropy, http_storage, options};
  for (;;) {
    const mcp::Millis sample_ms = thermometer::sample(board::millis());
    const mcp::Millis work_ms = transport.poll(board::millis());
    const mcp::Millis network_ms = network.poll(board::millis());
    const mcp::Millis handshakes_ms = secured_listener.poll(board::millis(), std::min(work_ms, network_ms));
    print_address(network);
    print_arena();
    board::wait_for_event(std::min({sample_ms, work_ms, network_ms, handshakes_ms}));
  }
}
