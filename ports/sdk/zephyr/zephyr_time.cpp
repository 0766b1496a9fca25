// SPDX-License-Identifier: Apache-2.0
// Time, sleep and wake-up. The semaphore is ready before the first constructor runs.
#include <algorithm>

#include <zephyr/kernel.h>
#include <zephyr/sys/util_macro.h>
#include "mcp/ports/zephyr.hpp"
#include "ports/sdk/zephyr/zephyr_event.hpp"

namespace mcp::zephyr {
namespace {

K_SEM_DEFINE(events, 0, 1);

constexpr Millis poll_ms = 1;

// On native_sim, code takes no time. A thread that never sleeps would wait for a later time for ever.
constexpr Millis least_ms = IS_ENABLED(CONFIG_ARCH_POSIX) ? 1 : 0;

bool is_polled;

}  // namespace

Millis millis() { return k_uptime_get_32(); }

// A number of ticks may have only 31 bits, which are 35 minutes at 1 MHz.
void wait_for_event(Millis timeout_ms) {
  constexpr Millis most_ms = 60'000;
  if (is_polled) timeout_ms = poll_ms;
  const k_timeout_t timeout =
      timeout_ms == forever ? K_FOREVER : K_MSEC(static_cast<std::int32_t>(std::clamp(timeout_ms, least_ms, most_ms)));
  static_cast<void>(k_sem_take(&events, timeout));
}

void wake() { k_sem_give(&events); }

void note_polled_stream() { is_polled = true; }

}  // namespace mcp::zephyr
