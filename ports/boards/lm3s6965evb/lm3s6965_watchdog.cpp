// SPDX-License-Identifier: Apache-2.0
#include "mcp/assert.hpp"
#include "ports/bare_metal/apb_watchdog.hpp"
#include "ports/bare_metal/watchdog.hpp"
#include "ports/boards/lm3s6965evb/lm3s6965_registers.hpp"

namespace board {
namespace {

// "Watchdog Timer" and "System Control" chapters of the data sheet.
constexpr ApbWatchdog timer(0x4000'0000);
constexpr std::uint32_t sysctl_resc = 0x400F'E05C;  // Reset cause
constexpr std::uint32_t resc_watchdog = bit(3);
constexpr unsigned interrupt_number = 18;

constexpr std::uint32_t ticks_per_ms = core_clock_hz / 1000;
constexpr mcp::Millis longest_ms = 2 * (0xFFFF'FFFF / ticks_per_ms);

volatile bool has_expired;

}  // namespace

void begin_watchdog(mcp::Millis timeout_ms) {
  MCP_ASSERT(timeout_ms >= 4 && timeout_ms <= longest_ms);
  clock_on(sysctl_rcgc0, rcgc0_watchdog);
  timer.begin(timeout_ms / 2 * ticks_per_ms);
  reg(nvic_iser0) = bit(interrupt_number);
}

void feed_watchdog() {
  timer.feed();
  if (!has_expired) return;
  // The main loop was late, but it runs.
  has_expired = false;
  clear_watchdog_mark();
  reg(nvic_iser0) = bit(interrupt_number);
}

bool take_watchdog_reset() {
  const bool is_set = (reg(sysctl_resc) & resc_watchdog) != 0;
  reg(sysctl_resc) = 0;
  return is_set;
}

}  // namespace board

// The interrupt stays raised until the timer is fed, so its handler disables it.
extern "C" void watchdog_handler() {
  constexpr std::uint32_t nvic_icer0 = 0xE000'E180;
  board::reg(nvic_icer0) = board::bit(board::interrupt_number);
  board::has_expired = true;
  board::mark_watchdog_reset();
}
