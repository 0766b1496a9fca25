// SPDX-License-Identifier: Apache-2.0
/// @file
/// The memory of lwIP, as figures of the device. Needs `mote_lwip(NAME CONNECTIONS STATS)`.
/// @code
/// void add_figures(mcp::FigureWriter& out) {
///   mcp::lwip::add_memory(out);
/// }
/// constexpr mcp::Resource resources[] = {mcp::health_resource<add_figures>()};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <mcp/figures.hpp>

namespace mcp::lwip {

/// Writes the figures of lwIP's memory: `lwip_heap` in bytes, and the pools `lwip_connections` (with those that are
/// closing), `lwip_segments` (to be sent), `lwip_frames` (received), `lwip_references`, `lwip_udp` and `lwip_timeouts`.
/// `full` counts allocations that failed; lwIP counts up to 65,535 of them. In a program with its own lwIP,
/// `lwipopts.h` has MEM_STATS and MEMP_STATS. Context: main loop; never blocks. With a lwIP in another task, values may
/// differ by what it does meanwhile.
void add_memory(FigureWriter& out);

}  // namespace mcp::lwip

#include <mcp/detail/epilogue.hpp>
