// SPDX-License-Identifier: Apache-2.0
// The schedule: which beds get water, how often, and on which condition. Nested arguments with lists, and the same
// struct as body.
#pragma once

#include <mcp/server.hpp>

#include <cstdint>
#include <optional>

#include "plant.hpp"

namespace schedule {

/// Waters the beds that are due. Returns the milliseconds until the next call.
mcp::Millis poll(mcp::Millis now);

struct Condition {
  std::int32_t moisture_below;
};
struct Entry {
  mcp::List<std::uint8_t, plant::beds> beds;
  std::int32_t every_minutes;
  std::int32_t seconds;
  Condition only_if;
};
struct Schedule {
  mcp::List<Entry, 8> entries;
  std::optional<mcp::FixedString<32>> set_by;  // the name that the client gives itself
};

// As arguments.
inline constexpr auto condition_params = mcp::params(mcp::param<&Condition::moisture_below>(
    "moistureBelow", {.minimum = 1, .maximum = 100, .default_value = 100, .unit = "%"}));
inline constexpr auto entry_params =
    mcp::params(mcp::param<&Entry::beds>("beds", {.description = "One after the other",
                                                  .min_items = 1,
                                                  .items = {.minimum = 1, .maximum = plant::beds},
                                                  .unique_items = true}),
                mcp::param<&Entry::every_minutes>("everyMinutes",
                                                  {.minimum = 15, .maximum = 1440, .multiple_of = 15, .unit = "min"}),
                mcp::param<&Entry::seconds>("seconds", {.minimum = 1, .maximum = 30, .unit = "s"}),
                mcp::param<&Entry::only_if>("onlyIf", {.fields = condition_params}));
inline constexpr auto set_schedule_params = mcp::params(
    mcp::without<&Schedule::set_by>, mcp::param<&Schedule::entries>("entries", {.description = "Replaces all entries",
                                                                                .items = {.fields = entry_params}}));

mcp::Errc handle_set_schedule(const Schedule& arguments, mcp::Call& call);
inline constexpr mcp::ToolExtras set_schedule_extras{
    .annotations = {.destructive_hint = true, .idempotent_hint = true}};
inline constexpr mcp::Tool set_schedule = mcp::tool<handle_set_schedule>({.name = "set_schedule",
                                                                          .title = "Schedule",
                                                                          .description = "Set when beds get water.",
                                                                          .extras = set_schedule_extras,
                                                                          .scope = "schedule"},
                                                                         set_schedule_params);

// As a body.
inline constexpr auto condition_output = mcp::output(mcp::param<&Condition::moisture_below>("moistureBelow"));
inline constexpr auto entry_output = mcp::output(
    mcp::param<&Entry::beds>("beds"), mcp::param<&Entry::every_minutes>("everyMinutes"),
    mcp::param<&Entry::seconds>("seconds"), mcp::param<&Entry::only_if>("onlyIf", {.fields = condition_output}));
inline constexpr auto schedule_output =
    mcp::output(mcp::param<&Schedule::entries>("entries", {.items = {.fields = entry_output}}),
                mcp::param<&Schedule::set_by>("setBy"));

mcp::Errc read(Schedule& out);
inline constexpr mcp::Resource current = mcp::resource<read, schedule_output>({.uri = "schedule://current",
                                                                               .name = "schedule",
                                                                               .title = "Schedule",
                                                                               .description = "When beds get water.",
                                                                               .subscribable = true});

}  // namespace schedule
