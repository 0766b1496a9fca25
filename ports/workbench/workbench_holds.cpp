// SPDX-License-Identifier: Apache-2.0
// Holds: a reading is kept at a value by a pin, with a hysteresis. Each end puts the pin to rest and has a reason.
#include <mcp/devices/sensor_rows.hpp>

#include <algorithm>

#include "mcp/workbench/core.hpp"
#include "ports/workbench/workbench_texts.hpp"

namespace mcp {

using detail::HoldAction;
using detail::HoldState;
using detail::PinRole;
using detail::RestReason;

namespace {

// Whether the value is beyond a bound that the pin drives it away from.
bool is_out_of_bounds(const HoldState& hold, const WorkbenchReading& reading, std::int32_t value) {
  const detail::HoldBounds bounds = detail::hold_bounds(reading);
  return hold.action == HoldAction::raise ? value > bounds.to : value < bounds.from;
}

bool wants_drive(const HoldState& hold, std::int32_t value) {
  const std::int64_t difference = std::int64_t{hold.target} - value;
  const std::int64_t missing = hold.action == HoldAction::raise ? difference : -difference;
  return hold.drives ? missing > -std::int64_t{hold.within} : missing > hold.within;
}

}  // namespace

namespace detail {

void WorkbenchHolds::drive(const WorkbenchCore& bench, HoldState& hold, bool on, Millis now) {
  const WorkbenchPin& row = bench.options_.pins[hold.pin];
  WorkbenchPinState& state = bench.pins_[hold.pin];
  const bool high = on != (row.rest == PinRest::high);
  if (bench.options_.chip().output(row.number, high) != PinError::none)
    return bench.rest(hold.pin, RestReason::pin_failed, now);
  bench.count_time(hold.pin, now);
  if (on) {
    state.away_ms = now;
  } else {
    state.rested_ms = now;
    state.has_rested = row.rest_ms != 0;
  }
  hold.drives = state.is_away = on;
  state.is_high = high;
  ++hold.switches;
  if (!bench.has_level(hold.pin, high)) bench.rest(hold.pin, RestReason::wrong_level, now);
}

void WorkbenchHolds::step(const WorkbenchCore& bench, HoldState& hold, Millis now) {
  const WorkbenchReading& reading = bench.options_.readings[hold.reading];
  const MeasuredSensor& sensor = *reading.sensor;
  if (!sensor.has_values() || now - sensor.measured_ms() >= reading.lost_ms)
    return bench.rest(hold.pin, RestReason::sensor_lost, now);
  const std::int32_t value = sensor.value(reading.quantity);
  if (is_out_of_bounds(hold, reading, value)) return bench.rest(hold.pin, RestReason::out_of_bounds, now);
  const bool wants = wants_drive(hold, value);
  if (wants == hold.drives || (wants && bench.pins_[hold.pin].has_rested)) return;
  // A late measurement has switched it off after the end of its budget.
  if (wants && bench.budget_left(hold.pin) == 0) return bench.rest(hold.pin, RestReason::budget, now);
  drive(bench, hold, wants, now);
}

// Returns after how many milliseconds the first sensor is lost.
Millis WorkbenchHolds::poll(const WorkbenchCore& bench, Millis now) {
  Millis next = forever;
  for (std::size_t i = 0; i < bench.options_.holds; ++i) {
    HoldState& hold = bench.holds_[i];
    if (!hold.is_on) continue;
    step(bench, hold, now);
    if (!hold.is_on) continue;
    const WorkbenchReading& reading = bench.options_.readings[hold.reading];
    const Millis left = reading.lost_ms - (now - reading.sensor->measured_ms());
    if (left < next) next = left;
  }
  return next;
}

void WorkbenchHolds::write(const WorkbenchCore& bench, json::Writer& json, Millis now) {
  json.key("holds");
  json.object_begin();
  for (std::size_t i = 0; i < bench.options_.holds; ++i) {
    const HoldState& hold = bench.holds_[i];
    if (!hold.is_on && !hold.was_on) continue;
    const WorkbenchReading& reading = bench.options_.readings[hold.reading];
    json.key(bench.options_.pins[hold.pin].name);
    json.object_begin();
    json.member("reading", reading.name);
    json.member("at", Scaled{hold.target, quantity_of(reading).decimals});
    if (hold.is_on) {
      json.member("drives", hold.drives);
      json.member("secondsLeft", (hold.end_ms - now) / 1000);
    } else {
      json.member("ended", reason_name(hold.ended));
    }
    json.member("switches", hold.switches);
    json.object_end();
  }
  json.object_end();
}

}  // namespace detail

Errc WorkbenchCore::check_hold(const detail::HoldArguments& arguments, std::uint8_t client, Millis now, HoldState& out,
                               Call& call) const {
  const WorkbenchReading& reading = options_.readings[static_cast<std::size_t>(arguments.reading)];
  const MeasuredSensor& sensor = *reading.sensor;
  const std::uint8_t decimals = detail::quantity_of(reading).decimals;
  const detail::HoldBounds bounds = detail::hold_bounds(reading);
  const auto text_of = [&](std::int32_t value) { return detail::ReadingText{reading, value}; };
  if (!detail::to_scaled(arguments.at, decimals, out.target) || out.target < bounds.from || out.target > bounds.to)
    return call.fail("at must be from ", text_of(bounds.from), " to ", text_of(bounds.to), '.');
  constexpr std::int64_t most = 0x7FFF'FFFF;
  const auto range = static_cast<std::int32_t>(std::min(std::int64_t{bounds.to} - bounds.from, most));
  if (!detail::to_scaled(arguments.within, decimals, out.within) || out.within < 1 || out.within > range)
    return call.fail("within must be from ", text_of(1), " to ", text_of(range), '.');
  if (!sensor.has_values()) return call.fail(describe(sensor.sensor(), sensor.error()));
  return check_take(static_cast<std::size_t>(arguments.pin), client, Take::hold, now, call);
}

Errc WorkbenchCore::hold(const detail::HoldArguments& arguments, Call& call) const {
  constexpr Millis minute_ms = 60'000;
  const Millis now = options_.now();
  std::uint8_t client = enter(call, now);
  const auto pin = static_cast<std::uint8_t>(arguments.pin);
  const WorkbenchPin& row = options_.pins[pin];
  const WorkbenchReading& reading = options_.readings[static_cast<std::size_t>(arguments.reading)];
  const MeasuredSensor& sensor = *reading.sensor;
  const auto text_of = [&](std::int32_t value) { return detail::ReadingText{reading, value}; };
  HoldState wanted{};
  if (const Errc errc = check_hold(arguments, client, now, wanted, call); errc != Errc::ok) return errc;
  HoldState* slot = nullptr;
  for (std::size_t i = 0; i < options_.holds; ++i) {
    HoldState& hold = holds_[i];
    const bool is_of_pin = (hold.is_on || hold.was_on) && hold.pin == pin;
    // How another hold has ended stays readable as long as there is a slot without one.
    const bool is_better = slot == nullptr || (slot->was_on && !hold.was_on);
    if (is_of_pin || (!hold.is_on && is_better)) slot = &hold;
    if (is_of_pin) break;
  }
  if (slot == nullptr)
    return call.fail("All ", options_.holds, " holds are in use. Set the pin of one of them to rest, which ends it.");
  client = take_client(call, now);
  if (client == no_client)
    return call.fail("Other clients use pins, and there is no space for one more. Try again when they are done.");
  if (pins_[pin].role != PinRole::rest) rest(pin, Reason::by_client, now);
  if (pins_[pin].is_unavailable) return fail_unavailable(pin, call);
  const Millis end_ms = now + arguments.minutes * minute_ms;
  *slot = {.target = wanted.target,
           .within = wanted.within,
           .end_ms = end_ms,
           .pin = pin,
           .reading = static_cast<std::uint8_t>(arguments.reading),
           .action = arguments.action,
           .is_on = true,
           .was_on = true};
  PinState& state = pins_[pin];
  state.role = PinRole::hold;
  state.client = client;
  state.has_end = true;
  state.end_ms = end_ms;
  flags_.has_news = true;
  detail::WorkbenchHolds::step(*this, *slot, now);
  if (!slot->is_on) return call.fail("The hold ended at once: ", detail::reason_name(slot->ended), '.');
  return call.result().text(row.name, slot->drives ? " is on" : " is off", ", and keeps ", reading.name, " at ",
                            text_of(wanted.target), " for ", arguments.minutes, " min. ", reading.name, " is ",
                            text_of(sensor.value(reading.quantity)),
                            row.holds_alone ? "." : ". It ends if you send no request for ", [&](TextWriter& text) {
                              if (!row.holds_alone) text.add(options_.lease_ms / 1000, " s.");
                            });
}

}  // namespace mcp
