// SPDX-License-Identifier: Apache-2.0
/// @file
/// A workbench: tools with which a model uses the pins and the I2C bus of a board, within what a constant table allows.
/// @code
/// constexpr mcp::WorkbenchPin pins[] = {
///     {.name = "LED", .number = 40, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low, .note = "on the board"},
///     {.name = "D3", .number = 27, .uses = mcp::PinUse::input | mcp::PinUse::output, .pull = mcp::PinPull::up}};
/// mcp::Pins& chip_pins();
/// constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = chip_pins, .now = board::millis};
/// constinit mcp::Workbench<options> bench;
/// constexpr mcp::Definition definition{.name = "workbench",
///                                      .version = "1.0.0",
///                                      .tools = mcp::workbench_tools<bench>,
///                                      .resources = mcp::workbench_resources<bench>,
///                                      .audit = mcp::workbench_audit<bench>};
/// // In main(): first bench.begin(), and after each poll of the transport:
/// mcp::Millis poll(const mcp::Server& server) { return bench.poll(server, &mcp::workbench_resources<bench>[1]); }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/job.hpp>
#include <mcp/params.hpp>
#include <mcp/resource.hpp>
#include <mcp/tool.hpp>
#include <mcp/with_caller.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "mcp/workbench/core.hpp"
#include "mcp/workbench/table.hpp"
#include "mcp/workbench/workbench_checks.hpp"

namespace mcp {

/// The tools of a workbench, in the order of workbench_tools.
enum class WorkbenchTool : std::uint8_t {
  all_off,    ///< Puts all pins to rest, also those of other clients, and ends all holds.
  read_pins,  ///< Reads levels and voltages.
  set_pin,    ///< Sets the level of an output, and reads it back. Puts each driven pin to rest.
  set_pwm,    ///< Makes pulses. Needs a pin with PinUse::pwm.
  capture,    ///< Records the times of edges. Needs WorkbenchOptions::capture_edges, and Limits::jobs.
  scan_i2c,   ///< Lists the devices on the bus. Needs WorkbenchOptions::i2c.
  i2c,        ///< A transaction on the bus. Needs WorkbenchOptions::i2c.
  hold,       ///< Keeps a reading at a value by a pin. Needs WorkbenchOptions::holds.
  watch,      ///< Records a reading. Needs WorkbenchOptions::watch_values.
};

/// A workbench with its memory: `constinit mcp::Workbench<options> bench;` at namespace scope. RAM for a 32-bit
/// processor: 12 bytes, 24 for each pin, 48 for each budget, and what WorkbenchOptions says. It is all zero, so it
/// takes no flash. Errors: invalid options do not compile, and the error says what is wrong. Context: main loop, except
/// rest_now().
///
/// **Clients.** A pin that is away from rest belongs to the client that has set it, and other clients cannot change it.
/// A client is: with a session (2025-11-25 and earlier), the session; without one, the principal of its token, or
/// without a token, the name that it states in each request. So without tokens, stateless clients with one name are one
/// client, and a client that states the name of another one is that client: use tokens if clients do not trust each
/// other. On a UART, on USB and on stdio there is one client, and `initialize` begins a new session: the session before
/// it has ended, so its pins go to rest. Each client has a lease, which only its own requests extend. Set
/// Limits::client_info_size, for example to 32: clients with sessions are then shown to others by their names, and a
/// tool that asks the user knows the name of a stateless client. A client with a longer name is nameless there, and the
/// lease of what it sets is not extended.
///
/// **Time.** Limits are checked in poll() and at the start of each call. If poll() is late, a pin is away from rest
/// for longer than its limit. The budget counts this time, too. A board with a watchdog limits how late it is. A reset
/// begins new budgets.
template <const WorkbenchOptions& the_options>
class Workbench {
  static_assert(detail::check_workbench(the_options));

 public:
  /// A workbench whose pins are untouched until begin().
  constexpr Workbench() = default;
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  /// Puts all pins to rest. Call it first in main(), also after a reset. Returns how many pins did not go to rest: the
  /// port reports an error, or a wire has not the level that its pin drives. Clients see these pins as unavailable, and
  /// poll() tries again each second.
  std::size_t begin() { return core().begin(); }

  /// Puts pins to rest whose time is over or whose client is gone, measures sensors, and takes the steps of holds.
  /// Returns after how many milliseconds to call it again, at the latest. Call it in the main loop after each poll of a
  /// transport. `readings`: the row of `bench://readings` in the tables of `server`. Its subscribers are notified when
  /// a reading has a new value or an error, when a watched reading crosses a threshold (instead of each value, if it
  /// has thresholds), and when a hold begins or ends.
  Millis poll(const Server& server, const Resource* readings = nullptr) { return core().poll(server, readings); }

  /// Puts all pins to rest at once, and nothing else: for the handler of a fault, mcp_fault() and mcp_assert_failed(),
  /// after which the program ends. Context: any, also with interrupts off and in the handler of a fault. It takes no
  /// lock and no heap, and reads only the constant table. The functions of Pins that it calls (input and output) have
  /// to allow this, as those of the bare-metal ports do.
  void rest_now() { core().rest_now(); }

  /// Extends the lease of the client that sent a request. See workbench_audit.
  void heard(const AuditRecord& record, const Caller& caller) { core().heard(record, caller); }

  /// Returns whether the pin with this index in the table is at rest.
  [[nodiscard]] bool is_at_rest(std::size_t pin) const {
    return !pins_[pin].is_away && !pins_[pin].is_unavailable && pins_[pin].role == detail::PinRole::rest;
  }
  /// Returns whether the pin with this index in the table can be used. If not, it did not go to rest.
  [[nodiscard]] bool is_available(std::size_t pin) const { return !pins_[pin].is_unavailable; }

  /// @cond server
  static constexpr const WorkbenchOptions& table = the_options;
  static constexpr detail::WorkbenchParts parts = detail::workbench_parts(the_options);
  [[nodiscard]] constexpr detail::WorkbenchMemory memory() {
    return {&flags_, pins_, budgets_, clients_, holds_, watches_, values_, gaps_, edges_};
  }
  /// @endcond

 private:
  WorkbenchCore core() { return {the_options, parts, memory()}; }

  // An array has at least one element.
  static constexpr std::size_t at_least_1(std::size_t count) { return count == 0 ? 1 : count; }
  static constexpr std::size_t watched = the_options.watch_values == 0 ? 0 : the_options.readings.size();
  static constexpr std::size_t values = watched * the_options.watch_values;

  detail::WorkbenchFlags flags_ = {};
  detail::WorkbenchPinState pins_[the_options.pins.size()] = {};
  detail::WorkbenchClient clients_[the_options.clients] = {};
  detail::PinBudgetState budgets_[at_least_1(detail::count_budgets(the_options))] = {};
  detail::HoldState holds_[at_least_1(the_options.holds)] = {};
  detail::WatchState watches_[at_least_1(watched)] = {};
  std::int32_t values_[at_least_1(values)] = {};
  Millis gaps_[at_least_1(values)] = {};
  std::uint32_t edges_[at_least_1(the_options.capture_edges)] = {};
};

}  // namespace mcp

#include "mcp/workbench/workbench_rows.hpp"

namespace mcp {

/// Returns the row of a tool, such as `mcp::workbench_tool<bench, mcp::WorkbenchTool::set_pin>()`, for an application
/// that has other tools, too, or gives a row a scope: `({.scope = "bench:write"})`. An empty name or description of
/// `info` is replaced by that of the workbench. A tool that asks the user (WorkbenchPin::is_dangerous, I2cAccess::ask)
/// is a job with `.asks_itself`. Lifetime: `bench` is a variable at namespace scope. Errors: a tool for which the table
/// has nothing does not compile.
template <auto& bench, WorkbenchTool tool>
consteval Tool workbench_tool(ToolInfo info = {}) {
  return detail::make_workbench_tool<bench, tool>(info);
}

/// All tools for which the table has something, in the order of WorkbenchTool: `.tools = mcp::workbench_tools<bench>`.
/// all_off comes first, because some hosts read a part of the list only. They take at most 1,350 tokens.
template <auto& bench>
inline constexpr const auto& workbench_tools = detail::WorkbenchRows<bench>::tools;

/// The resources `bench://pins` (the table) and `bench://readings` (the values of sensors, watches and holds, with
/// `.subscribable`): `.resources = mcp::workbench_resources<bench>`. The second one is the row of
/// Workbench::poll().
template <auto& bench>
inline constexpr const auto& workbench_resources = detail::WorkbenchRows<bench>::resources;

/// The audit function that extends leases: `.audit = mcp::workbench_audit<bench>`. Without it, only calls of the tools
/// of the workbench extend the lease of their client. An application with an audit function of its own calls
/// Workbench::heard() there.
template <auto& bench>
inline constexpr auto workbench_audit = with_caller<detail::audit_workbench<bench>>;

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
