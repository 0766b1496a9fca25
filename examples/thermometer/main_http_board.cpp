// SPDX-License-Identifier: Apache-2.0
// The thermometer on a board, for two clients over HTTP: at the address from DHCP, port 80, and under its name in the
// local network, thermometer.local. UART0 prints the address. The emulated boards have no random source, so this image
// uses the one of the emulator's or debugger's host. A real board needs another source in place of HostEntropy.
#include <mcp/http_page.hpp>
#include <mcp/http_transport.hpp>
#include <mcp/ports/board.hpp>
#include <mcp/ports/lwip_mdns.hpp>
#include <mcp/ports/lwip_network.hpp>
#include <mcp/ports/lwip_tcp.hpp>
#include <mcp/ports/semihosting.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "thermometer.hpp"

namespace {

// A client has a connection for its requests and one for its notifications. No tool is a job, so no call can outlive
// its connection.
constexpr mcp::HttpLimits http_limits{.connections = 3, .head_size = 768, .detached = 0};
constinit mcp::HttpStorage<thermometer::shape, http_limits> http_storage;

// A page for browsers takes 13 KB of flash.
#ifdef THERMOMETER_PAGE
constexpr mcp::HttpPage page_of_device;
constexpr const mcp::HttpPage* page = &page_of_device;
#else
constexpr const mcp::HttpPage* page = nullptr;
#endif

// One more, so that the server sees that a client waits.
mcp::lwip::TcpConnection connections[http_limits.connections + 1];
static_assert(std::size(connections) <= MOTE_LWIP_CONNECTIONS);

// Prints the URL of each new address or name.
class Url {
 public:
  void print_new(std::string_view host) {
    if (host == std::string_view(host_, size_)) return;
    size_ = host.copy(host_, sizeof host_);
    if (host.empty()) return;
    for (const std::string_view text : {std::string_view("listening on http://"), host, std::string_view("/mcp\r\n")})
      say(text);
  }

 private:
  static void say(std::string_view text) {
    while (!text.empty()) text.remove_prefix(board::uart0().write(text).size);
  }

  char host_[24] = {};
  std::size_t size_ = 0;
};

// The objects of the network are static: main() never returns, and its stack is the stack of all calls. Each is
// constructed after those above it.
board::HostEntropy entropy;
mcp::lwip::Network network(board::ethernet(), entropy, board::millis());
mcp::lwip::MdnsResponder responder(network, {.host = "thermometer", .name = "Thermometer", .port = 80});
mcp::lwip::TcpListener listener(network, connections, 80);

}  // namespace

int main() {
  network.use_dhcp();
  // Clients may also use the address, which needs no name.
  const mcp::HttpOptions options{.hosts = responder.hosts(), .page = page};
  mcp::HttpTransport transport{thermometer::server, listener, entropy, http_storage, options};
  Url address;
  Url name;
  for (;;) {
    const mcp::Millis sample_ms = thermometer::sample(board::millis());
    const mcp::Millis work_ms = transport.poll(board::millis());
    const mcp::Millis network_ms = network.poll(board::millis());
    char text[16];
    address.print_new(network.ready() ? network.address(text) : std::string_view());
    name.print_new(responder.hosts()[0]);
    board::wait_for_event(std::min({sample_ms, work_ms, network_ms}));
  }
}
