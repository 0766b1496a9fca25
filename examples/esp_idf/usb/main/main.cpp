// SPDX-License-Identifier: Apache-2.0
// An LM75 and an LED for AI clients on a USB cable. Clients read the resource sensor://room, subscribe to it, call the
// tool `read_room`, and switch the LED.
//
// For a BME280: #include <mcp/devices/bme280.hpp>, and mcp::Bme280 with the address 0x76.
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sensor_rows.hpp>
#include <mcp/history.hpp>
#include <mcp/ports/esp_idf.hpp>
#include <mcp/read_tools.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "board.hpp"

namespace {

// The sensor, and its rows.
constexpr mcp::MeasureOptions each_second{.now = mcp::esp_idf::millis, .interval_ms = 1000};
constinit mcp::Measured<mcp::Lm75, each_second> room{board::bus, 0x48};
constexpr mcp::HistoryOptions celsius =
    mcp::history_options<mcp::Lm75>(mcp::Lm75::temperature, {.now = mcp::esp_idf::millis, .notify_above = 30});
constinit mcp::History<celsius, 60> temperatures;
constexpr mcp::Resource resources[] = {
    mcp::sensor<room>({.uri = "sensor://room", .name = "room", .subscribable = true, .as_tool = true}),
    mcp::history<temperatures>({.uri = "sensor://room/history", .name = "room_history", .subscribable = true})};
constexpr mcp::SensorRow rows[] = {{&room, &resources[0]},
                                   {&room, &resources[1], mcp::add_to<temperatures, mcp::Lm75::temperature>}};

// The tool.
struct SetLed {
  bool on;
};
mcp::Errc set_led(const SetLed& arguments, mcp::Call& call) {
  board::set_led(arguments.on);
  return call.result().text("The LED is ", std::string_view(arguments.on ? "on" : "off"), ".");
}
constexpr auto set_led_params = mcp::params(mcp::param<&SetLed::on>("on", {.description = "true to switch it on"}));
constexpr mcp::Tool tools[] = {mcp::tool<set_led>(
    {.name = "set_led", .title = "LED", .description = "Switch the LED on or off."}, set_led_params)};

constexpr mcp::Definition definition{.name = "thermometer",
                                     .version = "1.0.0",
                                     .tools = mcp::tools_of<tools, resources>,
                                     .resources = resources,
                                     .subscriptions = true};
constexpr mcp::Limits limits{.receive_size = 1024, .transmit_size = 2048, .subscriptions = 2};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage, {.boot_id = mcp::esp_idf::boot_id}};

}  // namespace

extern "C" void app_main() {
  mcp::StdioTransport transport{server, board::open_stream()};
  board::start_watchdog();
  while (!transport.closed()) {
    board::feed_watchdog();
    const mcp::Millis sensors_ms = mcp::poll_sensors(rows, server);
    const mcp::Millis work_ms = transport.poll(mcp::esp_idf::millis());
    mcp::esp_idf::wait_for_event(std::min({sensors_ms, work_ms, board::longest_sleep_ms}));
  }
  std::exit(0);  // at the end of stdin; the streams of a chip have none
}
