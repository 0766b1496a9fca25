// SPDX-License-Identifier: Apache-2.0
// Time, sleep and wake-up. The semaphore is ready before the first constructor runs.
#include <algorithm>

#include <zephyr/kernel.h>
#include "mcp/ports/zephyr.hpp"

namespace mcp::zephyr {
namespace {

K_SEM_DEFINE(events, 0, 1);

}  // namespace

Millis millis() { return k_uptime_get_32(); }

// A number of ticks may have 31 bits only, which are 35 minutes at 1 MHz.
void wait_for_event(Millis timeout_ms) {
  constexpr Millis most_ms = 60'000;
  const k_timeout_t timeout =
      timeout_ms == forever ? K_FOREVER : K_MSEC(static_cast<std::int32_t>(std::min(timeout_ms, most_ms)));
  static_cast<void>(k_sem_take(&events, timeout));
}

void wake() { k_sem_give(&events); }

}  // namespace mcp::zephyr
