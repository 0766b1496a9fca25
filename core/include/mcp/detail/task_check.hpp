// SPDX-License-Identifier: Apache-2.0
// Whether one task alone uses a server, in a program that has mcp_current_task().
#pragma once

#include <mcp/detail/prelude.hpp>

#include "mcp/detail/atomic.hpp"

namespace mcp::detail {

/// The first task that calls a server owns it.
class TaskCheck {
 public:
  void check();

 private:
  Atomic<const void*> owner_ = nullptr;
};

}  // namespace mcp::detail

#include <mcp/detail/epilogue.hpp>
