// SPDX-License-Identifier: Apache-2.0
// The current thread, for MOTE_TASK_CHECK=ON. A file of its own, so that a program without the check does not link it.
#include "mcp/rtos.hpp"

// Each thread has this variable at another address. A later thread may get the address of one that has ended.
extern "C" const void* mcp_current_task() {
  static thread_local char place;
  return &place;
}
