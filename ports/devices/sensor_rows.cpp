// SPDX-License-Identifier: Apache-2.0
#include "mcp/devices/sensor_rows.hpp"

#include <mcp/server.hpp>

#include <algorithm>

namespace mcp {
namespace {

// The milliseconds to `at`; 0 if it has passed.
Millis time_to(Millis at, Millis now) { return at - now < 0x8000'0000 ? at - now : 0; }

bool is_first(std::span<const SensorRow> rows, std::size_t i) { return i == 0 || rows[i].sensor != rows[i - 1].sensor; }

// Whether the device of a sensor measures for another one. A begin would spoil that measurement.
bool is_device_busy(std::span<const SensorRow> rows, const MeasuredSensor& sensor) {
  const unsigned address = sensor.sensor().address();
  return address != 0 && !sensor.is_measuring() && std::ranges::any_of(rows, [&](const SensorRow& row) {
           return row.sensor->is_measuring() && row.sensor->sensor().address() == address;
         });
}

}  // namespace

bool MeasuredSensor::poll() {
  const Millis now = options_.now();
  if (has_begun_ && time_to(due_at_ms_, now) != 0) return false;
  if (!is_measuring_) {
    begun_ms_ = now;
    has_begun_ = true;
    const Sensor::Begun begun = sensor_.begin();
    if (begun.error) return end(begun.error, now);
    due_at_ms_ = now + begun.ready_ms;
    is_measuring_ = true;
    if (begun.ready_ms != 0) return false;
  }
  return end(sensor_.collect(), now);
}

bool MeasuredSensor::end(const SensorError& error, Millis now) {
  const bool is_news = !error || !has_ended_ || error != error_;
  error_ = error;
  measured_ms_ = now;
  has_ended_ = true;
  is_measuring_ = false;
  due_at_ms_ = begun_ms_ + options_.interval_ms;
  return is_news;
}

Millis MeasuredSensor::due_ms() const { return has_begun_ ? time_to(due_at_ms_, options_.now()) : 0; }

Errc MeasuredSensor::read(ReadResult& out) const {
  if (!has_values()) return out.fail(describe(sensor_, error()));
  json::Writer& json = out.json();
  json.object_begin();
  for (std::size_t i = 0; i < sensor_.quantities().size(); ++i) {
    const Quantity& quantity = sensor_.quantities()[i];
    json.key(quantity.name);
    json.object_begin();
    json.member("value", Scaled{sensor_.value(i), quantity.decimals});
    json.member("unit", quantity.unit);
    json.object_end();
  }
  json.member("secondsAgo", (options_.now() - measured_ms_) / 1000);
  json.object_end();
  return Errc::ok;
}

Millis poll_sensors(std::span<const SensorRow> rows, const Server& server) {
  bool is_news = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SensorRow& row = rows[i];
    if (is_first(rows, i)) is_news = !is_device_busy(rows, *row.sensor) && row.sensor->poll();
    if (!is_news) continue;
    const bool has_changed = row.changed == nullptr || row.changed(*row.sensor);
    if (has_changed && row.row != nullptr) server.resource_updated(*row.row);
  }
  Millis due = forever;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_first(rows, i) && !is_device_busy(rows, *rows[i].sensor)) due = std::min(due, rows[i].sensor->due_ms());
  }
  return due;
}

void measure_sensors(std::span<const SensorRow> rows, const Server& server) {
  const auto has_ended = [](const SensorRow& row) { return row.sensor->error().fault() != SensorFault::not_begun; };
  do {
    poll_sensors(rows, server);
  } while (!std::ranges::all_of(rows, has_ended));
}

}  // namespace mcp
