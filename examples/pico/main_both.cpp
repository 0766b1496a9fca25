// SPDX-License-Identifier: Apache-2.0
// Two servers on one Raspberry Pi Pico: the thermometer on USB, and the state of the wire on UART0 (GPIO 0 transmits,
// GPIO 1 receives).
#include <mcp/ports/pico.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

#include "thermometer.hpp"

namespace {

mcp::pico::Uart& uart() {
  static mcp::pico::Uart wire(uart0, 0, 1);
  return wire;
}

mcp::Errc read_errors(mcp::ReadResult& out) {
  const mcp::pico::UartErrors errors = uart().errors();
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.member("framing", errors.framing);
  json.member("breaks", errors.breaks);
  json.member("overrun", errors.overrun);
  json.object_end();
  return mcp::Errc::ok;
}

constexpr mcp::Resource resources[] = {{.uri = "device://uart",
                                        .name = "uart",
                                        .title = "UART",
                                        .description = "Errors on the receive line since start-up.",
                                        .mime_type = "application/json",
                                        .read = read_errors}};
constexpr mcp::Definition definition{.name = "thermometer-wire", .version = "1.0.0", .resources = resources};
constexpr mcp::Limits limits{.receive_size = 2048, .transmit_size = 512};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage, {.boot_id = mcp::pico::boot_id}};

}  // namespace

int main() {
  mcp::StdioTransport on_usb{thermometer::server, mcp::pico::usb()};
  mcp::StdioTransport on_uart{server, uart()};
  for (;;) {
    const mcp::Millis sample_ms = thermometer::sample(mcp::pico::millis());
    const mcp::Millis usb_ms = on_usb.poll(mcp::pico::millis());
    const mcp::Millis uart_ms = on_uart.poll(mcp::pico::millis());
    mcp::pico::wait_for_event(std::min({sample_ms, usb_ms, uart_ms}));
  }
}
