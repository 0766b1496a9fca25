// SPDX-License-Identifier: Apache-2.0
// The times of pins: limits, budgets, and what is due. Times are compared by difference, because the clock wraps.
#include <mcp/server.hpp>

#include <algorithm>

#include "mcp/workbench/core.hpp"
#include "ports/workbench/workbench_texts.hpp"

namespace mcp {

using detail::is_past;
using detail::PinBudgetState;
using detail::PinRole;

namespace {

constexpr Millis retry_ms = 1000;
constexpr std::uint32_t slices = PinBudgetState::slices;

// The windows of all sums together cover at least the window of the budget.
Millis slice_of(const PinBudget& budget) { return (budget.window_ms + slices - 1) / slices; }

Millis sum_of(const PinBudgetState& state) {
  Millis sum = 0;
  for (const Millis used : state.used_ms) sum += used;
  return sum;
}

std::uint8_t after(std::uint8_t at, std::uint32_t steps) {
  return static_cast<std::uint8_t>((at + steps) % (slices + 1));
}

// Counts the time up to now, and begins the slices that have come.
void count(PinBudgetState& state, Millis slice_ms, Millis now, bool is_away) {
  Millis elapsed = now - state.counted_ms;
  if (elapsed >= slice_ms * (slices + 1)) {
    std::fill_n(state.used_ms, slices + 1, is_away ? slice_ms : 0);
    state.used_ms[state.at] = 0;
    state.slice_ms = state.counted_ms = now;
    return;
  }
  while (elapsed != 0) {
    const Millis part = std::min(elapsed, slice_ms - (state.counted_ms - state.slice_ms));
    if (is_away) state.used_ms[state.at] += part;
    state.counted_ms += part;
    elapsed -= part;
    if (state.counted_ms - state.slice_ms != slice_ms) continue;
    state.at = after(state.at, 1);
    state.used_ms[state.at] = 0;
    state.slice_ms = state.counted_ms;
  }
}

}  // namespace

PinBudgetState* WorkbenchCore::budget_of(std::size_t pin) const {
  if (options_.pins[pin].budget.away_ms == 0) return nullptr;
  PinBudgetState* budget = budgets_;
  for (std::size_t i = 0; i < pin; ++i) budget += options_.pins[i].budget.away_ms != 0 ? 1 : 0;
  return budget;
}

void WorkbenchCore::count_time(std::size_t pin, Millis now) const {
  PinBudgetState* const budget = budget_of(pin);
  if (budget != nullptr) count(*budget, slice_of(options_.pins[pin].budget), now, pins_[pin].is_away);
}

Millis WorkbenchCore::budget_left(std::size_t pin) const {
  const PinBudgetState* const budget = budget_of(pin);
  if (budget == nullptr) return forever;
  const Millis used = sum_of(*budget);
  const Millis all = options_.pins[pin].budget.away_ms;
  return used >= all ? 0 : all - used;
}

// The time until a pin at rest has a budget again.
Millis WorkbenchCore::budget_due(std::size_t pin, Millis now) const {
  const PinBudgetState& budget = *budget_of(pin);
  const Millis slice_ms = slice_of(options_.pins[pin].budget);
  Millis used = sum_of(budget);
  Millis due = slice_ms - (now - budget.slice_ms);
  for (std::uint32_t i = 1; i <= slices; ++i) {
    used -= budget.used_ms[after(budget.at, i)];
    if (used < options_.pins[pin].budget.away_ms) break;
    due += slice_ms;
  }
  return due;
}

// The time until a pin that is away from rest goes there, without its lease.
Millis WorkbenchCore::time_left(std::size_t pin, Millis now) const {
  const detail::WorkbenchPinState& state = pins_[pin];
  Millis left = forever;
  if (state.has_end) left = is_past(now, state.end_ms) ? 0 : state.end_ms - now;
  if (!state.is_away) return left;
  const Millis away_ms = options_.pins[pin].away_ms;
  const Millis since = now - state.away_ms;
  if (away_ms != 0) left = std::min(left, since >= away_ms ? 0 : away_ms - since);
  return std::min(left, budget_left(pin));
}

detail::RestReason WorkbenchCore::due_reason(std::size_t pin, Millis now) const {
  const detail::WorkbenchPinState& state = pins_[pin];
  const WorkbenchPin& row = options_.pins[pin];
  if (state.role == PinRole::rest) return Reason::none;
  if (lease_left(pin, now) == 0) return Reason::client_gone;
  if (row.needs.get().broken() != nullptr) return Reason::interlock;
  if (state.is_away && row.away_ms != 0 && now - state.away_ms >= row.away_ms) return Reason::away_limit;
  if (state.is_away && budget_left(pin) == 0) return Reason::budget;
  if (state.has_end && is_past(now, state.end_ms)) return Reason::time_over;
  return Reason::none;
}

void WorkbenchCore::settle(Millis now) const {
  for (std::size_t i = 0; i < options_.pins.size(); ++i) {
    detail::WorkbenchPinState& state = pins_[i];
    count_time(i, now);
    // Before the clock has wrapped.
    if (state.has_rested && now - state.rested_ms >= options_.pins[i].rest_ms) state.has_rested = false;
    const Reason reason = due_reason(i, now);
    if (reason != Reason::none) rest(i, reason, now);
  }
}

void WorkbenchCore::retry_unavailable(Millis now) const {
  if (!flags_.has_unavailable || now - flags_.retried_ms < retry_ms) return;
  flags_.retried_ms = now;
  flags_.has_unavailable = false;
  for (std::size_t i = 0; i < options_.pins.size(); ++i) {
    if (pins_[i].is_unavailable) rest(i, pins_[i].reason, now);
  }
}

// Measures each sensor once, and sensors with one address one after the other, as poll_sensors() does.
Millis WorkbenchCore::measure() const {
  const std::span<const WorkbenchReading> readings = options_.readings;
  const auto is_first = [&](std::size_t i) {
    return std::none_of(readings.begin(), readings.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](const WorkbenchReading& other) { return other.sensor == readings[i].sensor; });
  };
  const auto is_device_busy = [&](const MeasuredSensor& sensor) {
    const unsigned address = sensor.sensor().address();
    return address != 0 && !sensor.is_measuring() && std::ranges::any_of(readings, [&](const WorkbenchReading& other) {
             return other.sensor->is_measuring() && other.sensor->sensor().address() == address;
           });
  };
  Millis due = forever;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    MeasuredSensor& sensor = *readings[i].sensor;
    if (!is_first(i) || is_device_busy(sensor)) continue;
    if (sensor.poll()) {
      for (std::size_t j = i; j < readings.size(); ++j) {
        if (readings[j].sensor != &sensor) continue;
        const bool is_news = !sensor.has_values() || parts_.add_to_watch == nullptr ||
                             parts_.add_to_watch(*this, j, sensor.measured_ms());
        if (is_news) flags_.has_news = true;
      }
    }
    due = std::min(due, sensor.due_ms());
  }
  return due;
}

// The job of a capture gets no step while its client reads no responses. Returns the time until the capture is too old.
Millis WorkbenchCore::end_old_capture(Millis now) const {
  if (!flags_.is_capturing) return forever;
  const Millis since = now - flags_.captured_ms;
  if (since < detail::capture_limit_ms) return detail::capture_limit_ms - since;
  options_.chip().end_capture();
  flags_.is_capturing = false;
  return forever;
}

Millis WorkbenchCore::poll(const Server& server, const Resource* readings) const {
  const Millis now = options_.now();
  settle(now);
  retry_unavailable(now);
  Millis next = std::min(measure(), end_old_capture(now));
  // A sensor has been measured after `now`.
  if (parts_.poll_holds != nullptr) next = std::min(next, parts_.poll_holds(*this, options_.now()));
  for (std::size_t i = 0; i < options_.pins.size(); ++i) {
    const detail::WorkbenchPinState& state = pins_[i];
    if (state.has_rested) next = std::min(next, options_.pins[i].rest_ms - (now - state.rested_ms));
    const PinBudgetState* const budget = budget_of(i);
    // Slices have to begin before the clock has wrapped.
    if (budget != nullptr && sum_of(*budget) != 0) next = std::min(next, slice_of(options_.pins[i].budget));
    if (state.role != PinRole::rest) next = std::min({next, time_left(i, now), lease_left(i, now)});
  }
  if (flags_.has_unavailable) next = std::min(next, retry_ms - (now - flags_.retried_ms));
  if (flags_.has_news && readings != nullptr) server.resource_updated(*readings);
  flags_.has_news = false;
  return next;
}

}  // namespace mcp
