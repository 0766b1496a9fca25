// SPDX-License-Identifier: Apache-2.0
// A server of the size that a device has: two tools, two resources, one session.
#include "small.hpp"

#include <cstdint>

namespace small {
namespace {

std::int32_t percent = 0;

struct SetLed {
  std::int32_t percent;
  bool blinks;
};
mcp::Errc set_led(const SetLed& arguments, mcp::Call& call) {
  percent = arguments.percent;
  return call.result().text("The LED is at ", arguments.percent, arguments.blinks ? " %, and blinks." : " %.");
}
constexpr auto set_led_params =
    mcp::params(mcp::param<&SetLed::percent>("percent", {.description = "Brightness", .minimum = 0, .maximum = 100}),
                mcp::param<&SetLed::blinks>("blinks", {.description = "Once in a second"}));

mcp::Errc read_led(mcp::ReadResult& out) { return out.number(percent); }
mcp::Errc read_temperature(mcp::ReadResult& out) {
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.member("celsius", mcp::Scaled{21500, 3});
  json.object_end();
  return mcp::Errc::ok;
}

mcp::Errc measure(mcp::Call& call) { return call.result().text("It is ", mcp::Scaled{21500, 3}, " degrees."); }

constexpr mcp::Tool tools[] = {
    mcp::tool<measure>({.name = "measure", .description = "Measure the temperature."}),
    mcp::tool<set_led>({.name = "set_led", .description = "Set the LED."}, set_led_params),
};
constexpr mcp::Resource resources[] = {
    {.uri = "led://brightness", .name = "brightness", .mime_type = "text/plain", .read = read_led},
    {.uri = "sensor://temperature",
     .name = "temperature",
     .mime_type = "application/json",
     .read = read_temperature,
     .subscribable = true},
};
constexpr mcp::Definition definition{.name = "small", .version = "1.0.0", .tools = tools, .resources = resources};

constexpr mcp::Limits limits{.receive_size = 1024,
                             .transmit_size = transmit_size,
                             .sessions = sessions,
                             .own_session_idle_ms = 0};  // each request to initialize has a new session
constinit mcp::Storage<definition, limits> storage;

}  // namespace

constinit const mcp::Server server{storage};

}  // namespace small
