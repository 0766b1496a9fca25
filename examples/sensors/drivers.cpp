// SPDX-License-Identifier: Apache-2.0
#include "drivers.hpp"

#include <mcp/devices/bme280.hpp>
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sht4x.hpp>
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_i2c.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>

namespace drivers {
namespace {

constexpr mcp::MeasureOptions each_second{.now = mcp::posix::now, .interval_ms = 1000};

// A driver gets its bus from a function without arguments.
struct Bus {
  const char* path = nullptr;
  alignas(mcp::posix::I2cDevice) std::byte memory[sizeof(mcp::posix::I2cDevice)] = {};
};
Bus buses[most_buses];

template <std::size_t i>
mcp::I2cBus& bus() {
  return *std::launder(reinterpret_cast<mcp::posix::I2cDevice*>(buses[i].memory));
}
constexpr mcp::I2cBusOf bus_functions[most_buses] = {bus<0>, bus<1>, bus<2>, bus<3>};

struct Slot {
  mcp::MeasuredSensor* sensor = nullptr;
  char name[64] = {};
  const Bus* bus = nullptr;
  alignas(8) std::byte memory[256] = {};
};
Slot slots[most_sensors];
std::size_t count = 0;

template <class Driver>
mcp::MeasuredSensor* make(Slot& slot, mcp::I2cBusOf bus_of, std::uint8_t address) {
  using Sensor = mcp::Measured<Driver, each_second>;
  static_assert(sizeof(Sensor) <= sizeof slot.memory && alignof(Sensor) <= 8);
  return new (slot.memory) Sensor(bus_of, address);
}

struct Type {
  const char* name;
  mcp::MeasuredSensor* (*make)(Slot& slot, mcp::I2cBusOf bus_of, std::uint8_t address);
  std::uint8_t first;  // the addresses of the device
  std::uint8_t last;
};
constexpr Type all_types[] = {
    {"lm75", make<mcp::Lm75>, 0x48, 0x4F},     {"lm75b", make<mcp::Lm75b>, 0x48, 0x4F},
    {"tmp102", make<mcp::Tmp102>, 0x48, 0x4B}, {"tmp105", make<mcp::Tmp105>, 0x48, 0x4F},
    {"bme280", make<mcp::Bme280>, 0x76, 0x77}, {"bmp280", make<mcp::Bmp280>, 0x76, 0x77},
    {"sht4x", make<mcp::Sht4x>, 0x44, 0x46},
};

// Opens a bus, or finds the one with this path. Returns most_buses if there is no space, or it cannot be opened.
std::size_t open_bus(const char* path, const char*& error) {
  for (std::size_t i = 0; i < most_buses; ++i) {
    if (buses[i].path == nullptr) {
      buses[i].path = path;
      if ((new (buses[i].memory) mcp::posix::I2cDevice(path))->ok()) return i;
      error = "--sensor: there is no such I2C bus, or the program may not open it:";
      return most_buses;
    }
    if (std::strcmp(buses[i].path, path) == 0) return i;
  }
  error = "--sensor: too many buses:";
  return most_buses;
}

// A measurement of another sensor with this address on this bus would be spoilt by a begin.
bool is_device_busy(const Slot& slot) {
  return std::ranges::any_of(std::span(slots).first(count), [&](const Slot& other) {
    return &other != &slot && other.bus == slot.bus && other.sensor->is_measuring() &&
           other.sensor->sensor().address() == slot.sensor->sensor().address();
  });
}

}  // namespace

const char* add(char* text) {
  constexpr const char* usage = "--sensor is TYPE@/dev/i2c-N:ADDRESS, not";
  char* const at = std::strchr(text, '@');
  char* const colon = std::strrchr(text, ':');
  if (at == nullptr || colon == nullptr || colon < at) return usage;
  char* end = nullptr;
  const unsigned long address = std::strtoul(colon + 1, &end, 0);
  const std::string_view type_name(text, static_cast<std::size_t>(at - text));
  const auto* const type = std::ranges::find_if(all_types, [&](const Type& one) { return type_name == one.name; });
  if (type == std::end(all_types)) return "--sensor: unknown type:";
  if (end == colon + 1 || *end != '\0' || address < type->first || address > type->last)
    return "--sensor: the device cannot have this address:";
  if (count == most_sensors) return "--sensor: too many sensors:";
  Slot& slot = slots[count];
  const char* const file = std::strrchr(at, '/');
  *colon = '\0';
  const int size = std::snprintf(slot.name, sizeof slot.name, "i2c/%s/%s/0x%02lx", type->name,
                                 file != nullptr ? file + 1 : at + 1, address);
  const char* error = size < static_cast<int>(sizeof slot.name) ? nullptr : usage;
  for (std::size_t i = 0; i < count && error == nullptr; ++i) {
    if (std::strcmp(slots[i].name, slot.name) == 0) error = "--sensor: this sensor is there already:";
  }
  const std::size_t number = error == nullptr ? open_bus(at + 1, error) : most_buses;
  if (number == most_buses) return *colon = ':', error;
  slot.bus = &buses[number];
  slot.sensor = type->make(slot, bus_functions[number], static_cast<std::uint8_t>(address));
  ++count;
  return nullptr;
}

mcp::Millis poll() {
  mcp::Millis due = mcp::forever;
  for (Slot& slot : std::span(slots).first(count)) {
    if (is_device_busy(slot)) continue;
    static_cast<void>(slot.sensor->poll());
    due = std::min(due, slot.sensor->due_ms());
  }
  return due;
}

const mcp::MeasuredSensor* sensor(std::size_t number) { return number < count ? slots[number].sensor : nullptr; }

std::string_view name(std::size_t number) { return slots[number].name; }

}  // namespace drivers
