// SPDX-License-Identifier: Apache-2.0
// What wake() does in addition, for code that sleeps in another way than wait_for_event().
#pragma once

namespace mcp::pico {

// nullptr: nothing. Context of `call`: as of wake().
void set_wake(void (*call)());

}  // namespace mcp::pico
