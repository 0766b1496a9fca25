// SPDX-License-Identifier: Apache-2.0
// The tool read_pins, and the resources.
#include "mcp/workbench/core.hpp"
#include "mcp/workbench/workbench_checks.hpp"
#include "ports/workbench/workbench_texts.hpp"

namespace mcp {

using detail::level_name;
using detail::PinRole;

namespace {

// A line of read_pins and the end of the message after it fit into this many bytes.
constexpr std::size_t pin_line_size = 240;

void write_uses(json::Writer& json, PinUse uses) {
  struct Named {
    PinUse use;
    json::Text name;
  };
  static constexpr Named names[] = {{PinUse::input, "input"},   {PinUse::output, "output"},   {PinUse::pwm, "pwm"},
                                    {PinUse::analog, "analog"}, {PinUse::capture, "capture"}, {PinUse::hold, "hold"}};
  json.key("uses");
  json.array_begin();
  for (const Named& one : names) {
    if (has_use(uses, one.use)) json.string(one.name);
  }
  json.array_end();
}

void write_time(json::Writer& json, json::Text name, Millis value) {
  if (value != 0) json.member(name, value);
}

}  // namespace

// Who uses a pin and for how long, or why it is at rest.
void WorkbenchCore::write_use(std::size_t pin, std::uint8_t client, Millis now, TextWriter& text) const {
  const WorkbenchPin& row = options_.pins[pin];
  const PinState& state = pins_[pin];
  if (flags_.is_capturing && flags_.captured_pin == pin) return text.add(", captured");
  if (state.role == PinRole::rest) {
    text.add(row.rest == PinRest::input ? ", input" : ", at rest");
    if (state.reason != Reason::none) text.add(" (", detail::reason_name(state.reason), ')');
    return;
  }
  text.add(state.role == PinRole::hold ? ", by hold" : ", output");
  text.add(" of ");
  if (state.client == client && client != no_client) {
    text.add("you");
  } else {
    text.add(holder(pin));
  }
  const Millis left = time_left(pin, now);
  if (left != forever) text.add(", to rest in ", left, " ms");
}

void WorkbenchCore::write_pin(std::size_t pin, unsigned samples, std::uint8_t client, Millis now,
                              TextWriter& text) const {
  const WorkbenchPin& row = options_.pins[pin];
  const PinState& state = pins_[pin];
  text.add(row.name, ": ");
  if (has_use(row.uses, PinUse::analog)) {
    std::int32_t millivolts = 0;
    const PinError error = options_.chip().millivolts(row.number, samples, millivolts);
    if (error != PinError::none) return text.add("unavailable. ", remedy(error));
    return text.add(Scaled{millivolts, 3}, " V");
  }
  if (state.is_unavailable)
    return text.add(
        "unavailable, it did not go to rest",
        state.error == PinError::none ? std::string_view(": its wire has another level") : std::string_view(), ". ",
        state.error == PinError::none ? std::string_view("Check the wires.") : remedy(state.error));
  if (state.role == PinRole::pwm) {
    text.add("pulses of ", Scaled{state.permille, 1}, " % at ", state.hz, " Hz");
    return write_use(pin, client, now, text);
  }
  bool is_high = false;
  const PinError error = options_.chip().level(row.number, is_high);
  if (error != PinError::none) return text.add("unavailable. ", remedy(error));
  text.add(level_name(is_high));
  // A short circuit that came after the pin was driven.
  if (state.is_away && is_high != state.is_high) text.add(" (driven ", level_name(state.is_high), ": short circuit?)");
  write_use(pin, client, now, text);
}

Errc WorkbenchCore::read_pins(std::span<const detail::WorkbenchPinId> pins, unsigned samples, Call& call) const {
  const Millis now = options_.now();
  const std::uint8_t client = enter(call, now);
  const std::size_t count = pins.empty() ? options_.pins.size() : pins.size();
  const json::Writer& writer = call.writer();
  return call.result().text([&](TextWriter& text) {
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0) text.add('\n');
      if (writer.rest().size() < pin_line_size) return text.add("There is no space for the others: name them in pins.");
      write_pin(pins.empty() ? i : static_cast<std::size_t>(pins[i]), samples, client, now, text);
    }
  });
}

Errc WorkbenchCore::write_pins(ReadResult& out) const {
  json::Writer& json = out.json();
  json.object_begin();
  for (std::size_t i = 0; i < options_.pins.size(); ++i) {
    const WorkbenchPin& pin = options_.pins[i];
    json.key(pin.name);
    json.object_begin();
    write_uses(json, pin.uses);
    if (!pin.note.empty()) json.member("note", pin.note);
    if (has_use(pin.uses, detail::driven_uses))
      json.member("rest", pin.rest == PinRest::input ? "input" : level_name(pin.rest == PinRest::high));
    write_time(json, "awayMs", pin.away_ms);
    write_time(json, "restMs", pin.rest_ms);
    if (pin.budget.away_ms != 0) {
      json.member("budgetMs", pin.budget.away_ms);
      json.member("windowMs", pin.budget.window_ms);
    }
    if (pin.is_dangerous) json.member("asksUser", true);
    if (pins_[i].is_unavailable) json.member("unavailable", true);
    json.object_end();
  }
  json.object_end();
  return Errc::ok;
}

Errc WorkbenchCore::write_readings(ReadResult& out) const {
  const Millis now = options_.now();
  settle(now);
  json::Writer& json = out.json();
  json.object_begin();
  for (std::size_t i = 0; i < options_.readings.size(); ++i) {
    const WorkbenchReading& reading = options_.readings[i];
    const MeasuredSensor& sensor = *reading.sensor;
    const Quantity& quantity = detail::quantity_of(reading);
    json.key(reading.name);
    json.object_begin();
    if (sensor.has_values()) {
      json.member("value", Scaled{sensor.value(reading.quantity), quantity.decimals});
      json.member("unit", quantity.unit);
      json.member("secondsAgo", (now - sensor.measured_ms()) / 1000);
    } else {
      json.member("problem", remedy(sensor.error()));
    }
    if (parts_.write_watch != nullptr) parts_.write_watch(*this, i, json);
    json.object_end();
  }
  if (parts_.write_holds != nullptr) parts_.write_holds(*this, json, now);
  json.object_end();
  return Errc::ok;
}

}  // namespace mcp
