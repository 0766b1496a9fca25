// SPDX-License-Identifier: Apache-2.0
// A model of a greenhouse, in steps of 100 ms: the pump moves 50 ml in a step, and wet soil dries slowly.
#include "plant.hpp"

#include <algorithm>

namespace plant {
namespace {

constexpr mcp::Millis step_ms = 100;
constexpr std::int32_t pumped = 50;                // milliliters in a step
constexpr std::int32_t wetting = 5;                // tenths of a percent, for all of it on one bed
constexpr std::uint32_t steps_to_dry = 600;        // one tenth of a percent in a minute
constexpr std::uint32_t day_steps = 10 * 60 * 10;  // a day of the model takes ten minutes

struct Model {
  std::int32_t moisture[beds] = {400, 350, 300, 250};  // tenths of a percent
  bool open[beds] = {};
  bool pump = false;
  std::int32_t tank = tank_liters * 1000;  // milliliters
  std::uint16_t probes = 2;
  std::uint16_t dosing_pumps = 1;
  std::int32_t bottles[most_dosing_pumps] = {1000, 1000, 1000};  // milliliters
  std::int32_t heated = never;
  std::uint32_t steps = 0;
  mcp::Millis stepped_ms = 0;
  bool begun = false;
};
constinit Model model;

void step() {
  ++model.steps;
  const auto open = static_cast<std::int32_t>(std::count(std::begin(model.open), std::end(model.open), true));
  const bool flows = model.pump && open != 0 && model.tank >= pumped;
  if (flows) model.tank -= pumped;
  for (std::size_t bed = 0; bed < beds; ++bed) {
    std::int32_t& moisture = model.moisture[bed];
    if (flows && model.open[bed]) moisture = std::min<std::int32_t>(moisture + wetting / open, 1000);
    if (model.steps % steps_to_dry == 0 && moisture > 0) --moisture;
  }
}

}  // namespace

mcp::Millis advance(mcp::Millis now) {
  if (!model.begun) model.stepped_ms = now;
  model.begun = true;
  while (now - model.stepped_ms >= step_ms) {
    model.stepped_ms += step_ms;
    step();
  }
  return step_ms - (now - model.stepped_ms);
}

std::int32_t moisture(std::size_t bed) { return model.moisture[bed] / 10; }

// Between 18 at night and 28 by day, without the heating.
std::int32_t temperature() {
  const auto time = static_cast<std::int32_t>(model.steps % day_steps);
  constexpr auto half = static_cast<std::int32_t>(day_steps / 2);
  return std::max(model.heated, 1800 + (time < half ? time : 2 * half - time) * 1000 / half);
}
void heat_below(std::int32_t hundredths) { model.heated = hundredths; }

std::int32_t acidity(std::size_t bed) { return 62 + static_cast<std::int32_t>(bed); }

bool read_probe(std::uint16_t number, std::int32_t& tenths) {
  if (number >= model.probes) return false;
  tenths = temperature() / 10 - number;
  return true;
}

// Someone has plugged in one more.
std::uint16_t search_probes() {
  if (model.probes == most_probes) return 0;
  ++model.probes;
  return 1;
}

bool has_dosing_pump(std::uint16_t number) { return number < model.dosing_pumps; }
std::int32_t dose(std::uint16_t number, std::int32_t milliliters) {
  std::int32_t& bottle = model.bottles[number];
  const std::int32_t dosed = std::min(bottle, milliliters);
  bottle -= dosed;
  return dosed;
}
std::uint16_t search_dosing_pumps() {
  if (model.dosing_pumps == most_dosing_pumps) return 0;
  ++model.dosing_pumps;
  return 1;
}

std::int32_t humidity() { return 85 - (temperature() - 1800) / 25; }
std::int32_t tank() { return model.tank; }
void fill_tank(std::int32_t liters) { model.tank = liters * 1000; }
bool is_open(std::size_t bed) { return model.open[bed]; }
void open_valve(std::size_t bed, bool open) { model.open[bed] = open; }
bool pump_runs() { return model.pump; }
void run_pump(bool on) { model.pump = on; }

}  // namespace plant
