// SPDX-License-Identifier: Apache-2.0
// error: Limits::transmit_size is too small for a row
// and: "tools/list"
// and: "set_led"
// and: , 606, 605)
#include <mcp/server.hpp>

struct SetLed {
  std::int8_t percent;
  double ratio;
};
constexpr auto set_led_params =
    mcp::params(mcp::param<&SetLed::percent>("percent", {.description = "Brightness", .minimum = 0, .maximum = 100}),
                mcp::param<&SetLed::ratio>("ratio", {.minimum = -0.5, .maximum = 1e300, .default_value = 0.1}));
mcp::Errc set_led(const SetLed&, mcp::Call& call) { return call.result().text("x"); }
mcp::Errc get_led(mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::Tool tools[] = {
    mcp::tool<get_led>({.name = "get_led"}),
    mcp::tool<set_led>({.name = "set_led", .title = "LED", .description = "Dims the LED."}, set_led_params)};
constexpr mcp::Definition definition{.name = "lamp", .version = "1", .tools = tools};
constexpr mcp::Limits limits{.transmit_size = 605};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::Server server{storage};
