// SPDX-License-Identifier: Apache-2.0
// Methods of tasks of sessions, for tasks that outlive their session.
#pragma once

#include "mcp/detail/server_state.hpp"

namespace mcp::protocol {

class Request;

/// False, after an error, for a client of a revision without tasks.
bool speaks_tasks(Request& request);
/// tasks/get, tasks/result and tasks/cancel, for a task of the session of this request.
void get_task(Request& request);
void await_task(Request& request);
void cancel_task(Request& request);
/// Writes an item of tasks/list.
void write_task_item(Request& request, const mcp::detail::Task& task);

}  // namespace mcp::protocol
