// SPDX-License-Identifier: Apache-2.0
// The kinds of the found tools: calls that control an entity, and wait until the entity has reported its new state.
#pragma once

#include "esphome_rows.h"

#ifdef USE_MCP_SERVER

#include <cstdint>

#include <mcp/call.hpp>
#include <mcp/job.hpp>
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

/// Checks the arguments of a call, and starts its job. It is the `invoke` function of the kinds, because a table of
/// parameters is a constant, and ESPHome knows what is valid only at run time.
mcp::Errc start_control(const mcp::Tool& kind, mcp::json::Value arguments, mcp::Call& call);

consteval mcp::Tool kind_of(mcp::Tool job) {
  job.invoke = start_control;
  return job;
}

/// The names of kinds begin with a dot, which no id has, so that log_call() knows the end of a job.
inline constexpr mcp::ToolExtras control_extras{.annotations = {.destructive_hint = false}};

/// The array of FoundTools::kinds has these in the order of Access. A node without a row of Access::confirm has
/// the first two.
inline constexpr mcp::Tool control_kind =
    kind_of(mcp::job<Control, 60'000>({.name = ".control", .extras = control_extras}));
inline constexpr mcp::Tool sensitive_kind = kind_of(mcp::job<Control, 60'000>({.name = ".sensitive"}));
inline constexpr mcp::Tool confirm_kind =
    kind_of(mcp::job<ConfirmedControl, 240'000>({.name = ".confirm", .asks_itself = true}));

/// The index of the kind of a row that clients can control.
constexpr std::uint16_t kind_of(Access access) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(access) - static_cast<unsigned>(Access::control));
}

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
