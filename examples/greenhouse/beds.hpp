// SPDX-License-Identifier: Apache-2.0
// The beds: what grows there, moisture, and valves.
#pragma once

#include <mcp/server.hpp>

#include <cstdint>
#include <string_view>

#include "plant.hpp"

namespace beds {

// ---- Data ------------------------------------------------------------------------------------------------------------

struct Bed {
  std::uint8_t number;  // 1 to 4
  std::string_view crop;
  std::int32_t moisture;
  bool valve_open;
};
inline constexpr auto bed_output = mcp::output(
    mcp::param<&Bed::number>("bed", {.minimum = 1, .maximum = plant::beds}), mcp::param<&Bed::crop>("crop"),
    mcp::param<&Bed::moisture>("moisture", {.description = "Percent", .minimum = 0, .maximum = 100}),
    mcp::param<&Bed::valve_open>("valveOpen"));

struct Beds {
  mcp::List<Bed, plant::beds> beds;
};
inline constexpr auto beds_output = mcp::output(mcp::param<&Beds::beds>("beds", {.items = {.fields = bed_output}}));

/// What grows in a bed. `number`: 1 to 4.
std::string_view crop(std::size_t number);

// ---- Rows ------------------------------------------------------------------------------------------------------------

mcp::Errc read_all(Beds& out);
inline constexpr mcp::Resource all = mcp::resource<read_all, beds_output>(
    {.uri = "bed://all", .name = "beds", .title = "Beds", .description = "All beds.", .subscribable = true});

mcp::Errc read_one(const mcp::UriVariables& variables, mcp::ReadResult& out);
mcp::Errc complete_bed(const mcp::CompletionRequest& request, mcp::Completions& completions);
inline constexpr mcp::ResourceTemplate one{.uri_template = "bed://{bed}",
                                           .name = "bed",
                                           .title = "Bed",
                                           .description = "One bed, 1 to 4.",
                                           .mime_type = "application/json",
                                           .read = read_one,
                                           .complete = complete_bed};

struct SetValve {
  std::uint8_t bed;
  bool open;
};
inline constexpr auto set_valve_params =
    mcp::params(mcp::param<&SetValve::bed>("bed", {.minimum = 1, .maximum = plant::beds}),
                mcp::param<&SetValve::open>("open"));
mcp::Errc handle_set_valve(const SetValve& arguments, mcp::Call& call);
inline constexpr mcp::ToolExtras set_valve_extras{
    .annotations = {.read_only = false, .destructive = false, .idempotent = true}};
inline constexpr mcp::Tool set_valve = mcp::tool<handle_set_valve>(
    {.name = "set_valve",
     .title = "Valve",
     .description = "Open or close the valve of a bed. Water flows only while the pump runs: see water_bed.",
     .extras = set_valve_extras,
     .scope = "water"},
    set_valve_params);

}  // namespace beds
