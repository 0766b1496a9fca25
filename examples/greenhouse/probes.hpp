// SPDX-License-Identifier: Apache-2.0
// Temperature probes on a 1-Wire bus: they are found at run time. And a method of this vendor, for its own programs.
#pragma once

#include <mcp/found.hpp>
#include <mcp/method.hpp>
#include <mcp/server.hpp>

#include <cstdint>

#include "plant.hpp"

namespace probes {

bool describe(std::uint16_t number, mcp::FoundResource& row);
mcp::Errc read(std::uint16_t number, mcp::ReadResult& out);
inline constexpr mcp::FoundResources found{.numbers = plant::most_probes, .describe = describe, .read = read};

mcp::Errc handle_search(mcp::Call& call);
inline constexpr mcp::Tool search = mcp::tool<handle_search>(
    {.name = "search_probes", .title = "Search probes", .description = "Look for new temperature probes."});

struct Offset {
  std::int32_t tenths;
};
inline constexpr auto offset =
    mcp::params(mcp::param<&Offset::tenths>("tenths", {.minimum = -50, .maximum = 50, .unit = "dCel"}));
mcp::Errc handle_calibrate(const Offset& params, mcp::MethodCall& call);
inline constexpr mcp::Method calibrate = mcp::method<handle_calibrate>({.name = "x-greenhouse/calibrate"}, offset);

}  // namespace probes
