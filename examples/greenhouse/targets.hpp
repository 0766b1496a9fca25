// SPDX-License-Identifier: Apache-2.0
// The targets: how moist the soil of each crop should be, and how warm the air. A map of names, a value that can be
// null, and a result whose items have different forms.
#pragma once

#include <mcp/server.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

#include "plant.hpp"

namespace targets {

/// What moisture() returns for a crop without a target.
inline constexpr std::uint8_t no_target = 100;
/// Moisture that the soil of a crop should have, in percent.
std::uint8_t moisture(std::string_view crop);

struct Targets {
  mcp::Map<std::uint8_t, plant::beds> moisture;           // by crop
  std::optional<mcp::Nullable<std::int8_t>> temperature;  // absent: as before; null: the heating is off
};

// As arguments.
inline constexpr auto set_targets_params = mcp::params(
    mcp::param<&Targets::moisture>("moisture", {.description = "Replaces all targets. The names are crops",
                                                .items = {.minimum = 10, .maximum = 90, .unit = "%"}}),
    mcp::param<&Targets::temperature>(
        "temperature",
        {.description = "The heating is on below it; null: never", .minimum = 5, .maximum = 30, .unit = "Cel"}));

mcp::Errc handle_set_targets(const Targets& arguments, mcp::Call& call);
inline constexpr mcp::ToolExtras set_targets_extras{.annotations = {.idempotent_hint = true}};
inline constexpr mcp::Tool set_targets =
    mcp::tool<handle_set_targets>({.name = "set_targets",
                                   .title = "Targets",
                                   .description = "Set the moisture for each crop, and the least temperature.",
                                   .extras = set_targets_extras,
                                   .scope = "schedule"},
                                  set_targets_params);

// As a body.
inline constexpr auto targets_output = mcp::output(mcp::param<&Targets::moisture>("moisture", {.items = {.unit = "%"}}),
                                                   mcp::param<&Targets::temperature>("temperature", {.unit = "Cel"}));

mcp::Errc read(Targets& out);
inline constexpr mcp::Resource current =
    mcp::resource<read, targets_output>({.uri = "targets://current", .name = "targets", .title = "Targets"});

// A finding is a dry bed or an empty tank. No table describes a choice of two forms, so the schema is a literal.
inline constexpr mcp::OutputSchema findings_schema(R"({"type":"object","properties":{"findings":{"type":"array",)"
                                                   R"("items":{"anyOf":[)"
                                                   R"({"type":"object","properties":{"bed":{"type":"integer"},)"
                                                   R"("moisture":{"type":"integer"},"target":{"type":"integer"}},)"
                                                   R"("required":["bed","moisture","target"]},)"
                                                   R"({"type":"object","properties":{"tankLiters":{"type":"number"}},)"
                                                   R"("required":["tankLiters"]}]}}},"required":["findings"]})");
mcp::Errc handle_check(mcp::Call& call);
inline constexpr mcp::ToolExtras check_extras{.annotations = {.read_only_hint = true}};
inline constexpr mcp::Tool check = mcp::tool<handle_check>(
    {.name = "check_targets", .description = "Find dry beds, and an empty tank.", .extras = check_extras},
    findings_schema);

}  // namespace targets
