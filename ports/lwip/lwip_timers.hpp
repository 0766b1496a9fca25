// SPDX-License-Identifier: Apache-2.0
// The periodic timers of lwIP. A timer runs only while something waits for it, so an idle board sleeps for longer than
// their periods. For lwip_network.cpp.
#pragma once

#include <cstdint>
#include <span>

#include "mcp/port.hpp"

namespace mcp::lwip {

/// Counts the time in which the timer of TCP did not run. Call it before lwIP gets a frame.
void resume_timers(Millis now);

/// Runs what is due. Returns the milliseconds until the next run. Call it after lwIP has got all frames.
Millis run_timers(Millis now);

/// Looks at the begin of each frame that lwIP sends, to see when the timer of ARP is needed.
void note_sent(std::span<const std::uint8_t> frame);

}  // namespace mcp::lwip
