// SPDX-License-Identifier: Apache-2.0
#include "climate.hpp"

#include "greenhouse.hpp"
#include "plant.hpp"

namespace climate {
namespace {

constexpr mcp::Millis interval_ms = 10'000;  // a quarter of an hour would do for a real greenhouse
mcp::Millis sampled_ms;

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

}  // namespace climate
