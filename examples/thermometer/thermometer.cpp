// SPDX-License-Identifier: Apache-2.0
// A thermometer that a language model can read: the temperature as a resource it may subscribe to, the last hour
// through a URI template, an LED and the sampling interval as tools. Builds for a PC and for a board; device.hpp is all
// it knows of either, and nothing of how its clients reach it.
#include "thermometer.hpp"

#include "device.hpp"

namespace thermometer {
namespace {

using namespace std::literals;

// ---- Measuring ---------------------------------------------------------------------------------------------------

constexpr std::size_t history_minutes = 60;
constexpr mcp::Millis minute_ms = 60'000;

struct Thermometer {
  std::int32_t millidegrees;
  bool answers;  // the sensor did, at the last sample
  bool led;
  mcp::Millis interval_ms;
  mcp::Millis sampled_ms;
  mcp::Millis started_ms;
  // The last sample of each minute, in hundredths of a degree, as a ring; `minutes` have been begun so far.
  std::int16_t history[history_minutes];
  std::uint32_t minutes;
};
Thermometer state{};

// ---- Resources ------------------------------------------------------------------------------------------------------

mcp::Scaled celsius(std::int32_t millidegrees) { return {millidegrees, 3}; }

mcp::Errc read_temperature(mcp::ReadResult& out) {
  if (!state.answers) return mcp::Errc::unavailable;
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.member("celsius", celsius(state.millidegrees));
  json.object_end();
  return mcp::Errc::ok;
}

mcp::Errc read_info(mcp::ReadResult& out) {
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.member("hardware", device::hardware);
  json.member("uptimeSeconds", (device::now() - state.started_ms) / 1000);
  json.member("sampleIntervalMs", state.interval_ms);
  json.member("sensorAnswers", state.answers);
  json.member("led", state.led);
  json.object_end();
  return mcp::Errc::ok;
}

mcp::Errc read_history(const mcp::UriVariables& variables, mcp::ReadResult& out) {
  std::int32_t wanted = 0;
  if (const mcp::Errc errc = variables.integer("minutes", 1, history_minutes, wanted); errc != mcp::Errc::ok)
    return errc;
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.key("newestFirstCelsius");
  json.array_begin();
  for (std::uint32_t age = 0; age < static_cast<std::uint32_t>(wanted) && age < state.minutes; ++age) {
    json.number(mcp::Scaled{state.history[(state.minutes - 1 - age) % history_minutes], 2});
  }
  json.array_end();
  json.object_end();
  return mcp::Errc::ok;
}

constexpr mcp::Resource resources[] = {
    {.uri = "sensor://temperature",
     .name = "temperature",
     .title = "Temperature",
     .description = "The temperature in degrees Celsius, as of the last sample.",
     .mime_type = "application/json",
     .read = read_temperature,
     .subscribable = true},
    {.uri = "device://info",
     .name = "info",
     .title = "Device",
     .description = "What this device is and how it is set.",
     .mime_type = "application/json",
     .read = read_info},
};

constexpr mcp::ResourceTemplate resource_templates[] = {
    {.uri_template = "sensor://history/{minutes}",
     .name = "history",
     .title = "History",
     .description = "The last sample of each of the last 1 to 60 minutes, in degrees Celsius.",
     .mime_type = "application/json",
     .read = read_history},
};

// ---- Tools ----------------------------------------------------------------------------------------------------------

struct SetLed {
  bool on;
};

mcp::Errc set_led(const SetLed& arguments, mcp::Call& call) {
  device::led(arguments.on);
  state.led = arguments.on;
  return call.result().text("The LED is ", arguments.on ? "on"sv : "off"sv, ".");
}

constexpr auto set_led_params = mcp::params(mcp::param<&SetLed::on>("on", {.description = "true to switch it on"}));

struct SetSampleInterval {
  std::uint32_t milliseconds;
};

mcp::Errc set_sample_interval(const SetSampleInterval& arguments, mcp::Call& call) {
  state.interval_ms = arguments.milliseconds;
  return call.result().text("Sampling every ", arguments.milliseconds, " ms.");
}

constexpr auto set_sample_interval_params = mcp::params(mcp::param<&SetSampleInterval::milliseconds>(
    "milliseconds", {.description = "Time from one sample to the next", .minimum = 100, .maximum = 60'000}));

constexpr mcp::Tool tools[] = {
    mcp::tool<set_led>({.name = "set_led", .title = "LED", .description = "Switch the LED on or off."}, set_led_params),
    mcp::tool<set_sample_interval>({.name = "set_sample_interval",
                                    .title = "Sampling interval",
                                    .description = "Set how often the temperature is sampled."},
                                   set_sample_interval_params),
};

// ---- The server --------------------------------------------------------------------------------------------------

constexpr mcp::Definition definition{
    .name = "thermometer",
    .title = "Thermometer",
    .version = "1.0.0",
    .instructions = "Read sensor://temperature, or subscribe to it to be told when it changes.",
    .tools = tools,
    .resources = resources,
    .resource_templates = resource_templates,
    .subscriptions = true,
};

constexpr mcp::Limits limits{
    .receive_size = receive_size, .transmit_size = transmit_size, .sessions = sessions, .subscriptions = listeners};
constinit mcp::Storage<definition, limits> storage;

}  // namespace

constinit const mcp::Server server{storage, {.boot_id = device::boot_id}};

mcp::Millis sample(mcp::Millis now) {
  if (state.minutes == 0) {
    state.interval_ms = 1000;
    state.started_ms = now;
  } else if (const mcp::Millis passed = now - state.sampled_ms; passed < state.interval_ms) {
    return state.interval_ms - passed;
  }
  state.sampled_ms = now;

  std::int32_t value = state.millidegrees;
  const bool answers = device::read_millidegrees(value);
  if (answers != state.answers || value != state.millidegrees) server.resource_updated(resources[0]);
  state.answers = answers;
  state.millidegrees = value;

  const std::uint32_t minute = (now - state.started_ms) / minute_ms;
  while (state.minutes <= minute) ++state.minutes;
  state.history[minute % history_minutes] = static_cast<std::int16_t>(value / 10);
  return state.interval_ms;
}

}  // namespace thermometer
