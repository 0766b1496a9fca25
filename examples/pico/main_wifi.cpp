// SPDX-License-Identifier: Apache-2.0
// The thermometer on a Raspberry Pi Pico W, over HTTP in a Wi-Fi network: at the address from DHCP, port 80, and under
// its name, thermometer.local. Clients need the token. UART0 (GPIO 0) prints the state of the link and the URL.
//
// The image contains neither network nor token. `mote-attach provision` stores them over USB (wifi_setup.cpp), and they
// stay in the last sectors of the flash. The board joins the network again for ever.
#include <mcp/http_transport.hpp>
#include <mcp/ports/flash_records.hpp>
#include <mcp/ports/lwip_mdns.hpp>
#include <mcp/ports/lwip_tcp.hpp>
#include <mcp/ports/pico.hpp>
#include <mcp/ports/pico_flash.hpp>
#include <mcp/ports/pico_wifi.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "thermometer.hpp"
#include "wifi_setup.hpp"

namespace {

// A client has a connection for its requests and one for its notifications.
constexpr mcp::HttpLimits http_limits{.connections = 3, .head_size = 768, .detached = 0};
constinit mcp::HttpStorage<thermometer::shape, http_limits> http_storage;

// One more, so that the server sees that a client waits.
mcp::lwip::TcpConnection connections[http_limits.connections + 1];
static_assert(std::size(connections) <= MOTE_LWIP_CONNECTIONS);

// The settings outlive a reset here, also a new image.
constinit mcp::pico::ChipFlash flash;
std::uint8_t page[mcp::pico::ChipFlash::page_size];

// Prints each change of the link, and the URL of each new address.
class Status {
 public:
  explicit Status(mcp::ByteStream& uart) : uart_(&uart) {}

  void print_new(const mcp::pico::Wifi& wifi) {
    const std::string_view reason = wifi_setup::reason(wifi);
    if (!reason.empty() && reason != reason_) {
      for (const std::string_view text : {std::string_view("wifi: "), reason, std::string_view("\r\n")}) say(text);
    }
    reason_ = reason;
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
  std::string_view reason_ = {};  // of a literal
  char host_[16] = {};
  std::size_t size_ = 0;
};

}  // namespace

int main() {
  mcp::FlashRecords records(flash, page);
  wifi_setup::begin(records);
  mcp::pico::Uart uart(uart0, 0, 1);
  mcp::pico::SdkEntropy entropy;
  mcp::pico::Wifi wifi(entropy, {.host_name = wifi_setup::host_name()});
  mcp::lwip::MdnsResponder responder(
      wifi,
      {.host = wifi_setup::host_name(), .name = "Thermometer", .authorization = mcp::lwip::Authorization::bearer});
  mcp::lwip::TcpListener listener(wifi, connections, 80);
  const mcp::HttpOptions options{.hosts = responder.hosts(), .authorizer = &wifi_setup::tokens};
  mcp::HttpTransport http{thermometer::server, listener, entropy, http_storage, options};
  mcp::StdioTransport usb{wifi_setup::server, mcp::pico::usb()};
  Status status(uart);
  wifi_setup::apply(wifi, http, mcp::pico::millis());
  for (;;) {
    const mcp::Millis usb_ms = usb.poll(mcp::pico::millis());
    usb.wipe();
    wifi_setup::apply(wifi, http, mcp::pico::millis());
    const mcp::Millis sample_ms = thermometer::sample(mcp::pico::millis());
    const mcp::Millis http_ms = http.poll(mcp::pico::millis());
    const mcp::Millis wifi_ms = wifi.poll(mcp::pico::millis());
    status.print_new(wifi);
    wifi.wait_for_event(std::min({usb_ms, sample_ms, http_ms, wifi_ms}));
  }
}
