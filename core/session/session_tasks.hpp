// SPDX-License-Identifier: Apache-2.0
// Methods of tasks of sessions, for tasks that outlive their session.
#pragma once

#include <cstddef>

#include "engine/paging.hpp"
#include "engine/request.hpp"
#include "features/task_pool.hpp"
#include "mcp/detail/server_state.hpp"

namespace mcp::protocol {

/// False, after an error, for a client of a revision without tasks.
bool speaks_tasks(Request& request);
/// tasks/get, tasks/result and tasks/cancel, for a task of the session of this request.
void get_task(Request& request);
void await_task(Request& request);
void cancel_task(Request& request);
/// Writes an item of tasks/list.
void write_task_item(Request& request, const mcp::detail::Task& task);

/// The task in a slot as an item of tasks/list, or nothing.
using WriteSlot = void (*)(Request& request, std::size_t index);

/// tasks/list.
template <WriteSlot write>
void list_tasks(Request& request) {
  if (!speaks_tasks(request)) return;
  answer_page(request, "tasks", ListKind::tasks, request.storage.tasks.capacity(), write);
}

/// The same slot, if its row has a scope that the caller lacks: nothing.
template <WriteSlot write>
void write_admitted(Request& request, std::size_t index) {
  if (!hides_task(request, index)) write(request, index);
}

}  // namespace mcp::protocol
