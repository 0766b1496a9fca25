// SPDX-License-Identifier: Apache-2.0
// The rows of the tools and resources of a workbench, which mcp/workbench.hpp includes.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <mcp/job.hpp>
#include <mcp/params.hpp>
#include <mcp/resource.hpp>
#include <mcp/tool.hpp>
#include <mcp/values.hpp>

#include "mcp/workbench/core.hpp"
#include "mcp/workbench/workbench_checks.hpp"

namespace mcp::detail {

template <auto& bench>
inline constexpr const WorkbenchOptions& workbench_table = std::remove_reference_t<decltype(bench)>::table;

template <auto& bench>
inline constexpr WorkbenchCore workbench_core{workbench_table<bench>, std::remove_reference_t<decltype(bench)>::parts,
                                              bench.memory()};

// ---- Choices from the table --------------------------------------------------------------------------------------

template <auto& bench, PinUse uses>
consteval auto choose_pins() {
  constexpr std::size_t count = count_pins(workbench_table<bench>, uses);
  static_assert(count != 0);
  NamedValue<WorkbenchPinId> named[count] = {};
  std::size_t at = 0;
  for (std::size_t i = 0; i < workbench_table<bench>.pins.size(); ++i) {
    const WorkbenchPin& pin = workbench_table<bench>.pins[i];
    if (has_use(pin.uses, uses)) named[at++] = {pin.name, static_cast<WorkbenchPinId>(i)};
  }
  return choices<WorkbenchPinId>(named);
}
template <auto& bench, PinUse uses>
inline constexpr auto pins_with = choose_pins<bench, uses>();

template <auto& bench>
consteval auto choose_readings() {
  constexpr std::size_t count = workbench_table<bench>.readings.size();
  NamedValue<WorkbenchReadingId> named[count] = {};
  for (std::size_t i = 0; i < count; ++i)
    named[i] = {workbench_table<bench>.readings[i].name, static_cast<WorkbenchReadingId>(i)};
  return choices<WorkbenchReadingId>(named);
}
template <auto& bench>
inline constexpr auto reading_names = choose_readings<bench>();

inline constexpr auto pin_levels =
    choices<PinLevel>({{"low", PinLevel::low}, {"high", PinLevel::high}, {"rest", PinLevel::rest}});
inline constexpr auto hold_actions = choices<HoldAction>({{"raise", HoldAction::raise}, {"lower", HoldAction::lower}});
inline constexpr auto edge_names =
    choices<PinEdges>({{"both", PinEdges::both}, {"rising", PinEdges::rising}, {"falling", PinEdges::falling}});

// ---- Parameters --------------------------------------------------------------------------------------------------

template <std::size_t N>
struct ReadPinsArguments {
  std::optional<List<WorkbenchPinId, N>> pins;
  std::uint8_t samples;
};
inline constexpr std::size_t most_read_pins = 16;
template <auto& bench>
inline constexpr std::size_t read_pins_capacity = workbench_table<bench>.pins.size() < most_read_pins
                                                      ? workbench_table<bench>.pins.size()
                                                      : most_read_pins;

template <auto& bench>
using ReadPins = ReadPinsArguments<read_pins_capacity<bench>>;
template <auto& bench>
inline constexpr auto read_pins_params =
    params(param<&ReadPins<bench>::pins>("pins", {.description = "Default: all",
                                                  .items = {.choices = pins_with<bench, any_use>}}),
           param<&ReadPins<bench>::samples>(
               "samples", {.description = "Conversions per voltage", .minimum = 1, .maximum = 64, .default_value = 8}));

template <auto& bench>
inline constexpr auto set_pin_params =
    params(param<&SetPinArguments::pin>("pin", {.choices = pins_with<bench, driven_uses>}),
           param<&SetPinArguments::level>("level", {.description = "rest: its safe state", .choices = pin_levels}),
           param<&SetPinArguments::for_ms>("for_ms", {.description = "Then back to rest. 0: until set again",
                                                      .maximum = 86'400'000,
                                                      .default_value = 0,
                                                      .unit = "ms"}));

template <auto& bench>
inline constexpr auto set_pwm_params =
    params(param<&SetPwmArguments::pin>("pin", {.choices = pins_with<bench, PinUse::pwm>}),
           param<&SetPwmArguments::hz>("hz", {.description = "Servo 50, LED 1000, fan 25000",
                                              .minimum = 1,
                                              .maximum = 1'000'000,
                                              .default_value = 1000,
                                              .unit = "Hz"}),
           param<&SetPwmArguments::percent>(
               "percent", {.description = "Time high. Servo: 5 to 10", .minimum = 0, .maximum = 100, .unit = "%"}));

template <auto& bench>
inline constexpr auto capture_params = params(
    param<&CaptureArguments::pin>("pin", {.choices = pins_with<bench, PinUse::capture>}),
    param<&CaptureArguments::edges>("edges", {.choices = edge_names, .default_value = PinEdges::both}),
    param<&CaptureArguments::for_ms>("for_ms", {.minimum = 1, .maximum = 10'000, .default_value = 1000, .unit = "ms"}));

using I2cViews = I2cArguments<std::string_view, std::string_view>;
using I2cStrings = I2cArguments<FixedString<4>, FixedString<64>>;
template <class Arguments>
inline constexpr auto i2c_params =
    params(param<&Arguments::address>("address", {.description = "7 bits, such as 0x48"}),
           param<&Arguments::write>("write", {.description = "Hexadecimal bytes, such as a register: f7",
                                              .max_length = 64,
                                              .default_value = ""}),
           param<&Arguments::read>("read", {.description = "Bytes to read then", .maximum = 32, .default_value = 0}));

template <auto& bench>
inline constexpr auto hold_params =
    params(param<&HoldArguments::reading>("reading", {.choices = reading_names<bench>}),
           param<&HoldArguments::at>("at", {.description = "Target, in the unit of the reading"}),
           param<&HoldArguments::within>("within", {.description = "Switches at this distance from the target"}),
           param<&HoldArguments::pin>("pin", {.choices = pins_with<bench, PinUse::hold>}),
           param<&HoldArguments::action>("action",
                                         {.description = "What the pin does to the reading", .choices = hold_actions}),
           param<&HoldArguments::minutes>("minutes", {.description = "Then it ends",
                                                      .minimum = 1,
                                                      .maximum = workbench_table<bench>.hold_minutes,
                                                      .unit = "min"}));

template <auto& bench>
inline constexpr auto watch_params = params(param<&WatchArguments::reading>("reading",
                                                                            {.choices = reading_names<bench>}),
                                            param<&WatchArguments::above>("above", {.description = "Threshold"}),
                                            param<&WatchArguments::below>("below", {.description = "Threshold"}));

// ---- Handlers ----------------------------------------------------------------------------------------------------

template <auto& bench>
Errc call_all_off(Call& call) {
  return workbench_core<bench>.all_off(call);
}
template <auto& bench>
Errc call_read_pins(const ReadPins<bench>& arguments, Call& call) {
  if (!arguments.pins) return workbench_core<bench>.read_pins({}, arguments.samples, call);
  return workbench_core<bench>.read_pins({arguments.pins->begin(), arguments.pins->size()}, arguments.samples, call);
}
template <auto& bench>
Errc call_set_pin(const SetPinArguments& arguments, Call& call) {
  return workbench_core<bench>.set_pin(arguments, call);
}
template <auto& bench>
Errc call_set_pwm(const SetPwmArguments& arguments, Call& call) {
  return workbench_core<bench>.set_pwm(arguments, call);
}
template <auto& bench>
Errc call_scan_i2c(Call& call) {
  return workbench_core<bench>.scan_i2c(call);
}
template <auto& bench>
Errc call_i2c(const I2cViews& arguments, Call& call) {
  return workbench_core<bench>.i2c(arguments.address, arguments.write, arguments.read, call);
}
template <auto& bench>
Errc call_hold(const HoldArguments& arguments, Call& call) {
  return workbench_core<bench>.hold(arguments, call);
}
template <auto& bench>
Errc call_watch(const WatchArguments& arguments, Call& call) {
  return workbench_core<bench>.watch(arguments, call);
}
template <auto& bench>
Errc read_workbench_pins(ReadResult& out) {
  return workbench_core<bench>.write_pins(out);
}
template <auto& bench>
Errc read_workbench_readings(ReadResult& out) {
  return workbench_core<bench>.write_readings(out);
}
template <auto& bench>
void audit_workbench(const AuditRecord& record, const Caller& caller) {
  workbench_core<bench>.heard(record, caller);
}

// ---- Jobs --------------------------------------------------------------------------------------------------------

// Each job that asks stays in its slot, which its end releases. A sealed state could be sent again, with a consent that
// was for one call.

template <auto& bench>
struct SetPinJob {
  static constexpr bool keeps_slot = true;
  SetPinArguments arguments;
  bool is_asked;
  Step step(AskContext& context) { return workbench_core<bench>.step_set_pin(arguments, is_asked, context); }
};
template <auto& bench>
struct SetPwmJob {
  static constexpr bool keeps_slot = true;
  SetPwmArguments arguments;
  bool is_asked;
  Step step(AskContext& context) { return workbench_core<bench>.step_set_pwm(arguments, is_asked, context); }
};
template <auto& bench>
struct HoldJob {
  static constexpr bool keeps_slot = true;
  HoldArguments arguments;
  bool is_asked;
  Step step(AskContext& context) { return workbench_core<bench>.step_hold(arguments, is_asked, context); }
};
template <auto& bench>
struct I2cJob {
  static constexpr bool keeps_slot = true;
  I2cStrings arguments;
  bool is_asked;
  Step step(AskContext& context) {
    return workbench_core<bench>.step_i2c(arguments.address.view(), arguments.write.view(), arguments.read, is_asked,
                                          context);
  }
};
template <auto& bench>
struct CaptureJob {
  CaptureArguments arguments;
  Millis begun_ms;
  bool is_begun;
  Step step(JobContext& context) { return workbench_core<bench>.capture(arguments, begun_ms, is_begun, context); }
};

// ---- Rows --------------------------------------------------------------------------------------------------------

consteval bool has_workbench_tool(const WorkbenchOptions& options, WorkbenchTool tool) {
  switch (tool) {
    case WorkbenchTool::all_off:
    case WorkbenchTool::read_pins: return true;
    case WorkbenchTool::set_pin: return count_pins(options, driven_uses) != 0;
    case WorkbenchTool::set_pwm: return count_pins(options, PinUse::pwm) != 0;
    case WorkbenchTool::capture: return options.capture_edges != 0;
    case WorkbenchTool::scan_i2c:
    case WorkbenchTool::i2c: return options.i2c != nullptr;
    case WorkbenchTool::hold: return options.holds != 0;
    case WorkbenchTool::watch: return options.watch_values != 0;
  }
  return false;
}

consteval ToolInfo with_texts(ToolInfo info, std::string_view name, std::string_view description) {
  if (info.name.empty()) info.name = name;
  if (info.description.empty()) info.description = description;
  return info;
}

consteval ToolInfo workbench_info(WorkbenchTool tool, const ToolInfo& info) {
  switch (tool) {
    case WorkbenchTool::all_off:
      return with_texts(info, "all_off", "Put all pins to rest and end all holds. Use it if something is wrong.");
    case WorkbenchTool::read_pins:
      return with_texts(
          info, "read_pins",
          "Read the level or voltage of pins, who uses them, and why they went to rest. bench://pins says "
          "what is connected.");
    case WorkbenchTool::set_pin:
      return with_texts(info, "set_pin", "Set the level of a pin. It goes back to rest if you send nothing for long.");
    case WorkbenchTool::set_pwm:
      return with_texts(info, "set_pwm",
                        "Make pulses on a pin, to dim, turn or drive something. set_pin with rest ends them.");
    case WorkbenchTool::capture:
      return with_texts(info, "capture", "Record when an input changes, in microseconds, with frequency and duty.");
    case WorkbenchTool::scan_i2c:
      return with_texts(info, "scan_i2c", "List the devices on the I2C bus, and the chips that they may be.");
    case WorkbenchTool::i2c:
      return with_texts(info, "i2c",
                        "Write bytes to an I2C device, then read. For a register, write its number. Use watch for "
                        "sensors that it knows.");
    case WorkbenchTool::hold:
      return with_texts(info, "hold",
                        "Keep a reading at a target by switching a pin. The board does it alone, and ends it if the "
                        "sensor fails.");
    case WorkbenchTool::watch:
      return with_texts(info, "watch",
                        "Read a sensor, and record it: repeat the call to get the record. Thresholds begin a new "
                        "record.");
  }
  return info;
}

template <auto& bench, WorkbenchTool kind>
consteval Tool make_workbench_tool(const ToolInfo& given) {
  ToolInfo info;  // Clang 14 evaluates an initializer alone
  info = workbench_info(kind, given);
  if constexpr (!has_workbench_tool(workbench_table<bench>, kind)) {
    // Always true, but GCC names the function only where a condition calls it.
    if (given.poll_interval_ms != 0) compile_error::the_table_of_the_workbench_has_nothing_for_this_tool();
    return Tool{};
  } else if constexpr (kind == WorkbenchTool::all_off) {
    return tool<call_all_off<bench>>(info);
  } else if constexpr (kind == WorkbenchTool::read_pins) {
    return tool<call_read_pins<bench>>(info, read_pins_params<bench>);
  } else if constexpr (kind == WorkbenchTool::set_pin) {
    if constexpr (asks_for_pins(workbench_table<bench>, PinUse::output)) {
      info.asks_itself = true;
      return job<SetPinJob<bench>, consent_limit_ms>(info, set_pin_params<bench>);
    } else {
      return tool<call_set_pin<bench>>(info, set_pin_params<bench>);
    }
  } else if constexpr (kind == WorkbenchTool::set_pwm) {
    if constexpr (asks_for_pins(workbench_table<bench>, PinUse::pwm)) {
      info.asks_itself = true;
      return job<SetPwmJob<bench>, consent_limit_ms>(info, set_pwm_params<bench>);
    } else {
      return tool<call_set_pwm<bench>>(info, set_pwm_params<bench>);
    }
  } else if constexpr (kind == WorkbenchTool::capture) {
    return job<CaptureJob<bench>, capture_limit_ms>(info, capture_params<bench>);
  } else if constexpr (kind == WorkbenchTool::scan_i2c) {
    return tool<call_scan_i2c<bench>>(info);
  } else if constexpr (kind == WorkbenchTool::i2c) {
    if constexpr (asks_for_i2c(workbench_table<bench>)) {
      info.asks_itself = true;
      return job<I2cJob<bench>, consent_limit_ms>(info, i2c_params<I2cStrings>);
    } else {
      return tool<call_i2c<bench>>(info, i2c_params<I2cViews>);
    }
  } else if constexpr (kind == WorkbenchTool::hold) {
    if constexpr (asks_for_pins(workbench_table<bench>, PinUse::hold)) {
      info.asks_itself = true;
      return job<HoldJob<bench>, consent_limit_ms>(info, hold_params<bench>);
    } else {
      return tool<call_hold<bench>>(info, hold_params<bench>);
    }
  } else {
    return tool<call_watch<bench>>(info, watch_params<bench>);
  }
}

inline constexpr WorkbenchTool workbench_order[] = {
    WorkbenchTool::all_off, WorkbenchTool::read_pins, WorkbenchTool::set_pin,
    WorkbenchTool::set_pwm, WorkbenchTool::capture,   WorkbenchTool::scan_i2c,
    WorkbenchTool::i2c,     WorkbenchTool::hold,      WorkbenchTool::watch};

consteval std::size_t count_workbench_tools(const WorkbenchOptions& options) {
  std::size_t count = 0;
  for (const WorkbenchTool tool : workbench_order) count += has_workbench_tool(options, tool) ? 1U : 0U;
  return count;
}

// The tool at position `i` of those that the table has.
consteval WorkbenchTool workbench_tool_at(const WorkbenchOptions& options, std::size_t i) {
  for (const WorkbenchTool tool : workbench_order) {
    if (has_workbench_tool(options, tool) && i-- == 0) return tool;
  }
  return WorkbenchTool::all_off;
}

// The arrays are objects of their own, so that mcp::tools_of takes them.
template <auto& bench, class Indexes = std::make_index_sequence<count_workbench_tools(workbench_table<bench>)>>
struct WorkbenchRows;
template <auto& bench, std::size_t... i>
struct WorkbenchRows<bench, std::index_sequence<i...>> {
  static constexpr Tool tools[] = {make_workbench_tool<bench, workbench_tool_at(workbench_table<bench>, i)>({})...};
  static constexpr Resource resources[] = {
      {.uri = "bench://pins",
       .name = "pins",
       .description = "The pins: for what, what is connected, and their limits.",
       .mime_type = "application/json",
       .read = read_workbench_pins<bench>},
      {.uri = "bench://readings",
       .name = "readings",
       .description = "The values of the sensors, their records, and the holds.",
       .mime_type = "application/json",
       .read = read_workbench_readings<bench>,
       .subscribable = true},
  };
};

}  // namespace mcp::detail

#include <mcp/detail/epilogue.hpp>
