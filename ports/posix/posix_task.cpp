// SPDX-License-Identifier: Apache-2.0
// The current thread.
#include "mcp/rtos.hpp"

// Each thread has this variable at another address. A later thread may get the address of an ended thread.
extern "C" const void* mcp_current_task() {
  static thread_local char place;
  return &place;
}
