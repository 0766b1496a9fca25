// SPDX-License-Identifier: Apache-2.0
// Temperature probes on a 1-Wire bus: they are found at run time, and are the list of a template. And a method of this
// vendor, for its own programs.
#pragma once

#include <mcp/found.hpp>
#include <mcp/method.hpp>
#include <mcp/server.hpp>

#include <cstdint>

#include "plant.hpp"

namespace probes {

// The list of the template: the probes that exist now. The template reads them.
bool describe(std::uint16_t number, mcp::FoundResource& row);
inline constexpr mcp::FoundResources found{.numbers = plant::most_probes, .describe = describe};

struct Which {
  std::uint16_t number;
};
inline constexpr auto which = mcp::params(mcp::param<&Which::number>("number", {.maximum = plant::most_probes - 1}));

mcp::Errc read(const Which& variables, mcp::ReadResult& out);
inline constexpr mcp::ResourceTemplate one = mcp::resource_template<read, which>(
    {.uri_template = "probe://{number}", .name = "probe", .description = "A probe in the soil, in degrees Celsius."});

// One read with a body for each probe.
struct Probe {
  std::int32_t tenths;
  std::int32_t offset;
};
inline constexpr auto probe_output = mcp::output(mcp::param<&Probe::tenths>("tenths", {.unit = "dCel"}),
                                                 mcp::param<&Probe::offset>("offset", {.unit = "dCel"}));

mcp::Errc read_all(mcp::ReadResult& out);
inline constexpr mcp::Resource all{
    .uri = "probe://all", .name = "probes", .title = "Probes", .description = "All probes.", .read = read_all};

mcp::Errc handle_search(mcp::Call& call);
inline constexpr mcp::Tool search = mcp::tool<handle_search>(
    {.name = "search_probes", .title = "Search probes", .description = "Look for new temperature probes."});

struct Offset {
  std::int32_t tenths;
};
inline constexpr auto offset =
    mcp::params(mcp::param<&Offset::tenths>("tenths", {.minimum = -50, .maximum = 50, .unit = "dCel"}));
mcp::Errc handle_calibrate(const Offset& params, mcp::MethodCall& call);
inline constexpr mcp::Method calibrate =
    mcp::method<handle_calibrate>({.name = "x-greenhouse/calibrate", .scope = "schedule"}, offset);

}  // namespace probes
