// SPDX-License-Identifier: Apache-2.0
// Temperature and humidity: now, and since a time. A resource that asks the user.
#pragma once

#include <mcp/history.hpp>
#include <mcp/read_input.hpp>
#include <mcp/server.hpp>

#include <cstdint>

#include "platform.hpp"

namespace climate {

/// Takes a sample if one is due. Returns the milliseconds until the next.
mcp::Millis sample(mcp::Millis now);

// ---- The last samples ----

inline constexpr mcp::HistoryOptions celsius{.now = platform::now,
                                             .utc_ms = platform::utc_ms,
                                             .unit = "Cel",
                                             .decimals = 2,
                                             .notify_above = 27,
                                             .notify_below = 5,
                                             .hysteresis = 0.5};
inline constinit mcp::History<celsius, 96> temperature;

inline constexpr mcp::Resource temperature_history = mcp::history<temperature>(
    {.uri = "climate://temperature/history",
     .name = "temperature_history",
     .title = "Temperature",
     .description = "The last 96 samples. A subscriber is notified above 27 and below 5 degrees, and after that.",
     .subscribable = true});
inline constexpr mcp::ResourceTemplate temperature_since = mcp::history_since<temperature>(
    {.uri_template = "climate://temperature/history{?since,until}", .name = "temperature_since"});

// ---- Now ----

struct Climate {
  float celsius;
  std::int32_t humidity;
};
inline constexpr auto climate_output =
    mcp::output(mcp::param<&Climate::celsius>("temperature", {.minimum = -40, .maximum = 85, .unit = "Cel"}),
                mcp::param<&Climate::humidity>("humidity", {.minimum = 0, .maximum = 100, .unit = "%"}));

mcp::Errc handle_measure(Climate& out, mcp::Call& call);
inline constexpr mcp::ToolExtras measure_extras{.annotations = {.read_only_hint = true}};
inline constexpr mcp::Tool measure = mcp::tool<handle_measure>({.name = "measure_climate",
                                                                .title = "Climate",
                                                                .description = "Measure temperature and humidity.",
                                                                .extras = measure_extras},
                                                               climate_output);

// For people. A client of 2026-07-28 asks its user for the unit, other clients get Celsius.
mcp::Errc read_current(mcp::AskReadResult& out);
inline constexpr mcp::Resource current =
    mcp::ask_read<read_current>({.uri = "climate://now",
                                 .name = "climate_now",
                                 .title = "Climate now",
                                 .description = "In the unit that the user prefers.",
                                 .mime_type = "text/plain"});

}  // namespace climate
