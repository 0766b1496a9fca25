// SPDX-License-Identifier: Apache-2.0
// The log of the greenhouse: the last 96 events, as a body that is larger than the transmit buffer.
#pragma once

#include <mcp/server.hpp>

#include <cstdint>

#include "beds.hpp"

namespace events {

enum class Kind : std::uint8_t {
  valve_opened,
  valve_closed,
  watering,
  watered,
  refused,
  tank_filled,
  scheduled,
  dosed
};

/// Adds an event. `bed`: 1 to 4, or 0 for none. Clients that log get it, too.
void add(Kind kind, std::uint8_t bed);

mcp::Chunk read(std::uint32_t offset, std::span<std::uint8_t> into);
inline constexpr mcp::Resource log{.uri = "log://events",
                                   .name = "events",
                                   .title = "Log",
                                   .description = "The last 96 events, the oldest first: seconds ago, event, bed.",
                                   .mime_type = "text/plain",
                                   .stream = mcp::text_stream(read)};

// The same of one bed.
mcp::Chunk read_bed(const beds::WhichBed& variables, std::uint32_t offset, std::span<std::uint8_t> into);
inline constexpr mcp::ResourceTemplate log_of_bed = mcp::text_stream_template<read_bed, beds::which_bed>(
    {.uri_template = "log://bed/{bed}", .name = "events_of_bed", .mime_type = "text/plain"});

}  // namespace events
