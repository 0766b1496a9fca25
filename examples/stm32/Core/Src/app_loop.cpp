// SPDX-License-Identifier: Apache-2.0
// The server in the main loop. Between two polls the processor sleeps in WFI.
#include <mcp/ports/stm32_hal.hpp>

#include "app.h"
#include "app.hpp"

mcp::Millis app::millis() { return mcp::stm32::millis(); }

extern "C" void run_app() {
  for (;;) mcp::stm32::wait_for_event(app::poll());
}

extern "C" void tick_app() {}
