// SPDX-License-Identifier: Apache-2.0
// The pump: one bed at a time, on request of a client or by the schedule. A client watches the job of its call. As a
// task, the watering continues when the client is gone, and the client finds it again.
#pragma once

#include <mcp/call_options.hpp>
#include <mcp/interlock.hpp>
#include <mcp/method.hpp>
#include <mcp/server.hpp>

#include <cstdint>

#include "plant.hpp"

namespace pump {

/// Longer watering needs the consent of the user.
inline constexpr std::int32_t seconds_without_consent = 30;

/// The number of a watering, from 1.
using Watering = std::uint32_t;

/// Begins to water a bed, 1 to 4. Returns 0 while the pump waters another one, and while the tank is nearly empty.
Watering start(std::uint8_t bed, std::int32_t seconds);
/// Stops this watering at once, if it has not ended.
void stop(Watering watering);
/// Returns the milliseconds until this watering ends: 0 if it has.
mcp::Millis rest(Watering watering, mcp::Millis now);
/// Ends the watering when it is due. Returns the milliseconds until the next call.
mcp::Millis poll(mcp::Millis now);

bool is_idle();
bool has_water();

// ---- Rows ----

struct WaterBed {
  struct Arguments {
    std::uint8_t bed;
    std::int32_t seconds;
  };
  enum class Phase : std::uint8_t { begin, asked, waters };

  Arguments arguments;
  Phase phase;
  Watering watering;

  mcp::Step step(mcp::AskContext& context);
  /// What the call would do.
  static mcp::Errc preview(const Arguments& arguments, mcp::Call& call);

 private:
  mcp::Step begin(mcp::AskContext& context);
  mcp::Step water(mcp::AskContext& context);
};
inline constexpr auto water_bed_params = mcp::with_dry_run(mcp::params(
    mcp::param<&WaterBed::Arguments::bed>("bed", {.minimum = 1, .maximum = plant::beds}),
    mcp::param<&WaterBed::Arguments::seconds>(
        "seconds",
        {.description = "The pump moves 0.5 liters in a second", .minimum = 1, .maximum = 60, .unit = "s"})));
// The refusal names the tool that helps, and the compiler checks that there is one.
inline constexpr mcp::Interlock tank_has_water{
    .holds = has_water, .refusal = "The tank is nearly empty.", .call_first = "fill_tank"};
inline constexpr mcp::Icon water_icons[] = {
    {.src = "https://example.com/water.png", .mime_type = "image/png", .sizes = "48x48"}};
inline constexpr mcp::ToolExtras water_extras{.icons = water_icons, .annotations = {.destructive_hint = false}};
// 60 s for the consent of the user, and 60 s for the pump. Not every client cancels a call for which it no longer
// waits.
inline constexpr mcp::Tool water_bed = mcp::job<WaterBed, 130'000>(
    {.name = "water_bed",
     .title = "Water",
     .description =
         "Open the valve of a bed, run the pump, and close the valve. The user must agree to more than 30 s.",
     .task_support = mcp::TaskSupport::optional,
     .asks_itself = true,
     .task_outlives_session = true,
     .poll_interval_ms = 500,
     .extras = water_extras,
     .scope = "water",
     .needs = tank_has_water},
    water_bed_params);

struct FillTank {
  std::int32_t liters;
};
inline constexpr auto fill_tank_params = mcp::params(
    mcp::param<&FillTank::liters>("liters", {.description = "The level, below that of now to drain the tank",
                                             .minimum = 1,
                                             .maximum = plant::tank_liters,
                                             .default_value = plant::tank_liters,
                                             .unit = "L"}));
mcp::Errc handle_fill_tank(const FillTank& arguments, mcp::Call& call);
inline constexpr mcp::Tool fill_tank = mcp::tool<handle_fill_tank>(
    {.name = "fill_tank", .title = "Fill the tank", .description = "Fill the tank from the tap.", .scope = "water"},
    fill_tank_params);

// A program with a rain gauge tells how much water has run from the roof into the tank.
struct Rain {
  std::int32_t liters;
};
inline constexpr auto rain_params =
    mcp::params(mcp::param<&Rain::liters>("liters", {.minimum = 0, .maximum = plant::tank_liters, .unit = "L"}));
mcp::Errc handle_rain(const Rain& params, mcp::MethodCall& call);
inline constexpr mcp::Method rain =
    mcp::notification<handle_rain>({.name = "x-greenhouse/rain", .scope = "water"}, rain_params);

}  // namespace pump
