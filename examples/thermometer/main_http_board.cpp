// SPDX-License-Identifier: Apache-2.0
// The thermometer on a board, for two clients over HTTP: at the address from DHCP, port 80, and under its name in the
// local network, thermometer.local. UART0 prints the address. The emulated boards have no random source, so this image
// uses the one of the emulator's or debugger's host. A real board needs another source in place of HostEntropy.
#include <mcp/http_transport.hpp>
#include <mcp/ports/board.hpp>
#include <mcp/ports/lwip_mdns.hpp>
#include <mcp/ports/lwip_tcp.hpp>
#include <mcp/ports/semihosting.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "thermometer.hpp"

namespace {

// A client has a connection for its requests and one for its notifications. No tool is a job, so no call can outlive
// its connection.
constexpr mcp::HttpLimits http_limits{.connections = 3, .head_size = 768, .detached = 0};
constinit mcp::HttpStorage<thermometer::shape, http_limits> http_storage;

// One more, so that the server sees that a client waits.
mcp::lwip::TcpConnection connections[http_limits.connections + 1];
static_assert(std::size(connections) <= MOTE_LWIP_CONNECTIONS);

// In the network of the emulator it is reached through a port of the host, under the names of that: they are allowed
// when there is no list. In any other it is reached at its address, and by its name.
constexpr std::string_view emulated_address = "10.0.2.15";

class Site {
 public:
  mcp::HttpOptions options;

  void look_at(const mcp::lwip::Network& network, const mcp::lwip::MdnsResponder& responder) {
    const bool has_changed = update_address(network) || update_name(responder);
    if (!has_changed) return;
    const std::size_t names = names_[1].empty() ? 1 : 2;
    options.hosts = std::span(names_, names_[0] == emulated_address ? 0 : names);
  }

 private:
  // Returns whether the address has changed, and prints a new one.
  bool update_address(const mcp::lwip::Network& network) {
    char text[16];
    const std::string_view address = network.ready() ? network.address(text) : std::string_view();
    if (address == names_[0]) return false;
    names_[0] = std::string_view(address_, address.copy(address_, sizeof address_));
    print(address.empty() ? "(no address)" : names_[0]);
    return true;
  }

  // Returns whether the name has changed, and prints a new one.
  bool update_name(const mcp::lwip::MdnsResponder& responder) {
    const bool is_announced = responder.is_announced();
    if (is_announced != names_[1].empty()) return false;
    names_[1] = {};
    if (!is_announced) return true;
    const std::size_t size = responder.host().copy(host_, sizeof host_ - domain.size());
    names_[1] = std::string_view(host_, size + domain.copy(host_ + size, domain.size()));
    print(names_[1]);
    return true;
  }

  static void print(std::string_view name) {
    say("listening on http://");
    say(name);
    say("/mcp\r\n");
  }
  static void say(std::string_view text) {
    while (!text.empty()) text.remove_prefix(board::uart0().write(text).size);
  }

  static constexpr std::string_view domain = ".local";
  char address_[16] = {};
  char host_[24] = {};
  std::string_view names_[2];
};

}  // namespace

int main() {
  board::HostEntropy entropy;
  mcp::lwip::Network network(board::ethernet(), entropy, board::millis());
  network.use_dhcp();
  mcp::lwip::MdnsResponder responder(network, {.host = "thermometer", .name = "Thermometer", .port = 80});
  mcp::lwip::TcpListener listener(network, connections, 80);
  Site site;
  mcp::HttpTransport transport{thermometer::server, listener, entropy, http_storage, site.options};
  for (;;) {
    const mcp::Millis sample_ms = thermometer::sample(board::millis());
    const mcp::Millis work_ms = transport.poll(board::millis());
    const mcp::Millis network_ms = network.poll(board::millis());
    site.look_at(network, responder);
    board::wait_for_event(std::min({sample_ms, work_ms, network_ms}));
  }
}
