// SPDX-License-Identifier: Apache-2.0
#include "mcp/detail/task_check.hpp"

#include "mcp/assert.hpp"

// As in mcp/rtos.hpp, but a program without tasks has no such function.
extern "C" [[gnu::weak]] const void* mcp_current_task();

namespace mcp::detail {

void TaskCheck::check() {
  if (mcp_current_task == nullptr) return;
  const void* const current = mcp_current_task();
  if (current == nullptr) return;  // before the scheduler starts
  // Atomic, because a call by two tasks at once is what it looks for. No exchange, which ARMv6-M does not have.
  const void* const owner = owner_.load(std::memory_order_relaxed);
  if (owner == nullptr) return owner_.store(current, std::memory_order_relaxed);
  MCP_ASSERT(owner == current);
}

}  // namespace mcp::detail
