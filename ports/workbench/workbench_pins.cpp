// SPDX-License-Identifier: Apache-2.0
// The pins: to rest and away from it, and the tools all_off, set_pin and set_pwm.
#include <algorithm>

#include "mcp/workbench/core.hpp"
#include "ports/workbench/workbench_texts.hpp"

namespace mcp {

using detail::level_name;
using detail::PinLevel;
using detail::PinRole;

namespace {

bool is_driven_at_rest(const WorkbenchPin& pin) { return pin.rest != PinRest::input; }
bool is_analog(const WorkbenchPin& pin) { return has_use(pin.uses, PinUse::analog); }

}  // namespace

// ---- To rest -------------------------------------------------------------------------------------------------------

// A wire needs some time for its new level.
bool WorkbenchCore::has_level(std::size_t pin, bool high) const {
  constexpr int most_reads = 16;
  for (int i = 0; i < most_reads; ++i) {
    bool is_high = !high;
    if (options_.chip().level(options_.pins[pin].number, is_high) != PinError::none) return false;
    if (is_high == high) return true;
  }
  return false;
}

PinError WorkbenchCore::drive_rest(std::size_t pin) const {
  const WorkbenchPin& row = options_.pins[pin];
  if (is_analog(row)) return PinError::none;
  if (!is_driven_at_rest(row)) return options_.chip().input(row.number, row.pull);
  return options_.chip().output(row.number, row.rest == PinRest::high);
}

void WorkbenchCore::rest_now() const {
  for (std::size_t i = 0; i < options_.pins.size(); ++i) static_cast<void>(drive_rest(i));
}

void WorkbenchCore::rest(std::size_t pin, Reason reason, Millis now) const {
  const WorkbenchPin& row = options_.pins[pin];
  PinState& state = pins_[pin];
  count_time(pin, now);
  for (std::size_t i = 0; i < options_.holds; ++i) {
    detail::HoldState& hold = holds_[i];
    if (!hold.is_on || hold.pin != pin) continue;
    hold.is_on = hold.drives = false;
    hold.ended = reason;
    flags_.has_news = true;
  }
  if (state.role != PinRole::rest) state.reason = reason;
  state.role = PinRole::rest;
  state.has_end = false;
  state.is_high = row.rest == PinRest::high;
  state.error = drive_rest(pin);
  const bool is_at_rest = state.error == PinError::none && (!is_driven_at_rest(row) || has_level(pin, state.is_high));
  // Until it is at rest, it counts as away from rest.
  if (is_at_rest && state.is_away) {
    state.rested_ms = now;
    state.has_rested = row.rest_ms != 0;
    state.is_away = false;
  }
  state.is_unavailable = !is_at_rest;
  if (is_at_rest) return;
  if (!flags_.has_unavailable) flags_.retried_ms = now;
  flags_.has_unavailable = true;
}

std::size_t WorkbenchCore::begin() const {
  const Millis now = options_.now();
  std::size_t unavailable = 0;
  for (std::size_t i = 0; i < options_.pins.size(); ++i) {
    rest(i, Reason::none, now);
    if (pins_[i].is_unavailable) ++unavailable;
  }
  return unavailable;
}

// ---- Away from rest ------------------------------------------------------------------------------------------------

void WorkbenchCore::begin_away(std::size_t pin, PinRole role, std::uint8_t client, Millis now) const {
  PinState& state = pins_[pin];
  count_time(pin, now);
  if (!state.is_away) state.away_ms = now;
  state.is_away = true;
  state.role = role;
  state.client = client;
}

Errc WorkbenchCore::fail_unavailable(std::size_t pin, Call& call) const {
  const PinState& state = pins_[pin];
  const std::string_view why = state.error == PinError::none
                                   ? std::string_view(
                                         "Its wire does not have the level that it drives. Check the wires "
                                         "for a short circuit.")
                                   : remedy(state.error);
  return call.fail(options_.pins[pin].name, " is unavailable, because it did not go to rest. ", why);
}

Errc WorkbenchCore::refuse_other(std::size_t pin, Call& call) const {
  return call.fail(options_.pins[pin].name, " is used by ", holder(pin),
                   ". Wait until it is at rest, or use another pin. In an emergency, call all_off.");
}

// Whether the client may take the pin away from rest now.
Errc WorkbenchCore::check_take(std::size_t pin, std::uint8_t client, Take take, Millis now, Call& call) const {
  const WorkbenchPin& row = options_.pins[pin];
  const PinState& state = pins_[pin];
  if (state.is_unavailable) return fail_unavailable(pin, call);
  if (flags_.is_capturing && flags_.captured_pin == pin)
    return call.busy(1000, row.name, " is captured. Wait for the end of capture.");
  if (is_of_other(pin, client)) return refuse_other(pin, call);
  if (take == Take::level && state.role == PinRole::hold)
    return call.fail(row.name, " is driven by hold. Set it to rest first, which ends the hold.");
  if (const Interlock* const broken = row.needs.get().broken()) {
    if (broken->call_first.empty()) return call.fail(broken->refusal);
    return call.fail(broken->refusal, " Call ", broken->call_first, " first.");
  }
  if (take == Take::level && state.has_rested) {
    const Millis left = row.rest_ms - (now - state.rested_ms);
    return call.busy(left, row.name, " must rest for ", row.rest_ms, " ms between uses. Wait ", left, " ms.");
  }
  if (budget_left(pin) != 0) return Errc::ok;
  const Millis due = budget_due(pin, now);
  return call.busy(due, row.name, " may be away from rest for ", row.budget.away_ms, " ms in ", row.budget.window_ms,
                   " ms, and this time is used up. Wait ", due, " ms.");
}

bool WorkbenchCore::is_rest_level(std::size_t pin, PinLevel level) const {
  const PinRest rest = options_.pins[pin].rest;
  return level == PinLevel::rest || (level == PinLevel::high ? rest == PinRest::high : rest == PinRest::low);
}

Errc WorkbenchCore::end_at_rest(std::size_t pin, std::uint8_t client, Millis now, Call& call) const {
  if (is_of_other(pin, client)) return refuse_other(pin, call);
  const bool is_captured = flags_.is_capturing && flags_.captured_pin == pin;
  if (!is_captured) rest(pin, Reason::by_client, now);
  if (pins_[pin].is_unavailable) return fail_unavailable(pin, call);
  return call.result().text(options_.pins[pin].name, " is at rest.");
}

Errc WorkbenchCore::all_off(Call& call) const {
  const Millis now = options_.now();
  enter(call, now);
  std::size_t unavailable = 0;
  for (std::size_t i = 0; i < options_.pins.size(); ++i) {
    if (flags_.is_capturing && flags_.captured_pin == i) continue;
    rest(i, Reason::all_off, now);
    if (pins_[i].is_unavailable) ++unavailable;
  }
  if (unavailable == 0) return call.result().text("All pins are at rest, and all holds have ended.");
  return call.fail([this](TextWriter& text) {
    text.add("These pins did not go to rest:");
    for (std::size_t i = 0; i < options_.pins.size(); ++i) {
      if (pins_[i].is_unavailable) text.add(' ', options_.pins[i].name);
    }
    text.add(". Switch off what is connected to them, and check the wires. The other pins are at rest.");
  });
}

Errc WorkbenchCore::check_set_pin(const detail::SetPinArguments& arguments, std::uint8_t client, Millis now,
                                  Call& call) const {
  const auto pin = static_cast<std::size_t>(arguments.pin);
  const WorkbenchPin& row = options_.pins[pin];
  if (!has_use(row.uses, PinUse::output)) return call.fail(row.name, " takes rest only. Use another tool.");
  if (row.away_ms != 0 && arguments.for_ms > row.away_ms)
    return call.fail(row.name, " may be away from rest for at most ", row.away_ms, " ms. Give a shorter for_ms.");
  return check_take(pin, client, Take::level, now, call);
}

Errc WorkbenchCore::set_pin(const detail::SetPinArguments& arguments, Call& call) const {
  const Millis now = options_.now();
  std::uint8_t client = enter(call, now);
  const auto pin = static_cast<std::size_t>(arguments.pin);
  const WorkbenchPin& row = options_.pins[pin];
  if (is_rest_level(pin, arguments.level)) return end_at_rest(pin, client, now, call);
  if (const Errc errc = check_set_pin(arguments, client, now, call); errc != Errc::ok) return errc;
  client = take_client(call, now);
  if (client == no_client)
    return call.fail("Other clients use pins, and there is no space for one more. Try again when they are done.");
  const bool high = arguments.level == PinLevel::high;
  if (const PinError error = options_.chip().output(row.number, high); error != PinError::none) {
    rest(pin, Reason::pin_failed, now);
    if (pins_[pin].is_unavailable) return fail_unavailable(pin, call);
    return call.fail(row.name, ": ", remedy(error), " It is at rest.");
  }
  begin_away(pin, PinRole::output, client, now);
  PinState& state = pins_[pin];
  state.is_high = high;
  state.has_end = arguments.for_ms != 0;
  state.end_ms = now + arguments.for_ms;
  if (!has_level(pin, high)) {
    rest(pin, Reason::wrong_level, now);
    if (state.is_unavailable) return fail_unavailable(pin, call);
    return call.fail(row.name, " was driven ", level_name(high),
                     ", but its wire has another level: a short circuit, or something else drives it. It is at rest "
                     "again. Check the wires.");
  }
  const Millis left = time_left(pin, now);
  if (left == forever) return call.result().text(row.name, " is ", level_name(high), '.');
  return call.result().text(row.name, " is ", level_name(high), ", and goes to rest in ", left, " ms.");
}

Errc WorkbenchCore::check_set_pwm(const detail::SetPwmArguments& arguments, std::uint8_t client, Millis now,
                                  Call& call) const {
  const auto pin = static_cast<std::size_t>(arguments.pin);
  const WorkbenchPin& row = options_.pins[pin];
  if (arguments.hz > row.most_hz) return call.fail(row.name, " takes at most ", row.most_hz, " Hz.");
  return check_take(pin, client, Take::level, now, call);
}

Errc WorkbenchCore::set_pwm(const detail::SetPwmArguments& arguments, Call& call) const {
  constexpr std::uint32_t second_ns = 1'000'000'000;
  const Millis now = options_.now();
  std::uint8_t client = enter(call, now);
  const auto pin = static_cast<std::size_t>(arguments.pin);
  const WorkbenchPin& row = options_.pins[pin];
  std::int32_t permille = 0;
  if (!detail::to_scaled(arguments.percent, 1, permille)) return Errc::invalid_argument;
  if ((permille == 0 && row.rest == PinRest::low) || (permille == 1000 && row.rest == PinRest::high))
    return end_at_rest(pin, client, now, call);
  if (const Errc errc = check_set_pwm(arguments, client, now, call); errc != Errc::ok) return errc;
  client = take_client(call, now);
  if (client == no_client)
    return call.fail("Other clients use pins, and there is no space for one more. Try again when they are done.");
  const std::uint32_t period_ns = (second_ns + arguments.hz / 2) / arguments.hz;
  const auto part = static_cast<std::uint32_t>(permille);
  const std::uint32_t high_ns = period_ns / 1000 * part + (period_ns % 1000 * part + 500) / 1000;
  std::uint32_t actual_ns = 0;
  const PinError error = options_.chip().pwm(row.number, period_ns, high_ns, actual_ns);
  if (error != PinError::none || actual_ns == 0) {
    rest(pin, Reason::pin_failed, now);
    if (pins_[pin].is_unavailable) return fail_unavailable(pin, call);
    return call.fail(row.name, ": ", remedy(error), " It is at rest.");
  }
  begin_away(pin, PinRole::pwm, client, now);
  PinState& state = pins_[pin];
  state.has_end = false;
  state.permille = static_cast<std::uint16_t>(permille);
  state.hz = (second_ns + actual_ns / 2) / actual_ns;
  const Millis left = time_left(pin, now);
  return call.result().text(
      row.name, " is high for ", Scaled{permille, 1}, " % of the time, at ", state.hz, " Hz",
      [left](TextWriter& text) {
        if (left != forever) text.add(", and goes to rest in ", left, " ms");
      },
      '.');
}

}  // namespace mcp
