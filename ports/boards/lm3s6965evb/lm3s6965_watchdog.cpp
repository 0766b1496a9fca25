// SPDX-License-Identifier: Apache-2.0
// The watchdog timer. It interrupts when it has counted to zero for the first time, and resets the board the second
// time. Its registers are locked between two feedings, so that a wild pointer does not feed it.
#include "mcp/assert.hpp"
#include "ports/bare_metal/watchdog.hpp"
#include "ports/boards/lm3s6965evb/lm3s6965_registers.hpp"

namespace board {
namespace {

// "Watchdog Timer" chapter of the data sheet.
constexpr std::uint32_t watchdog = 0x4000'0000;
constexpr std::uint32_t wdt_load = watchdog + 0x000;
constexpr std::uint32_t wdt_control = watchdog + 0x008;
constexpr std::uint32_t wdt_clear = watchdog + 0x00C;
constexpr std::uint32_t wdt_lock = watchdog + 0xC00;
constexpr std::uint32_t control_interrupt = bit(0);
constexpr std::uint32_t control_reset = bit(1);
constexpr std::uint32_t unlock = 0x1ACC'E551;

constexpr std::uint32_t sysctl_resc = 0x400F'E05C;   // Reset cause
constexpr std::uint32_t sysctl_rcgc0 = 0x400F'E100;  // Clock gate
constexpr std::uint32_t resc_watchdog = bit(3);
constexpr std::uint32_t rcgc0_watchdog = bit(3);
constexpr unsigned interrupt_number = 18;

constexpr std::uint32_t ticks_per_ms = core_clock_hz / 1000;
constexpr mcp::Millis longest_ms = 2 * (0xFFFF'FFFF / ticks_per_ms);

volatile bool has_expired;

}  // namespace

void begin_watchdog(mcp::Millis timeout_ms) {
  MCP_ASSERT(timeout_ms >= 4 && timeout_ms <= longest_ms);
  clock_on(sysctl_rcgc0, rcgc0_watchdog);
  reg(wdt_lock) = unlock;
  reg(wdt_load) = timeout_ms / 2 * ticks_per_ms;
  reg(wdt_control) = control_interrupt | control_reset;
  reg(wdt_lock) = 0;
  reg(nvic_iser0) = bit(interrupt_number);
}

void feed_watchdog() {
  reg(wdt_lock) = unlock;
  reg(wdt_clear) = 0;
  reg(wdt_lock) = 0;
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
