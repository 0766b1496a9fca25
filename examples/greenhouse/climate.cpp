// SPDX-License-Identifier: Apache-2.0
#include "climate.hpp"

#include "greenhouse.hpp"
#include "plant.hpp"

namespace climate {
namespace {

constexpr mcp::Millis interval_ms = 10'000;  // a quarter of an hour would do for a real greenhouse
mcp::Millis sampled_ms;

enum class Unit : std::uint8_t { celsius, fahrenheit };
constexpr auto units = mcp::choices<Unit>(
    {{"celsius", Unit::celsius, "Degrees Celsius"}, {"fahrenheit", Unit::fahrenheit, "Degrees Fahrenheit"}});
struct Preference {
  Unit unit;
};
constexpr auto preference = mcp::params(mcp::param<&Preference::unit>("unit", {.choices = units}));

}  // namespace

mcp::Millis sample(mcp::Millis now) {
  const mcp::Millis passed = now - sampled_ms;
  if (temperature.size() != 0 && passed < interval_ms) return interval_ms - passed;
  sampled_ms = now;
  if (temperature.add(plant::temperature(), now)) greenhouse::notify(greenhouse::Change::temperature);
  return interval_ms;
}

mcp::Errc handle_measure(Climate& out, mcp::Call&) {
  // Exact, and without a division of floats.
  const int quarters = plant::temperature() / 25;
  out = {.celsius = static_cast<float>(quarters) * 0.25F, .humidity = plant::humidity()};
  return mcp::Errc::ok;
}

mcp::Errc read_current(mcp::AskReadResult& out) {
  Preference preferred{};
  const mcp::Answer answer = out.answer("unit");
  if (answer.outcome() == mcp::Outcome::none) return out.key("unit").elicit(preference, "Which unit do you prefer?");
  if (answer.outcome() == mcp::Outcome::accepted) {
    if (const mcp::Errc errc = out.read_form(answer, preference, preferred); errc != mcp::Errc::ok) return errc;
  }
  const std::int32_t hundredths = plant::temperature();
  if (preferred.unit == Unit::celsius) return out.text(mcp::Scaled{hundredths, 2}, " °C, ", plant::humidity(), " %");
  return out.text(mcp::Scaled{hundredths * 9 / 5 + 3200, 2}, " °F, ", plant::humidity(), " %");
}

}  // namespace climate
