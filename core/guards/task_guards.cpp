// SPDX-License-Identifier: Apache-2.0
// Tasks and input requests of rows with conditions. A session or a principal may have several tokens with different
// scopes. So a later request about a call needs the scope of the call, too.
#include "engine/feature.hpp"
#include "engine/owned.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/rows.hpp"
#include "engine/send_context.hpp"
#include "engine/server_request_ids.hpp"
#include "features/task_pool.hpp"
#include "guards/row_guards.hpp"
#include "mcp/json/value.hpp"
#include "mcp/rpc/envelope.hpp"
#include "mcp/server.hpp"
#include "mcp/tool.hpp"

namespace mcp::protocol {
namespace {

using mcp::detail::Job;
using mcp::detail::Task;

// The row of a tool of the table; no_row for a kind of found tools. A read that runs as a job has neither, but it has
// no task and no input request of a session.
std::size_t row_of(const Request& request, const Tool& tool) {
  const std::span<const Tool> rows = request.definition.tools.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (&rows[i] == &tool) return i;
  }
  return no_row;
}

RowScope scope_of_kind(const Definition& definition, const Tool& kind) {
  return kind.info.scope.given() ? kind.info.scope : definition.found_tools.get().scope;
}

RowAccess access_to_kind(Request& request, const Tool& kind) {
  const RowScope scope = scope_of_kind(request.definition, kind);
  const std::size_t missing = missing_scope(request.context, scope);
  if (missing == ScopeTable::npos) return RowAccess::granted;
  if (request.definition.hide_out_of_scope.on()) return RowAccess::hidden;
  fail_for_scope(request, scope, missing);
  return RowAccess::refused;
}

RowAccess access_to(Request& request, const Tool& tool, RowUse use) {
  const std::size_t row = row_of(request, tool);
  if (row == no_row) return access_to_kind(request, tool);
  const mcp::detail::Links& links = request.storage.links;
  if (links.hides_row != nullptr && links.hides_row(request, ListKind::tools, row)) return RowAccess::hidden;
  return may_use(request, {ListKind::tools, row, use}) ? RowAccess::granted : RowAccess::refused;
}

bool hides(const Request& request, const Tool& tool) {
  const std::size_t row = row_of(request, tool);
  if (row != no_row) return hides_row(request, ListKind::tools, row);
  return request.definition.hide_out_of_scope.on() &&
         missing_scope(request.context, scope_of_kind(request.definition, tool)) != ScopeTable::npos;
}

// True if the sender may know of the task. A task that outlives its session is visible to all sessions of its
// principal.
bool is_of_sender(const SendContext& context, const Task& task) {
  if (task.stateless != context.client.stateless) return false;
  if (task.stateless) return task.principal == context.principal();
  if (task.session == context.session_index) return true;
  return task.outlives && task.principal != 0 && task.principal == context.principal();
}

// Another client gets no response here, so that the next feature reports an unknown task. This is also true of a
// request that names no task.
void guard_task(Request& request, const char* method, Handler self) {
  const std::string_view id = request.params.find("taskId").string();
  memory::Walk<Task> tasks(request.storage.tasks);
  while (const Task* const task = tasks.next()) {
    if (!is_of_sender(request.context, *task) || !has_id(*task, id)) continue;
    const RowAccess access = protocol::access_to(request, *task);
    if (access == RowAccess::refused) return;
    if (access == RowAccess::hidden) request.params = {};  // the next feature finds no task
  }
  pass_on(request, method, self);
}

void guard_task_get(Request& request) { guard_task(request, "tasks/get", guard_task_get); }
void guard_task_result(Request& request) { guard_task(request, "tasks/result", guard_task_result); }
void guard_task_update(Request& request) { guard_task(request, "tasks/update", guard_task_update); }
void guard_task_cancel(Request& request) { guard_task(request, "tasks/cancel", guard_task_cancel); }

// Handles the response to an input request of a session. Its error has no id, because it does not respond to a request.
// Returns true if the job does not get the response.
bool guard_answer(SendContext& context, const rpc::Envelope& envelope) {
  const std::uint32_t id = read_request_id(envelope.id);
  WalkOf<Job> jobs(context.storage.jobs, context);
  while (const Job* const job = jobs.next()) {
    if (id == 0 || job->input_id != id) continue;
    Request request(context, {}, {});
    const RowAccess access = access_to(request, *job->tool, RowUse::answer);
    if (access == RowAccess::hidden) ++context.storage.health().stale_answers;
    return access != RowAccess::granted;
  }
  return false;
}

constexpr FeatureMethod guarded_task_methods[] = {
    {"tasks/get", guard_task_get},
    {"tasks/result", guard_task_result, FeatureMethod::Scope::session},
    {"tasks/update", guard_task_update, FeatureMethod::Scope::stateless},
    {"tasks/cancel", guard_task_cancel},
};

}  // namespace

RowAccess access_to(Request& request, const Task& task) { return access_to(request, *task.tool, RowUse::task); }

template <void (*write)(Request& request, std::size_t index)>
void write_admitted(Request& request, std::size_t index) {
  const Task* const task = request.storage.tasks.in_use(index);
  if (task != nullptr && !hides(request, *task->tool)) write(request, index);
}
template void write_admitted<write_session_task>(Request& request, std::size_t index);
template void write_admitted<write_detached_task>(Request& request, std::size_t index);

constinit const Feature task_guards_feature{guarded_task_methods};
constinit const Feature answer_guards_feature{.methods = {}, .answer = guard_answer};

}  // namespace mcp::protocol
