// SPDX-License-Identifier: Apache-2.0
#include "mcp/assert.hpp"
#include "ports/bare_metal/apb_watchdog.hpp"
#include "ports/bare_metal/watchdog.hpp"
#include "ports/boards/mps2_an385/mps2_registers.hpp"

namespace board {
namespace {

constexpr ApbWatchdog timer(0x4000'8000);
constexpr std::uint32_t ticks_per_ms = core_clock_hz / 1000;
constexpr mcp::Millis longest_ms = 2 * (0xFFFF'FFFF / ticks_per_ms);

}  // namespace

void begin_watchdog(mcp::Millis timeout_ms) {
  MCP_ASSERT(timeout_ms >= 4 && timeout_ms <= longest_ms);
  timer.begin(timeout_ms / 2 * ticks_per_ms);
}

void feed_watchdog() {
  timer.feed();
  // Also of a main loop that was late: its interrupt was before this.
  clear_watchdog_mark();
}

// No register of the board has the reason.
bool take_watchdog_reset() { return false; }

}  // namespace board

// The interrupt of the timer cannot be disabled, so a hang with interrupts off has its reason, too.
extern "C" void nmi_handler() { board::mark_watchdog_reset(); }
