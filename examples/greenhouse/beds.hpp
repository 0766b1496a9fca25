// SPDX-License-Identifier: Apache-2.0
// The beds: what grows there, moisture, and valves.
#pragma once

#include <mcp/interlock.hpp>
#include <mcp/pattern.hpp>
#include <mcp/read_job.hpp>
#include <mcp/schedule.hpp>
#include <mcp/server.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

#include "plant.hpp"
#include "pump.hpp"

namespace beds {

// ---- Data ----

struct Bed {
  std::uint8_t number;  // 1 to 4
  mcp::FixedString<16> crop;
  std::optional<mcp::FixedString<10>> sown;
  std::int32_t moisture;
  bool valve_open;
};
inline constexpr auto bed_output =
    mcp::output(mcp::param<&Bed::number>("bed", {.minimum = 1, .maximum = plant::beds}), mcp::param<&Bed::crop>("crop"),
                mcp::param<&Bed::sown>("sown", {.format = mcp::Format::date}),
                mcp::param<&Bed::moisture>("moisture", {.minimum = 0, .maximum = 100, .unit = "%"}),
                mcp::param<&Bed::valve_open>("valveOpen"));

struct Beds {
  mcp::List<Bed, plant::beds> beds;
};
inline constexpr auto beds_output = mcp::output(mcp::param<&Beds::beds>("beds", {.items = {.fields = bed_output}}));

/// What grows in a bed. `number`: 1 to 4.
std::string_view crop(std::size_t number);

// ---- Rows ----

mcp::Errc read_all(Beds& out);
inline constexpr mcp::Resource all =
    mcp::resource<read_all, beds_output>({.uri = "bed://all",
                                          .name = "beds",
                                          .title = "Beds",
                                          .description = "All beds. A subscriber is notified of valves and crops.",
                                          .subscribable = true});

// A misspelt name of a variable does not compile, and other numbers than 1 to 4 are rejected.
struct WhichBed {
  std::uint8_t bed;
};
inline constexpr auto which_bed =
    mcp::params(mcp::param<&WhichBed::bed>("bed", {.minimum = 1, .maximum = plant::beds}));

mcp::Errc read_one(const WhichBed& variables, Bed& out);
mcp::Errc complete_bed(const mcp::CompletionRequest& request, mcp::Completions& completions);
inline constexpr mcp::ResourceTemplate one = mcp::resource_template<read_one, which_bed, bed_output>(
    {.uri_template = "bed://{bed}",
     .name = "bed",
     .title = "Bed",
     .description = "One bed, 1 to 4. A subscriber is notified of its valve and crop.",
     .complete = mcp::complete<which_bed, complete_bed>,
     .subscribable = mcp::has_valid_variables<which_bed>});

// The pH probe of a bed needs three seconds for a value.
struct ReadAcidity {
  bool started;
  WhichBed variables;
  mcp::FixedString<24> uri;

  mcp::Step step(mcp::ReadContext& context);
};
inline constexpr mcp::ResourceTemplate acidity = mcp::read_job<ReadAcidity, which_bed>(
    {.uri_template = "bed://{bed}/ph", .name = "ph", .title = "pH", .description = "pH of the soil of a bed, 1 to 4."});

// A result of several items: a text, the body of a resource with its `_meta`, and a link with an icon.
mcp::Errc handle_show_bed(const WhichBed& arguments, mcp::Call& call);
inline constexpr mcp::Tool show_bed = mcp::tool<handle_show_bed>(
    {.name = "show_bed", .title = "Show a bed", .description = "What grows in a bed, and its log."}, which_bed);

// A result that is a list and no struct.
using Dry = mcp::List<std::uint8_t, plant::beds>;
inline constexpr auto dry_output = mcp::output_value<Dry>({.items = {.minimum = 1, .maximum = plant::beds}});
mcp::Errc handle_dry_beds(Dry& out, mcp::Call& call);
inline constexpr mcp::Tool dry_beds = mcp::tool<handle_dry_beds>(
    {.name = "dry_beds", .title = "Dry beds", .description = "The beds with less than 30 % moisture."}, dry_output);

struct SetValve {
  std::uint8_t bed;
  bool open;
};
// The client may also call it for later.
inline constexpr auto set_valve_params = mcp::schedulable_at(mcp::params(
    mcp::param<&SetValve::bed>("bed", {.minimum = 1, .maximum = plant::beds}), mcp::param<&SetValve::open>("open")));
// The pump needs an open valve.
inline constexpr mcp::Interlock pump_is_idle{.holds = pump::is_idle, .refusal = "The pump runs. Wait until it ends."};
mcp::Errc handle_set_valve(const SetValve& arguments, mcp::Call& call);
inline constexpr mcp::ToolExtras set_valve_extras{.annotations = {.destructive_hint = false, .idempotent_hint = true}};
inline constexpr mcp::Tool set_valve = mcp::tool<handle_set_valve>(
    {.name = "set_valve",
     .title = "Valve",
     .description = "Open or close the valve of a bed. Water flows only while the pump runs: see water_bed.",
     .extras = set_valve_extras,
     .scope = "water",
     .needs = pump_is_idle},
    set_valve_params);

struct SetCrop {
  std::uint8_t bed;
  mcp::FixedString<16> crop;
  std::optional<mcp::FixedString<10>> sown;
  std::optional<mcp::FixedString<10>> planted;  // the name of `sown` in the first version
};
inline constexpr auto set_crop_params = mcp::params(
    mcp::param<&SetCrop::bed>("bed", {.minimum = 1, .maximum = plant::beds}),
    mcp::param<&SetCrop::crop>("crop", {.description = "Small letters", .pattern = mcp::pattern<"^[a-z]{2,16}$">}),
    mcp::param<&SetCrop::sown>("sown", {.format = mcp::Format::date, .checks_format = true}),
    mcp::param<&SetCrop::planted>(
        "planted",
        {.description = "Use sown", .format = mcp::Format::date, .checks_format = true, .deprecated = true}));
mcp::Errc handle_set_crop(const SetCrop& arguments, mcp::Call& call);
inline constexpr mcp::Tool set_crop = mcp::tool<handle_set_crop>(
    {.name = "set_crop", .description = "Say what grows in a bed.", .scope = "schedule"}, set_crop_params);

}  // namespace beds
