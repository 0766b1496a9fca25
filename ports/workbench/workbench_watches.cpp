// SPDX-License-Identifier: Apache-2.0
// Watches: the last values of a reading in a history, with thresholds that a client chooses.
#include <mcp/devices/sensor_rows.hpp>

#include "mcp/workbench/core.hpp"
#include "ports/workbench/workbench_texts.hpp"

namespace mcp {

using detail::WatchState;

namespace {

struct Record {
  std::uint32_t count = 0;
  std::int32_t minimum = 0;
  std::int32_t maximum = 0;
  std::int32_t mean = 0;
  Millis length_ms = 0;  // from the first value to the last one
};

// The values of a watch, the newest first.
template <class Visit>
void for_each(const WatchState& watch, const std::int32_t* values, const Millis* gaps, std::size_t capacity,
              const Visit& visit) {
  std::size_t at = watch.history.next;
  for (std::size_t i = 0; i < watch.history.count; ++i) {
    at = (at == 0 ? capacity : at) - 1;
    visit(i, values[at], gaps[at]);
  }
}

Record record_of(const WatchState& watch, const std::int32_t* values, const Millis* gaps, std::size_t capacity) {
  const std::uint32_t count = watch.history.count;
  Record record{.count = count};
  for_each(watch, values, gaps, capacity, [&](std::size_t i, std::int32_t value, Millis gap) {
    if (i == 0 || value < record.minimum) record.minimum = value;
    if (i == 0 || value > record.maximum) record.maximum = value;
    // The gap of the oldest value is to a value that is gone.
    if (i + 1 < count) record.length_ms += gap;
  });
  if (count == 0) return record;
  // The mean of the distances from the minimum, in 32 bits: the quotients, and the sum of the remainders.
  std::uint32_t quotients = 0;
  std::uint32_t remainders = 0;
  for_each(watch, values, gaps, capacity, [&](std::size_t, std::int32_t value, Millis) {
    const std::uint32_t distance = static_cast<std::uint32_t>(value) - static_cast<std::uint32_t>(record.minimum);
    quotients += distance / count;
    remainders += distance % count;
  });
  const std::uint32_t distance = quotients + (remainders + count / 2) / count;
  record.mean = static_cast<std::int32_t>(static_cast<std::uint32_t>(record.minimum) + distance);
  return record;
}

json::Text level_text(HistoryLevel level) {
  if (level == HistoryLevel::above) return "above";
  return level == HistoryLevel::below ? json::Text("below") : json::Text("normal");
}

}  // namespace

namespace detail {

bool WorkbenchWatches::add(const WorkbenchCore& bench, std::size_t reading, Millis at) {
  WatchState& watch = bench.watches_[reading];
  if (!watch.is_on) return true;
  const std::size_t capacity = bench.options_.watch_values;
  const WorkbenchReading& row = bench.options_.readings[reading];
  // Only the values of options are needed that a body has.
  static constexpr HistoryOptions no_options;
  const HistoryView<std::int32_t> view{
      no_options, watch.thresholds, watch.history, bench.values_ + reading * capacity, bench.gaps_ + reading * capacity,
      capacity};
  return add_to_history(view, at, row.sensor->value(row.quantity));
}

void WorkbenchWatches::write(const WorkbenchCore& bench, std::size_t reading, json::Writer& json) {
  const WatchState& watch = bench.watches_[reading];
  if (!watch.is_on || watch.history.count == 0) return;
  const std::size_t capacity = bench.options_.watch_values;
  const Record record =
      record_of(watch, bench.values_ + reading * capacity, bench.gaps_ + reading * capacity, capacity);
  const std::uint8_t decimals = quantity_of(bench.options_.readings[reading]).decimals;
  json.key("watch");
  json.object_begin();
  json.member("count", record.count);
  json.member("seconds", record.length_ms / 1000);
  json.member("minimum", Scaled{record.minimum, decimals});
  json.member("maximum", Scaled{record.maximum, decimals});
  json.member("mean", Scaled{record.mean, decimals});
  if (watch.thresholds.has_above) json.member("notifyAbove", Scaled{watch.thresholds.above, decimals});
  if (watch.thresholds.has_below) json.member("notifyBelow", Scaled{watch.thresholds.below, decimals});
  if (watch.thresholds.has_above || watch.thresholds.has_below) json.member("level", level_text(watch.history.level));
  json.object_end();
}

}  // namespace detail

Errc WorkbenchCore::watch(const detail::WatchArguments& arguments, Call& call) const {
  constexpr std::size_t most_shown = 8;
  enter(call, options_.now());
  const auto index = static_cast<std::size_t>(arguments.reading);
  const WorkbenchReading& reading = options_.readings[index];
  const MeasuredSensor& sensor = *reading.sensor;
  const Quantity& quantity = detail::quantity_of(reading);
  WatchState& watch = watches_[index];
  detail::HistoryThresholds<std::int32_t> thresholds;
  thresholds.has_above = arguments.above.has_value();
  thresholds.has_below = arguments.below.has_value();
  if ((thresholds.has_above && !detail::to_scaled(*arguments.above, quantity.decimals, thresholds.above)) ||
      (thresholds.has_below && !detail::to_scaled(*arguments.below, quantity.decimals, thresholds.below)))
    return call.fail("A threshold is too large for ", reading.name, '.');
  if (thresholds.has_above && thresholds.has_below && thresholds.above < thresholds.below)
    return call.fail("above must not be less than below.");
  thresholds.above_end = thresholds.above;
  thresholds.below_end = thresholds.below;
  const bool has_thresholds = thresholds.has_above || thresholds.has_below;
  if (!watch.is_on || has_thresholds) {
    watch = {.history = {}, .thresholds = thresholds, .is_on = true};
    if (sensor.has_values()) static_cast<void>(detail::WorkbenchWatches::add(*this, index, sensor.measured_ms()));
  }
  if (!sensor.has_values()) return call.fail(describe(sensor.sensor(), sensor.error()));
  const std::int32_t* const values = values_ + index * options_.watch_values;
  const Millis* const gaps = gaps_ + index * options_.watch_values;
  const Record record = record_of(watch, values, gaps, options_.watch_values);
  const auto scaled = [&](std::int32_t value) { return Scaled{value, quantity.decimals}; };
  return call.result().text([&](TextWriter& text) {
    text.add(reading.name, " is ", detail::ReadingText{reading, sensor.value(reading.quantity)}, ", ",
             (options_.now() - sensor.measured_ms()) / 1000, " s ago. ");
    if (record.count == 1) {
      text.add("This is the first value.");
    } else {
      text.add(record.count, " values in ", record.length_ms / 1000, " s: ", scaled(record.minimum), " to ",
               scaled(record.maximum), ", mean ", scaled(record.mean), ". The newest first:");
      for_each(watch, values, gaps, options_.watch_values, [&](std::size_t i, std::int32_t value, Millis) {
        if (i < most_shown) text.add(' ', scaled(value));
      });
      text.add('.');
    }
    if (watch.history.level == HistoryLevel::above) text.add(" It is above ", scaled(watch.thresholds.above), '.');
    if (watch.history.level == HistoryLevel::below) text.add(" It is below ", scaled(watch.thresholds.below), '.');
  });
}

}  // namespace mcp
