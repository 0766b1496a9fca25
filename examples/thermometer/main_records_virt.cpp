// SPDX-License-Identifier: Apache-2.0
// The thermometer on a board with a flash for records: over HTTP with a token that is set over UART0. The emulated
// board has no random source, so this image uses the one of the emulator's host. A real board needs another source in
// place of HostEntropy.
#include <mcp/http_transport.hpp>
#include <mcp/ports/flash_records.hpp>
#include <mcp/ports/lwip_mdns.hpp>
#include <mcp/ports/lwip_network.hpp>
#include <mcp/ports/lwip_tcp.hpp>
#include <mcp/ports/semihosting.hpp>
#include <mcp/ports/virt.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>
#include <cstddef>
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

// The address at which clients reach the server, for the one on the wire.
void show_url(const mcp::lwip::Network& network) {
  constexpr std::string_view begin = "http://";
  constexpr std::string_view end = "/mcp";
  char address[16];
  const std::string_view host = network.ready() ? network.address(address) : std::string_view();
  char url[begin.size() + sizeof address + end.size()];
  std::size_t size = begin.copy(url, begin.size());
  size += host.copy(url + size, host.size());
  size += end.copy(url + size, end.size());
  provisioning::set_url(host.empty() ? std::string_view() : std::string_view(url, size));
}

}  // namespace

int main() {
  mcp::FlashRecords records(board::flash(), unit);
  provisioning::begin(records);
  board::HostEntropy entropy;
  mcp::lwip::Network network(board::ethernet(), entropy, board::millis());
  network.use_dhcp();
  mcp::lwip::MdnsResponder responder(network, {.host = provisioning::host_name(), .name = "Thermometer", .port = 80});
  mcp::lwip::TcpListener listener(network, connections, 80);
  const mcp::HttpOptions options{.hosts = responder.hosts(), .authorizer = &provisioning::tokens};
  mcp::HttpTransport http{thermometer::server, listener, entropy, http_storage, options};
  mcp::StdioTransport wire{provisioning::server, board::uart0()};
  for (;;) {
    const mcp::Millis wire_ms = wire.poll(board::millis());
    wire.wipe();
    board::wipe_uart0();
    const mcp::Millis tokens_ms = provisioning::apply(http, board::millis());
    const mcp::Millis sample_ms = thermometer::sample(board::millis());
    const mcp::Millis http_ms = http.poll(board::millis());
    const mcp::Millis network_ms = network.poll(board::millis());
    show_url(network);
    board::wait_for_event(std::min({wire_ms, tokens_ms, sample_ms, http_ms, network_ms}));
  }
}
