// SPDX-License-Identifier: Apache-2.0
// The checks of the table of a workbench, at compile time.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/workbench/table.hpp"

namespace mcp {

namespace compile_error {
void a_workbench_needs_1_to_200_pins_a_chip_and_a_now_function();
void a_pin_or_reading_of_a_workbench_needs_a_name_of_1_to_24_of_A_to_Z_a_to_z_0_to_9_underscore_hyphen();
void two_pins_of_a_workbench_must_not_have_the_same_name();
void two_pins_of_a_workbench_must_not_have_the_same_number();
void two_readings_of_a_workbench_must_not_have_the_same_name();
void a_reading_of_a_workbench_must_not_have_the_name_holds();
void a_pin_of_a_workbench_needs_a_use();
void an_analog_pin_of_a_workbench_must_have_no_other_use_and_no_level_at_rest();
void a_pin_that_no_tool_drives_must_have_no_limits_and_must_not_be_dangerous();
void a_pin_that_hold_drives_needs_a_level_at_rest_and_holds_in_the_options();
void a_pin_that_capture_records_must_be_an_input_at_rest_and_needs_capture_edges_in_the_options();
void the_times_of_a_pin_of_a_workbench_must_be_below_2_31_ms();
void the_budget_of_a_pin_must_be_less_than_its_window_of_80_to_2_31_ms();
void the_frequency_of_pulses_must_be_1_to_1000000_hz();
void an_i2c_rule_must_have_addresses_from_0x08_to_0x77_with_first_before_last();
void an_i2c_rule_must_have_at_most_4_register_bytes();
void the_i2c_rules_of_a_workbench_need_a_bus();
void a_reading_of_a_workbench_needs_a_sensor();
void hold_from_must_be_less_than_hold_to();
void the_time_after_which_a_reading_is_lost_must_be_1_to_2_31_ms();
void the_holds_of_a_workbench_need_a_reading_and_a_pin_with_this_use();
void the_hold_minutes_of_a_workbench_must_be_1_to_10080();
void the_watch_values_of_a_workbench_need_a_reading_and_must_be_at_most_1024();
void the_capture_edges_of_a_workbench_need_a_pin_with_this_use_and_must_be_2_to_1024();
void the_lease_of_a_workbench_must_be_1000_to_2_31_ms();
void a_workbench_must_have_1_to_32_clients();
void the_table_of_the_workbench_has_nothing_for_this_tool();
}  // namespace compile_error

namespace detail {

inline constexpr Millis longest_ms = 0x7FFF'FFFF;
inline constexpr PinUse driven_uses = PinUse::output | PinUse::pwm | PinUse::hold;
inline constexpr PinUse any_use = driven_uses | PinUse::input | PinUse::analog | PinUse::capture;

consteval void check_workbench_name(std::string_view name) {
  bool is_valid = !name.empty() && name.size() <= 24;
  for (const char c : name) {
    is_valid = is_valid &&
               ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-');
  }
  if (!is_valid)
    compile_error::a_pin_or_reading_of_a_workbench_needs_a_name_of_1_to_24_of_A_to_Z_a_to_z_0_to_9_underscore_hyphen();
}

consteval bool has_limits(const WorkbenchPin& pin) {
  return pin.away_ms != 0 || pin.rest_ms != 0 || pin.budget.away_ms != 0 || pin.budget.window_ms != 0 ||
         pin.is_dangerous || pin.holds_alone || pin.needs.any();
}

consteval void check_workbench_pin(const WorkbenchPin& pin, const WorkbenchOptions& options) {
  check_workbench_name(pin.name);
  if (pin.uses == PinUse{}) compile_error::a_pin_of_a_workbench_needs_a_use();
  if (has_use(pin.uses, PinUse::analog) && (pin.uses != PinUse::analog || pin.rest != PinRest::input))
    compile_error::an_analog_pin_of_a_workbench_must_have_no_other_use_and_no_level_at_rest();
  if (!has_use(pin.uses, driven_uses) && has_limits(pin))
    compile_error::a_pin_that_no_tool_drives_must_have_no_limits_and_must_not_be_dangerous();
  if (has_use(pin.uses, PinUse::hold) ? pin.rest == PinRest::input || options.holds == 0 : pin.holds_alone)
    compile_error::a_pin_that_hold_drives_needs_a_level_at_rest_and_holds_in_the_options();
  if (has_use(pin.uses, PinUse::capture) && (pin.rest != PinRest::input || options.capture_edges == 0))
    compile_error::a_pin_that_capture_records_must_be_an_input_at_rest_and_needs_capture_edges_in_the_options();
  if (pin.away_ms > longest_ms || pin.rest_ms > longest_ms)
    compile_error::the_times_of_a_pin_of_a_workbench_must_be_below_2_31_ms();
  const PinBudget& budget = pin.budget;
  if (budget.away_ms == 0
          ? budget.window_ms != 0
          : budget.window_ms < 80 || budget.window_ms > longest_ms || budget.away_ms >= budget.window_ms)
    compile_error::the_budget_of_a_pin_must_be_less_than_its_window_of_80_to_2_31_ms();
  if (pin.most_hz == 0 || pin.most_hz > 1'000'000) compile_error::the_frequency_of_pulses_must_be_1_to_1000000_hz();
}

consteval std::size_t count_pins(const WorkbenchOptions& options, PinUse uses) {
  std::size_t count = 0;
  for (const WorkbenchPin& pin : options.pins) count += has_use(pin.uses, uses) ? 1U : 0U;
  return count;
}

constexpr std::size_t count_budgets(const WorkbenchOptions& options) {
  std::size_t count = 0;
  for (const WorkbenchPin& pin : options.pins) count += pin.budget.away_ms != 0 ? 1U : 0U;
  return count;
}

consteval void check_workbench_pins(const WorkbenchOptions& options) {
  if (options.pins.empty() || options.pins.size() > 200 || options.chip == nullptr || options.now == nullptr)
    compile_error::a_workbench_needs_1_to_200_pins_a_chip_and_a_now_function();
  for (std::size_t i = 0; i < options.pins.size(); ++i) {
    const WorkbenchPin& pin = options.pins[i];
    check_workbench_pin(pin, options);
    for (std::size_t j = 0; j < i; ++j) {
      const WorkbenchPin& other = options.pins[j];
      if (other.name == pin.name) compile_error::two_pins_of_a_workbench_must_not_have_the_same_name();
      // The numbers of pins and of analog inputs may be two kinds.
      if (other.number == pin.number && has_use(other.uses, PinUse::analog) == has_use(pin.uses, PinUse::analog))
        compile_error::two_pins_of_a_workbench_must_not_have_the_same_number();
    }
  }
}

consteval void check_workbench_readings(const WorkbenchOptions& options) {
  for (std::size_t i = 0; i < options.readings.size(); ++i) {
    const WorkbenchReading& reading = options.readings[i];
    check_workbench_name(reading.name);
    // bench://readings has the holds under this name.
    if (reading.name == "holds") compile_error::a_reading_of_a_workbench_must_not_have_the_name_holds();
    if (reading.sensor == nullptr) compile_error::a_reading_of_a_workbench_needs_a_sensor();
    if ((reading.hold_from != 0 || reading.hold_to != 0) && reading.hold_from >= reading.hold_to)
      compile_error::hold_from_must_be_less_than_hold_to();
    if (reading.lost_ms == 0 || reading.lost_ms > longest_ms)
      compile_error::the_time_after_which_a_reading_is_lost_must_be_1_to_2_31_ms();
    for (std::size_t j = 0; j < i; ++j) {
      if (options.readings[j].name == reading.name)
        compile_error::two_readings_of_a_workbench_must_not_have_the_same_name();
    }
  }
}

/// Returns true, or does not compile.
consteval bool check_workbench(const WorkbenchOptions& options) {
  check_workbench_pins(options);
  check_workbench_readings(options);
  for (const I2cRule& rule : options.i2c_rules) {
    if (!is_device_address(rule.first) || !is_device_address(rule.last) || rule.first > rule.last)
      compile_error::an_i2c_rule_must_have_addresses_from_0x08_to_0x77_with_first_before_last();
    if (rule.register_bytes > 4) compile_error::an_i2c_rule_must_have_at_most_4_register_bytes();
  }
  if (!options.i2c_rules.empty() && options.i2c == nullptr) compile_error::the_i2c_rules_of_a_workbench_need_a_bus();
  if (options.holds != 0 && (options.readings.empty() || count_pins(options, PinUse::hold) == 0))
    compile_error::the_holds_of_a_workbench_need_a_reading_and_a_pin_with_this_use();
  if (options.hold_minutes == 0 || options.hold_minutes > 10'080)
    compile_error::the_hold_minutes_of_a_workbench_must_be_1_to_10080();
  if (options.watch_values != 0 && (options.readings.empty() || options.watch_values > 1024))
    compile_error::the_watch_values_of_a_workbench_need_a_reading_and_must_be_at_most_1024();
  if (options.capture_edges != 0 &&
      (count_pins(options, PinUse::capture) == 0 || options.capture_edges < 2 || options.capture_edges > 1024))
    compile_error::the_capture_edges_of_a_workbench_need_a_pin_with_this_use_and_must_be_2_to_1024();
  if (options.lease_ms < 1000 || options.lease_ms > longest_ms)
    compile_error::the_lease_of_a_workbench_must_be_1000_to_2_31_ms();
  if (options.clients == 0 || options.clients > 32) compile_error::a_workbench_must_have_1_to_32_clients();
  return true;
}

/// Whether the user has to consent to some calls that use pins for `uses`.
consteval bool asks_for_pins(const WorkbenchOptions& options, PinUse uses) {
  for (const WorkbenchPin& pin : options.pins) {
    if (pin.is_dangerous && has_use(pin.uses, uses)) return true;
  }
  return false;
}

/// Whether the user has to consent to some transactions of i2c.
consteval bool asks_for_i2c(const WorkbenchOptions& options) {
  bool asks = options.i2c_access == I2cAccess::ask;
  for (const I2cRule& rule : options.i2c_rules) asks = asks || rule.access == I2cAccess::ask;
  return asks;
}

}  // namespace detail
}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
