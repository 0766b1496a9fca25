// SPDX-License-Identifier: Apache-2.0
// Methods of tasks of sessions, for tasks that outlive their session.
#pragma once

#include <cstddef>

#include "engine/request.hpp"
#include "features/task_pool.hpp"
#include "mcp/detail/server_state.hpp"

namespace mcp::protocol {

/// Ends the open input request of a job, which goes on with Outcome::unsupported.
void reject_input(mcp::detail::Task& task, mcp::detail::Job& job, Millis now);
/// tasks/get, tasks/result and tasks/cancel, for a task of the session of this request.
void get_task(Request& request);
void await_task(Request& request);
void cancel_task(Request& request);
/// Writes an item of tasks/list.
void write_task_item(Request& request, const mcp::detail::Task& task);

}  // namespace mcp::protocol
