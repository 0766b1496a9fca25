// SPDX-License-Identifier: Apache-2.0
// Time and sleep. SEV and WFE work across both cores, and an event between the check of `event` and WFE is not lost.
#include <atomic>

#include <hardware/sync.h>
#include <pico/time.h>
#include "mcp/ports/pico.hpp"
#include "pico_wake.hpp"

namespace mcp::pico {
namespace {

std::atomic<bool> event;
std::atomic<void (*)()> also_wakes;

}  // namespace

Millis millis() { return to_ms_since_boot(get_absolute_time()); }

void wait_for_event(Millis timeout_ms) {
  const absolute_time_t end = make_timeout_time_ms(timeout_ms);
  while (!event.load(std::memory_order_relaxed)) {
    if (timeout_ms == forever) {
      __wfe();
    } else if (best_effort_wfe_or_timeout(end)) {
      break;
    }
  }
  // Earlier events cause no further return, because the caller checks everything now.
  event.store(false, std::memory_order_relaxed);
  __dmb();
}

void wake() {
  event.store(true, std::memory_order_release);
  __sev();
  if (void (*const call)() = also_wakes.load(std::memory_order_relaxed)) call();
}

void set_wake(void (*call)()) { also_wakes.store(call, std::memory_order_relaxed); }

}  // namespace mcp::pico
