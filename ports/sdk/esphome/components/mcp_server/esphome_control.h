// SPDX-License-Identifier: Apache-2.0
// The kinds of the found tools: calls that control an entity, and wait until the entity has reported its new state.
#pragma once

#include "esphome_rows.h"

#ifdef USE_MCP_SERVER

#include <cstdint>

#include <mcp/call.hpp>
#include <mcp/job.hpp>
#include <mcp/params.hpp>
#include <mcp/tool.hpp>

#include "esphome_arguments.h"

namespace mote_esphome {

/// A call that controls an entity. In its first step it acts. Then it waits for the new state, for Node::wait_ms().
struct Control {
  std::uint16_t row;
  bool has_acted;
  bool expects;
  float expected;
  mcp::Millis acted_ms;
  Values arguments;

  mcp::Step step(mcp::JobContext& context);
};

/// The same, after the user has agreed.
struct ConfirmedControl : Control {
  bool has_asked;

  mcp::Step step(mcp::AskContext& context);
};

/// Checks the arguments of a call, and starts its job.
mcp::Errc start_control(mcp::json::Value arguments, mcp::Call& call);
mcp::Errc start_confirmed(mcp::json::Value arguments, mcp::Call& call);

inline constexpr mcp::InputSchema no_arguments(R"({"type":"object","properties":{},"required":[]})");

/// The array of Definition::tool_kinds has these in this order. A node without a row of Access::confirm has the first
/// two.
inline constexpr mcp::Tool control_kind = mcp::tool<start_control>({.name = "control"}, no_arguments);
inline constexpr mcp::Tool control_job = mcp::job<Control, 60'000>({.name = "control_job"});
inline constexpr mcp::Tool confirm_kind = mcp::tool<start_confirmed>({.name = "confirm"}, no_arguments);
inline constexpr mcp::Tool confirm_job =
    mcp::job<ConfirmedControl, 240'000>({.name = "confirm_job", .asks_itself = true});
inline constexpr std::uint16_t control_kind_index = 0;
inline constexpr std::uint16_t confirm_kind_index = 2;

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
