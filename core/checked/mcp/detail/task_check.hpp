// SPDX-License-Identifier: Apache-2.0
// Whether one task alone uses a server, for MOTE_TASK_CHECK=ON.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <atomic>

#include "mcp/assert.hpp"
#include "mcp/rtos.hpp"

namespace mcp::detail {

/// The first task that calls a server owns it.
class TaskCheck {
 public:
  void check() {
    const void* const current = mcp_current_task();
    if (current == nullptr) return;  // before the scheduler starts
    // Atomic, because a call by two tasks at once is what it looks for. No exchange, which ARMv6-M does not have.
    const void* const owner = owner_.load(std::memory_order_relaxed);
    if (owner == nullptr) return owner_.store(current, std::memory_order_relaxed);
    MCP_ASSERT(owner == current);
  }

 private:
  std::atomic<const void*> owner_ = nullptr;
};

}  // namespace mcp::detail

#include <mcp/detail/epilogue.hpp>
