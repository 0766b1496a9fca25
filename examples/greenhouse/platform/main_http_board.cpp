// SPDX-License-Identifier: Apache-2.0
// The greenhouse on a board over HTTP, with two tokens: at the address from DHCP, port 80. UART0 prints the address.
// The tokens are constants of the build. A product sets them over a wire: see thermometer_records. The emulated boards
// have no random source: a real board needs another one in place of HostEntropy.
#include <mcp/http_transport.hpp>
#include <mcp/ports/board.hpp>
#include <mcp/ports/lwip_network.hpp>
#include <mcp/ports/lwip_tcp.hpp>
#include <mcp/ports/semihosting.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "server.hpp"

namespace {

constexpr mcp::HttpLimits http_limits{.connections = 3, .head_size = 768};
constinit mcp::HttpStorage<greenhouse::shape, http_limits> http_storage;

// One more, so that the server sees that a client waits.
mcp::lwip::TcpConnection connections[http_limits.connections + 1];
static_assert(std::size(connections) <= MOTE_LWIP_CONNECTIONS);

// The first token has no scope, so it reads. The second one has all scopes.
constexpr mcp::StaticToken tokens[] = {{.token = GREENHOUSE_READER, .scopes = ""}, {.token = GREENHOUSE_OPERATOR}};

void say(std::string_view text) {
  while (!text.empty()) text.remove_prefix(board::uart0().write(text).size);
}

// Prints the URL when the board gets an address.
void print_address(const mcp::lwip::Network& network) {
  static bool was_ready;
  if (network.ready() == was_ready) return;
  was_ready = network.ready();
  if (!was_ready) return;
  char text[16];
  say("listening on http://");
  say(network.address(text));
  say("/mcp\r\n");
}

}  // namespace

int main() {
  board::HostEntropy entropy;
  mcp::lwip::Network network(board::ethernet(), entropy, board::millis());
  network.use_dhcp();
  mcp::lwip::TcpListener listener(network, connections, 80);
  mcp::ScopedTokens authorizer{tokens};
  const mcp::HttpOptions options{.authorizer = &authorizer};
  mcp::HttpTransport transport{greenhouse::server, listener, entropy, http_storage, options};
  for (;;) {
    const mcp::Millis greenhouse_ms = greenhouse::poll(board::millis());
    const mcp::Millis work_ms = transport.poll(board::millis());
    const mcp::Millis network_ms = network.poll(board::millis());
    print_address(network);
    board::wait_for_event(std::min({greenhouse_ms, work_ms, network_ms}));
  }
}
