// SPDX-License-Identifier: Apache-2.0
// The tables of the server: what clients can read, and what a model can do. Add your rows here.
#include "server.hpp"

#include <mcp/read_tools.hpp>

#include "device.hpp"

namespace {

// The sensor: a resource, and for hosts without resources the tool read_temperature.
struct Temperature {
  float celsius;
};
constexpr auto temperature_output =
    mcp::output(mcp::param<&Temperature::celsius>("celsius", {.minimum = -55, .maximum = 150}));

mcp::Errc read_temperature(Temperature& out) {
  return read_celsius(out.celsius) ? mcp::Errc::ok : mcp::Errc::unavailable;
}

constexpr mcp::Resource resources[] = {
    mcp::resource<read_temperature, temperature_output>({.uri = "sensor://temperature",
                                                         .name = "temperature",
                                                         .title = "Temperature",
                                                         .description = "The temperature in degrees Celsius.",
                                                         .as_tool = true})};

// A tool: the struct is the argument list, and its table the schema.
struct SetLed {
  bool on;
};
constexpr auto set_led_params = mcp::params(mcp::param<&SetLed::on>("on", {.description = "Whether it lights"}));

mcp::Errc switch_led(const SetLed& arguments, mcp::Call& call) {
  set_led(arguments.on);
  return call.result().text("The LED is ", arguments.on ? "on." : "off.");
}

constexpr mcp::Tool tools[] = {
    mcp::tool<switch_led>({.name = "set_led", .description = "Switches the LED of the board."}, set_led_params)};

constexpr mcp::Definition definition{
    .name = "@name@", .version = "0.1.0", .tools = mcp::tools_of<tools, resources>, .resources = resources};
constexpr mcp::Limits limits{.receive_size = 2048, .transmit_size = 1024, .sessions = 1};
constinit mcp::Storage<definition, limits> storage;

}  // namespace

constinit const mcp::Server server{storage, {.boot_id = boot_id}};
