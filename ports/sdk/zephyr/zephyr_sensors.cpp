// SPDX-License-Identifier: Apache-2.0
// The rows and tools of the devices. Their list is a section of the image, which the linker script of Zephyr collects.
#include "mcp/ports/zephyr_sensors.hpp"

#include <mcp/server.hpp>

#include <algorithm>

#include <zephyr/drivers/sensor.h>
#include <zephyr/sys/iterable_sections.h>

#ifdef CONFIG_SENSOR_INFO
// In no namespace, because the loop declares the symbols of the section, and in a namespace they would have other
// names.
static std::size_t add_devices(mcp::zephyr::DeviceTable& table) {
  std::size_t left_out = 0;
  STRUCT_SECTION_FOREACH(sensor_info, info) {
    if (!table.add(info->dev, info->friendly_name)) ++left_out;
  }
  return left_out;
}

std::size_t mcp::zephyr::DeviceTable::add_all() { return add_devices(*this); }
#endif

namespace mcp::zephyr {
namespace {

bool is_of_tool_name(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

}  // namespace

bool DeviceTable::add(const struct device* device, const char* title) {
  if (count_ == capacity_) return false;
  Entry& entry = entries_[count_++];
  entry.measured.device_sensor().set_device(device);
  entry.title = title;
  return true;
}

// The thread has the least priority, so others delay it, and a driver may take longer than before.
Millis DeviceTable::wait_for_thread(Entry& entry) {
  MeasuredDevice& measured = entry.measured;
  if (!measured.is_measuring() || measured.due_ms() != 0 || !measured.device_sensor().is_awaited()) {
    entry.is_late = false;
    return 0;
  }
  const Millis now = device_options.now();
  if (!entry.is_late) entry.late_at_ms = now;
  entry.is_late = true;
  const Millis late_ms = now - entry.late_at_ms;
  return late_ms < device_options.interval_ms ? device_options.interval_ms - late_ms : 0;
}

Millis DeviceTable::poll(const Server& server) {
  Millis due_ms = forever;
  for (std::uint16_t number = 0; number < count_; ++number) {
    if (const Millis wait_ms = wait_for_thread(entries_[number]); wait_ms != 0) {
      due_ms = std::min(due_ms, wait_ms);
      continue;
    }
    MeasuredDevice& measured = entries_[number].measured;
    if (measured.poll()) server.found_resource_updated(number);
    due_ms = std::min(due_ms, measured.due_ms());
  }
  return due_ms;
}

std::string_view DeviceTable::name(std::uint16_t number) const { return entries_[number].measured.sensor().name(); }

unsigned DeviceTable::rank(std::uint16_t number) const {
  unsigned rank = 1;
  for (std::uint16_t i = 0; i < number; ++i) rank += name(i) == name(number) ? 1U : 0U;
  return rank;
}

void DeviceTable::write_name(std::uint16_t number, TextWriter& out) const {
  out.add(name(number));
  if (const unsigned rank = this->rank(number); rank > 1) out.add('~', rank);
}

bool DeviceTable::describe(std::uint16_t number, FoundResource& row) const {
  if (number >= count_) return false;
  const std::string_view whole = name(number);
  const std::size_t at = std::min(whole.find('@'), whole.size());
  const std::string_view after = whole.substr(at);
  const unsigned rank = this->rank(number);
  const auto suffix = [&](TextWriter& out) {
    if (rank > 1) out.add('~', rank);
  };
  // The character before the address needs no escape in a path.
  row.uri("sensor://zephyr/", UriText{whole.substr(0, at)}, after.substr(0, 1),
          UriText{after.substr(after.empty() ? 0 : 1)}, suffix);
  row.name([&](TextWriter& out) { write_name(number, out); });
  if (entries_[number].title != nullptr) row.title(std::string_view(entries_[number].title));
  row.mime_type("application/json");
  return true;
}

bool DeviceTable::describe(std::uint16_t number, FoundTool& row) const {
  if (number >= count_) return false;
  row.name("read_", [&](TextWriter& out) {
    for (const char c : name(number)) out.add(is_of_tool_name(c) ? c : '_');
    if (const unsigned rank = this->rank(number); rank > 1) out.add('_', rank);
  });
  if (entries_[number].title != nullptr) row.title(std::string_view(entries_[number].title));
  row.description(
      "Reads the sensor ", [&](TextWriter& out) { write_name(number, out); }, '.');
  return true;
}

void DeviceTable::write_error(std::uint16_t number, TextWriter& out) const {
  const MeasuredDevice& measured = entries_[number].measured;
  const DeviceSensor& sensor = measured.device_sensor();
  write_name(number, out);
  out.add(": ");
  if (!sensor.is_ready()) {
    out.add("The driver did not find the device at the start. Check its power and its wires, and restart.");
  } else {
    if (sensor.driver_error() != 0) out.add("The driver returns ", sensor.driver_error(), ". ");
    out.add(remedy(measured.error()));
  }
}

void DeviceTable::write_values(std::uint16_t number, TextWriter& out) const {
  const MeasuredDevice& measured = entries_[number].measured;
  const std::span<const Quantity> quantities = measured.sensor().quantities();
  out.add('{');
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    out.add('"', quantities[i].name, "\":{\"value\":", Scaled{measured.value(i), quantities[i].decimals},
            ",\"unit\":\"", quantities[i].unit, "\"},");
  }
  out.add("\"secondsAgo\":", (device_options.now() - measured.measured_ms()) / 1000, '}');
}

Errc DeviceTable::read(std::uint16_t number, ReadResult& out) const {
  const MeasuredDevice& measured = entries_[number].measured;
  if (measured.has_values()) return measured.read(out);
  return out.fail([&](TextWriter& text) { write_error(number, text); });
}

Errc DeviceTable::call(std::uint16_t number, Call& call) const {
  if (!entries_[number].measured.has_values()) {
    return call.fail([&](TextWriter& text) { write_error(number, text); });
  }
  return call.result().text([&](TextWriter& text) { write_values(number, text); });
}

}  // namespace mcp::zephyr
