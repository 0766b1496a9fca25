// SPDX-License-Identifier: Apache-2.0
// The pump: one bed at a time, on request of a client or by the schedule. A client watches the job of its call. As a
// task, the watering continues when the client is gone, and the client finds it again.
#pragma once

#include <mcp/call_options.hpp>
#include <mcp/interlock.hpp>
#include <mcp/server.hpp>

#include <cstdint>

#include "plant.hpp"

namespace pump {

/// Longer watering needs the consent of the user.
inline constexpr std::int32_t seconds_without_consent = 30;

/// Begins to water a bed, 1 to 4. Returns false while it waters another one, and while the tank is nearly empty.
bool start(std::uint8_t bed, std::int32_t seconds);
/// Stops at once.
void stop();
bool is_idle();
/// Milliseconds until the watering ends.
mcp::Millis rest(mcp::Millis now);
/// Ends the watering when it is due. Returns the milliseconds until the next call.
mcp::Millis poll(mcp::Millis now);

bool has_water();

// ---- Rows
// ------------------------------------------------------------------------------------------------------------

struct WaterBed {
  struct Arguments {
    std::uint8_t bed;
    std::int32_t seconds;
  };
  enum class Phase : std::uint8_t { begin, asked, waters };

  Arguments arguments;
  Phase phase;

  mcp::Step step(mcp::AskContext& context);
  /// What the call would do.
  static mcp::Errc preview(const Arguments& arguments, mcp::Call& call);

 private:
  mcp::Step begin(mcp::AskContext& context);
};
inline constexpr auto water_bed_params = mcp::with_dry_run(mcp::params(
    mcp::param<&WaterBed::Arguments::bed>("bed", {.minimum = 1, .maximum = plant::beds}),
    mcp::param<&WaterBed::Arguments::seconds>(
        "seconds",
        {.description = "The pump moves 0.5 liters in a second", .minimum = 1, .maximum = 90, .unit = "s"})));
// The refusal names the tool that helps, and the compiler checks that there is one.
inline constexpr mcp::Interlock tank_has_water{
    .holds = has_water, .refusal = "The tank is nearly empty.", .call_first = "fill_tank"};
inline constexpr mcp::Icon water_icons[] = {
    {.src = "https://example.com/water.png", .mime_type = "image/png", .sizes = "48x48"}};
inline constexpr mcp::ToolExtras water_extras{.icons = water_icons, .annotations = {.destructive_hint = false}};
inline constexpr mcp::Tool water_bed = mcp::job<WaterBed>(
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

mcp::Errc handle_fill_tank(mcp::Call& call);
inline constexpr mcp::Tool fill_tank = mcp::tool<handle_fill_tank>(
    {.name = "fill_tank", .title = "Fill the tank", .description = "Fill the tank from the tap.", .scope = "water"});

}  // namespace pump
