// SPDX-License-Identifier: Apache-2.0
#include "pump.hpp"

#include <algorithm>

#include "events.hpp"
#include "greenhouse.hpp"
#include "platform.hpp"

namespace pump {
namespace {

constexpr std::int32_t least_water = 2'000;  // milliliters

std::uint8_t watered_bed;  // 0: none
Watering last;             // the one that runs, or has run
mcp::Millis end_ms;

struct Consent {
  bool water;
};
constexpr auto consent = mcp::params(mcp::param<&Consent::water>("water", {.title = "Water the bed"}));

}  // namespace

bool has_water() { return plant::tank() >= least_water; }
bool is_idle() { return watered_bed == 0; }

Watering start(std::uint8_t bed, std::int32_t seconds) {
  if (!is_idle() || !has_water()) {
    events::add(events::Kind::refused, bed);
    return 0;
  }
  watered_bed = bed;
  end_ms = platform::now() + static_cast<mcp::Millis>(seconds) * 1000;
  plant::open_valve(bed - 1U, true);
  plant::run_pump(true);
  events::add(events::Kind::watering, bed);
  greenhouse::bed_changed(bed);
  return ++last;
}

void stop(Watering watering) {
  if (is_idle() || watering != last) return;
  plant::run_pump(false);
  plant::open_valve(watered_bed - 1U, false);
  events::add(events::Kind::watered, watered_bed);
  greenhouse::bed_changed(watered_bed);
  watered_bed = 0;
}

mcp::Millis rest(Watering watering, mcp::Millis now) {
  const mcp::Millis left = end_ms - now;
  return !is_idle() && watering == last && left < 0x8000'0000 ? left : 0;
}

mcp::Millis poll(mcp::Millis now) {
  if (rest(last, now) == 0 || !has_water()) stop(last);
  return is_idle() ? mcp::forever : rest(last, now);
}

// ---- Rows ----

mcp::Step WaterBed::begin(mcp::AskContext& context) {
  watering = start(arguments.bed, arguments.seconds);
  if (watering == 0)
    return context.done(context.fail("The pump waters another bed, or the tank is nearly empty. Try again later."));
  phase = Phase::waters;
  return water(context);
}

mcp::Step WaterBed::water(mcp::AskContext& context) {
  const mcp::Millis now = platform::now();
  poll(now);
  const mcp::Millis rest_ms = rest(watering, now);
  if (rest_ms != 0) {
    const auto left = static_cast<std::int32_t>(rest_ms);
    context.progress(mcp::Scaled{1000 - left / arguments.seconds, 3}, "The pump runs.");
    return context.sleep(rest_ms < 1000 ? rest_ms : 1000);
  }
  if (!has_water())
    return context.done(context.fail("The tank has become nearly empty. Call fill_tank, then water the rest."));
  return context.done(context.result().text("Bed ", arguments.bed, " has ", plant::moisture(arguments.bed - 1U),
                                            " % moisture, and the tank ", mcp::Scaled{plant::tank(), 3}, " liters."));
}

mcp::Step WaterBed::step(mcp::AskContext& context) {
  // The call was cancelled, or its client is gone.
  if (context.stop_requested()) {
    stop(watering);
    return context.done();
  }
  switch (phase) {
    case Phase::begin:
      if (arguments.seconds <= seconds_without_consent) return begin(context);
      phase = Phase::asked;
      return context.timeout(60'000).elicit(consent, "Water bed ", arguments.bed, " for ", arguments.seconds, " s?");
    case Phase::asked: {
      Consent given{};
      const mcp::Answer answer = context.answer();
      if (answer.outcome() == mcp::Outcome::accepted) {
        if (const mcp::Errc errc = context.read_form(consent, given); errc != mcp::Errc::ok) return context.done(errc);
      }
      if (!given.water)
        return context.done(context.fail_input(answer, "Up to ", seconds_without_consent, " s need no consent."));
      return begin(context);
    }
    case Phase::waters: break;
  }
  return water(context);
}

mcp::Errc WaterBed::preview(const Arguments& arguments, mcp::Call& call) {
  return call.result().text("It would pump ", mcp::Scaled{arguments.seconds * 5, 1}, " liters on bed ", arguments.bed,
                            arguments.seconds > seconds_without_consent ? ", if the user agrees." : ".");
}

mcp::Errc handle_fill_tank(const FillTank& arguments, mcp::Call& call) {
  plant::fill_tank(arguments.liters);
  events::add(events::Kind::tank_filled, 0);
  return call.result().text("The tank has ", mcp::Scaled{plant::tank(), 3}, " liters.");
}

mcp::Errc handle_rain(const Rain& params, mcp::MethodCall&) {
  plant::fill_tank(std::min(plant::tank() / 1000 + params.liters, plant::tank_liters));
  return mcp::Errc::ok;
}

}  // namespace pump
