// SPDX-License-Identifier: Apache-2.0
// An LED and the state of a board with 8 KB of RAM, over its UART. Only the include of the board names it.
#include <mcp/ports/stm32vldiscovery.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include <cstdint>

namespace {

mcp::Errc read_state(mcp::ReadResult& out) {
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.member("led", board::led());
  json.member("uptime_ms", board::millis());
  json.member("stack_bytes", static_cast<std::uint32_t>(board::stack_high_water()));
  json.object_end();
  return mcp::Errc::ok;
}

constexpr mcp::Resource resources[] = {{.uri = "board://state",
                                        .name = "state",
                                        .title = "State",
                                        .description = "The LED, the time since start-up, the largest stack use.",
                                        .mime_type = "application/json",
                                        .read = read_state,
                                        .subscribable = true}};

struct SetLed {
  bool on;
};

mcp::Errc set_led(const SetLed& arguments, mcp::Call& call);

constexpr auto set_led_params = mcp::params(mcp::param<&SetLed::on>("on", {.description = "Whether it lights"}));
constexpr mcp::Tool tools[] = {
    mcp::tool<set_led>({.name = "set_led", .description = "Switches the green LED."}, set_led_params)};

constexpr mcp::Definition definition{.name = "own-board", .version = "1.0.0", .tools = tools, .resources = resources};
constexpr mcp::Limits limits{.receive_size = 2048, .transmit_size = 1024, .sessions = 1};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage, {.boot_id = board::boot_id}};

mcp::Errc set_led(const SetLed& arguments, mcp::Call& call) {
  if (board::led() != arguments.on) {
    board::led(arguments.on);
    server.resource_updated(resources[0]);
  }
  return call.result().text("The LED is ", arguments.on ? "on." : "off.");
}

}  // namespace

int main() {
  mcp::StdioTransport transport{server, board::uart0()};
  for (;;) board::wait_for_event(transport.poll(board::millis()));
}
