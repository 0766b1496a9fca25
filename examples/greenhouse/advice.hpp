// SPDX-License-Identifier: Apache-2.0
// A job that asks the model of the client: it gets what the device knows, and answers as a gardener.
#pragma once

#include <mcp/server.hpp>

#include <cstdint>

#include "plant.hpp"

namespace advice {

struct AskGardener {
  struct Arguments {
    std::uint8_t bed;
  };

  Arguments arguments;

  mcp::Step step(mcp::AskContext& context);
};
inline constexpr auto ask_gardener_params =
    mcp::params(mcp::param<&AskGardener::Arguments::bed>("bed", {.minimum = 1, .maximum = plant::beds}));
inline constexpr mcp::Tool ask_gardener = mcp::job<AskGardener, 90'000>(
    {.name = "ask_gardener", .description = "Ask the model of the client what a bed needs."}, ask_gardener_params);

}  // namespace advice
