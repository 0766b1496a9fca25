// SPDX-License-Identifier: Apache-2.0
// Serves each sensor that the Linux kernel knows, and those of --sensor, over stdio: as resources, and with two tools
// for hosts that give their model tools only.
#include <mcp/found.hpp>
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_sensors.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "drivers.hpp"
#include "options.hpp"

namespace {

constexpr std::uint16_t most_kernel_sensors = 1024;
constexpr std::uint16_t most_rows = most_kernel_sensors + drivers::most_sensors;
constexpr int rows_of_a_page = 100;
constexpr mcp::Millis refresh_ms = 2000;
constexpr std::string_view scheme = "sensor://";

Options options;
mcp::posix::KernelSensor table[most_kernel_sensors];

mcp::posix::KernelSensors& kernel() {
  static mcp::posix::KernelSensors sensors{table, options.root, options.wait_ms};
  return sensors;
}

// ---- Resources ---------------------------------------------------------------------------------------------------

// The rows of the kernel come first.
const mcp::MeasuredSensor* driver_of(std::uint16_t number) {
  return number < most_kernel_sensors ? nullptr : drivers::sensor(number - most_kernel_sensors);
}

bool describe(std::uint16_t number, mcp::FoundResource& row) {
  if (number < most_kernel_sensors) return kernel().describe(number, row);
  const mcp::MeasuredSensor* const sensor = driver_of(number);
  if (sensor == nullptr) return false;
  const std::string_view name = drivers::name(number - most_kernel_sensors);
  row.uri(scheme, mcp::UriText{name});
  row.name(name);
  row.title(sensor->sensor().name());
  row.mime_type("application/json");
  return true;
}

mcp::Errc read(std::uint16_t number, mcp::ReadResult& out) {
  const mcp::MeasuredSensor* const sensor = driver_of(number);
  return sensor != nullptr ? sensor->read(out) : kernel().read(number, out);
}

std::uint16_t find(std::string_view uri) {
  const std::string_view name = uri.starts_with(scheme) ? uri.substr(scheme.size()) : uri;
  for (std::size_t i = 0; drivers::sensor(i) != nullptr; ++i) {
    if (drivers::name(i) == name) return static_cast<std::uint16_t>(most_kernel_sensors + i);
  }
  return kernel().find(uri);
}

constexpr mcp::FoundResources found{.numbers = most_rows, .describe = describe, .read = read, .find = find};

// ---- Tools -------------------------------------------------------------------------------------------------------

struct Filter {
  std::string_view contains;
  std::int32_t from;
};

void write_left_out(mcp::TextWriter& text) {
  text.add(kernel().first_omitted());
  if (kernel().omitted() > 1) text.add(" and ", kernel().omitted() - 1, " more");
  text.add(kernel().omitted() > 1 ? " are" : " is", " left out: there are at most ", most_kernel_sensors, " sensors.");
}

// Writes a line if the name or the label contains the text. Returns whether it does.
bool write_row(mcp::TextWriter* text, std::uint16_t number, std::string_view contains) {
  std::string_view name;
  std::string_view label;
  std::string_view what;
  std::string_view unit;
  if (const mcp::MeasuredSensor* const driver = driver_of(number)) {
    name = drivers::name(number - most_kernel_sensors);
    what = driver->sensor().name();
  } else if (const mcp::posix::KernelSensor* const sensor = kernel().sensor(number)) {
    name = sensor->name();
    label = sensor->label();
    what = sensor->quantity();
    unit = sensor->unit();
  }
  if (name.empty() || (name.find(contains) == name.npos && label.find(contains) == label.npos)) return false;
  if (text == nullptr) return true;
  text->add(name, ": ", what);
  if (!unit.empty()) text->add(" in ", unit);
  if (!label.empty()) text->add(", ", label);
  text->add('\n');
  return true;
}

mcp::Errc list_sensors(const Filter& filter, mcp::Call& call) {
  return call.result().text([&](mcp::TextWriter& text) {
    std::int32_t matches = 0;
    for (std::uint16_t number = 0; number < most_rows; ++number) {
      const bool is_in_page = matches >= filter.from && matches < filter.from + rows_of_a_page;
      if (write_row(is_in_page ? &text : nullptr, number, filter.contains)) ++matches;
    }
    if (matches == 0) text.add("There is no such sensor.\n");
    if (matches > filter.from + rows_of_a_page) {
      text.add(matches - filter.from - rows_of_a_page,
               " more: call list_sensors with from = ", filter.from + rows_of_a_page, ".\n");
    }
    if (kernel().omitted() != 0) write_left_out(text);
  });
}

struct Name {
  std::string_view name;
};

mcp::Errc read_driver(const mcp::MeasuredSensor& measured, mcp::Call& call) {
  if (!measured.has_values()) return call.fail(mcp::describe(measured.sensor(), measured.error()));
  return call.result().text([&](mcp::TextWriter& text) {
    const std::span<const mcp::Quantity> quantities = measured.sensor().quantities();
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      text.add(i == 0 ? "" : ", ", quantities[i].name, ' ', mcp::Scaled{measured.value(i), quantities[i].decimals}, ' ',
               quantities[i].unit);
    }
  });
}

mcp::Errc read_sensor(const Name& arguments, mcp::Call& call) {
  const std::uint16_t number = find(arguments.name);
  if (const mcp::MeasuredSensor* const driver = driver_of(number)) return read_driver(*driver, call);
  if (kernel().sensor(number) == nullptr) return call.fail("There is no sensor of this name. Call list_sensors.");
  const mcp::posix::KernelReading reading = kernel().measure(number);
  return reading.ok() ? call.result().text(reading) : call.fail(reading);
}

constexpr mcp::ToolExtras reads{.annotations = {.read_only_hint = true}};
constexpr auto filter_params = mcp::params(
    mcp::param<&Filter::contains>(
        "contains", {.description = "A part of the name or of the label; empty: all sensors", .default_value = ""}),
    mcp::param<&Filter::from>(
        "from", {.description = "How many sensors to skip", .minimum = 0, .maximum = most_rows, .default_value = 0}));
constexpr auto name_params =
    mcp::params(mcp::param<&Name::name>("name", {.description = "The name as list_sensors gives it, or the URI"}));
constexpr mcp::Tool tools[] = {
    mcp::tool<list_sensors>({.name = "list_sensors",
                             .title = "List the sensors",
                             .description = "List the names, quantities and units of the sensors of this machine.",
                             .extras = reads},
                            filter_params),
    mcp::tool<read_sensor>({.name = "read_sensor",
                            .title = "Read a sensor",
                            .description = "Read the value of one sensor, with its unit and its bounds.",
                            .extras = reads},
                           name_params)};

// ---- The server --------------------------------------------------------------------------------------------------

constexpr mcp::Definition definition{
    .name = "mote-sensors",
    .title = "Sensors of this machine",
    .version = "1.0.0",
    .instructions = "Each resource sensor://… is a sensor. With tools only, call list_sensors and read_sensor.",
    .tools = tools,
    .found_resources = found,
    .list_changes = true,
};
constexpr mcp::Limits limits{.receive_size = 4096, .transmit_size = 65'536};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage};

// Sensors that are left out are never silent.
void report_left_out() {
  static std::size_t reported = 0;
  if (kernel().omitted() == reported) return;
  reported = kernel().omitted();
  if (reported == 0) return;
  const std::string_view first = kernel().first_omitted();
  static_cast<void>(std::fprintf(stderr, "mote-sensors: left out, because there are at most %d: %.*s and %zu more\n",
                                 most_kernel_sensors, static_cast<int>(first.size()), first.data(), reported - 1));
}

}  // namespace

int main(int argc, char** argv) {
  if (!read_options(argc, argv, options)) return 2;
  kernel().scan();
  report_left_out();
  mcp::posix::Stdio stdio;
  mcp::StdioTransport transport{server, stdio};
  mcp::Millis refreshed_ms = mcp::posix::now();
  while (!transport.closed()) {
    const mcp::Millis now = mcp::posix::now();
    if (now - refreshed_ms >= refresh_ms) {
      refreshed_ms = now;
      if (kernel().refresh()) server.found_resources_changed();
      report_left_out();
    }
    const mcp::Millis drivers_ms = drivers::poll();
    const mcp::Millis left_ms = refresh_ms - std::min(refresh_ms, mcp::posix::now() - refreshed_ms);
    stdio.wait(std::min({transport.poll(now), drivers_ms, left_ms}));
  }
  return 0;
}
