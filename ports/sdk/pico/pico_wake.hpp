// SPDX-License-Identifier: Apache-2.0
// An additional action of wake(), for code that sleeps in another way than wait_for_event().
#pragma once

namespace mcp::pico {

// Sets the action; nullptr: none. Context of `call`: as of wake().
void set_wake(void (*call)());

}  // namespace mcp::pico
