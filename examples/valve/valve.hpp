// SPDX-License-Identifier: Apache-2.0
// Common parts of both forms of the valve: the tool, and the valve itself.
#pragma once

#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include "device.hpp"

/// The arguments of the tool move_valve.
struct MoveValve {
  std::int32_t percent;
};

constexpr auto move_valve_params = mcp::params(
    mcp::param<&MoveValve::percent>("percent", {.description = "0 is closed", .minimum = 0, .maximum = 100}));

constexpr mcp::ToolInfo move_valve_info{
    .name = "move_valve",
    .title = "Valve",
    .description = "Move the valve. Takes up to 5 seconds. The user is asked before it opens further than 80 %.",
    .asks_itself = true};  // a client cannot bring the user's consent along

/// The valve opens further only if the client says that its user accepts. Some clients accept by themselves.
constexpr std::int32_t open_without_asking = 80;
/// The valve has no sensor for its position: it is known from how long the motor ran.
constexpr mcp::Millis ms_per_percent = 50;

/// A form without fields: the user accepts or declines.
constexpr mcp::InputSchema yes_or_no(R"({"type":"object","properties":{}})");

/// The motor stops after this time also if the client is gone and cancels nothing: 120 s for the user, and 10 s.
constexpr mcp::Millis move_limit_ms = 130'000;

/// Where the valve is. It starts closed.
inline std::int32_t valve_percent = 0;

/// Serves until the stream ends.
inline void serve(const mcp::Server& server) {
  mcp::StdioTransport transport{server, device::stream()};
  while (!transport.closed()) device::wait(transport.poll(device::now()));
}
