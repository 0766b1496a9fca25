// SPDX-License-Identifier: Apache-2.0
// The thermometer on a Raspberry Pi Pico W, over HTTP in a Wi-Fi network: at the address from DHCP, port 80, and under
// its name, thermometer.local. Clients need the token. UART0 (GPIO 0) prints the state of the link and the URL.
#include <mcp/http_transport.hpp>
#include <mcp/ports/lwip_mdns.hpp>
#include <mcp/ports/lwip_tcp.hpp>
#include <mcp/ports/pico.hpp>
#include <mcp/ports/pico_wifi.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "thermometer.hpp"
#include "wifi_network.hpp"  // written by CMake

namespace {

using mcp::pico::WifiError;

// A client has a connection for its requests and one for its notifications.
constexpr mcp::HttpLimits http_limits{.connections = 3, .head_size = 768, .detached = 0};
constinit mcp::HttpStorage<thermometer::shape, http_limits> http_storage;

// One more, so that the server sees that a client waits.
mcp::lwip::TcpConnection connections[http_limits.connections + 1];
static_assert(std::size(connections) <= MOTE_LWIP_CONNECTIONS);

std::string_view text_of(WifiError error) {
  switch (error) {
    case WifiError::none: return "joining";
    case WifiError::no_network: return "no network with this SSID";
    case WifiError::rejected: return "rejected; is the passphrase right?";
    case WifiError::failed: return "could not join";
    case WifiError::timed_out: return "the access point does not respond";
    case WifiError::lost: return "link lost";
    case WifiError::radio: return "the radio does not work";
  }
  return {};
}

// Prints each change of the link, and the URL of each new address.
class Status {
 public:
  explicit Status(mcp::ByteStream& uart) : uart_(&uart) {}

  void print_new(const mcp::pico::Wifi& wifi) {
    const bool is_up = wifi.state() == mcp::pico::WifiState::joined;
    if (!is_up && (is_first_ || wifi.error() != error_)) {
      for (const std::string_view text : {std::string_view("wifi: "), text_of(wifi.error()), std::string_view("\r\n")})
        say(text);
      is_first_ = false;
    }
    error_ = wifi.error();
    char address[16];
    const std::string_view host = wifi.ready() ? wifi.address(address) : std::string_view();
    if (host == std::string_view(host_, size_)) return;
    size_ = host.copy(host_, sizeof host_);
    if (host.empty()) return;
    for (const std::string_view text : {std::string_view("listening on http://"), host, std::string_view("/mcp\r\n")})
      say(text);
  }

 private:
  void say(std::string_view text) {
    while (!text.empty()) text.remove_prefix(uart_->write(text).size);
  }

  mcp::ByteStream* uart_;
  bool is_first_ = true;
  WifiError error_ = WifiError::none;
  char host_[16] = {};
  std::size_t size_ = 0;
};

}  // namespace

int main() {
  mcp::pico::Uart uart(uart0, 0, 1);
  mcp::pico::SdkEntropy entropy;
  mcp::pico::Wifi wifi(entropy, {.host_name = "thermometer"});
  wifi.join(wifi_network::ssid, wifi_network::passphrase);
  mcp::lwip::MdnsResponder responder(
      wifi, {.host = "thermometer", .name = "Thermometer", .authorization = mcp::lwip::Authorization::bearer});
  mcp::lwip::TcpListener listener(wifi, connections, 80);
  mcp::StaticTokens tokens({&wifi_network::token, 1});
  const mcp::HttpOptions options{.hosts = responder.hosts(), .authorizer = &tokens};
  mcp::HttpTransport transport{thermometer::server, listener, entropy, http_storage, options};
  Status status(uart);
  for (;;) {
    const mcp::Millis sample_ms = thermometer::sample(mcp::pico::millis());
    const mcp::Millis work_ms = transport.poll(mcp::pico::millis());
    const mcp::Millis wifi_ms = wifi.poll(mcp::pico::millis());
    status.print_new(wifi);
    wifi.wait_for_event(std::min({sample_ms, work_ms, wifi_ms}));
  }
}
