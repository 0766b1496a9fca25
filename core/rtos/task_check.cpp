// SPDX-License-Identifier: Apache-2.0
#include "mcp/detail/task_check.hpp"

#include "mcp/assert.hpp"
#include "mcp/rtos.hpp"

// A program without tasks.
extern "C" [[gnu::weak]] const void* mcp_current_task() { return nullptr; }

namespace mcp::detail {

void TaskCheck::check() {
  const void* const current = mcp_current_task();
  // Atomic, because it detects calls by two tasks at once. It uses no exchange, which ARMv6-M does not have.
  const void* const owner = owner_.load_relaxed();
  if (current == owner || current == nullptr) return;  // no task: before the scheduler starts
  MCP_ASSERT(owner == nullptr);
  owner_.store_relaxed(current);
}

}  // namespace mcp::detail
