// SPDX-License-Identifier: Apache-2.0
// Whether one task alone uses a server. This header checks nothing. MOTE_TASK_CHECK=ON puts the folder core/checked
// first in the include path, whose header of the same name checks it.
#pragma once

#include <mcp/detail/prelude.hpp>

namespace mcp::detail {

struct TaskCheck {
  void check() const {}
};

}  // namespace mcp::detail

#include <mcp/detail/epilogue.hpp>
