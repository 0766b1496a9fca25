// SPDX-License-Identifier: Apache-2.0
// everything.cpp on an emulated board, over HTTP at port 80 of the address from DHCP; UART0 prints the address.
#include <mcp/http_transport.hpp>
#include <mcp/ports/board.hpp>
#include <mcp/ports/lwip_network.hpp>
#include <mcp/ports/lwip_tcp.hpp>

#include <algorithm>

#include "everything.hpp"

namespace {

// Of the 64 KB of the smallest board these are the most.
constexpr mcp::HttpLimits http_limits{.connections = 7, .head_size = 1024, .replay_size = 2048};
constinit mcp::HttpStorage<everything::shape, http_limits> http_storage;
mcp::lwip::TcpConnection connections[http_limits.connections + 1];
static_assert(std::size(connections) <= MOTE_LWIP_CONNECTIONS);

void say(std::string_view text) {
  while (!text.empty()) text.remove_prefix(board::uart0().write(text).size);
}

}  // namespace

int main() {
  everything::Entropy entropy;
  mcp::lwip::Network network(board::ethernet(), entropy, board::millis());
  network.use_dhcp();
  mcp::lwip::TcpListener listener(network, connections, 80);
  static constexpr mcp::HttpOptions options{};
  mcp::HttpTransport transport{everything::server, listener, entropy, http_storage, options};
  bool said = false;
  for (;;) {
    const mcp::Millis work_ms = transport.poll(board::millis());
    const mcp::Millis network_ms = network.poll(board::millis());
    if (!said && network.ready()) {
      say("ready\r\n");
      said = true;
    }
    board::wait_for_event(std::min(work_ms, network_ms));
  }
}
