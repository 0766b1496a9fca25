// SPDX-License-Identifier: Apache-2.0
// The thermometer on a board with a flash for records: over HTTP with a token that is set over UART0. The emulated
// board has no random source, so this image uses the one of the emulator's host. A real board needs another source in
// place of HostEntropy.
#include <mcp/http_transport.hpp>
#include <mcp/ports/flash_records.hpp>
#include <mcp/ports/lwip_mdns.hpp>
#include <mcp/ports/lwip_tcp.hpp>
#include <mcp/ports/semihosting.hpp>
#include <mcp/ports/virt.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "provisioning.hpp"
#include "thermometer.hpp"

namespace {

constexpr mcp::HttpLimits http_limits{.connections = 3, .head_size = 768, .detached = 0};
constinit mcp::HttpStorage<thermometer::shape, http_limits> http_storage;

// One more, so that the server sees that a client waits.
mcp::lwip::TcpConnection connections[http_limits.connections + 1];
static_assert(std::size(connections) <= MOTE_LWIP_CONNECTIONS);

std::uint8_t unit[4];

// The hosts that a request may name. In the network of the emulator, a port of the host leads to the board, under names
// of the host: these are allowed without a list.
class Hosts {
 public:
  mcp::HttpOptions options{.authorizer = &provisioning::tokens};

  void update(const mcp::lwip::Network& network) {
    char text[16];
    const std::string_view address = network.ready() ? network.address(text) : std::string_view();
    if (address == names_[0]) return;
    names_[0] = {address_, address.copy(address_, sizeof address_)};
    names_[1] = join(provisioning::host_name(), ".local", name_);
    const bool is_emulated = address == "10.0.2.15";
    options.hosts = std::span(names_, address.empty() || is_emulated ? 0 : 2);
    char url[64];
    provisioning::set_url(address.empty() ? std::string_view() : join("http://", address, url, "/mcp"));
  }

 private:
  template <std::size_t N>
  static std::string_view join(std::string_view first, std::string_view second, char (&into)[N],
                               std::string_view third = {}) {
    std::size_t size = first.copy(into, N);
    size += second.copy(into + size, N - size);
    return {into, size + third.copy(into + size, N - size)};
  }

  char address_[16] = {};
  char name_[32] = {};
  std::string_view names_[2];
};

}  // namespace

int main() {
  mcp::FlashRecords records(board::flash(), unit);
  provisioning::begin(records);
  board::HostEntropy entropy;
  mcp::lwip::Network network(board::ethernet(), entropy, board::millis());
  network.use_dhcp();
  mcp::lwip::MdnsResponder responder(network, {.host = provisioning::host_name(), .name = "Thermometer", .port = 80});
  mcp::lwip::TcpListener listener(network, connections, 80);
  Hosts hosts;
  mcp::HttpTransport http{thermometer::server, listener, entropy, http_storage, hosts.options};
  mcp::StdioTransport wire{provisioning::server, board::uart0()};
  for (;;) {
    const mcp::Millis wire_ms = wire.poll(board::millis());
    wire.wipe();
    board::wipe_uart0();
    const mcp::Millis tokens_ms = provisioning::apply(http, board::millis());
    const mcp::Millis sample_ms = thermometer::sample(board::millis());
    const mcp::Millis http_ms = http.poll(board::millis());
    const mcp::Millis network_ms = network.poll(board::millis());
    hosts.update(network);
    board::wait_for_event(std::min({wire_ms, tokens_ms, sample_ms, http_ms, network_ms}));
  }
}
