// SPDX-License-Identifier: Apache-2.0
// Tasks of sessions: calls that are answered by an id, under which the client finds the result later.
// Source: basic/utilities/tasks, 2025-11-25.
#include <cstring>

#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/paging.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/send_context.hpp"
#include "features/pending_input.hpp"
#include "features/task_pool.hpp"
#include "mcp/assert.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/json/value.hpp"
#include "mcp/tool.hpp"
#include "rpc/same_id.hpp"
#include "session/session_tasks.hpp"

namespace mcp::protocol {
namespace {

using mcp::detail::Job;
using mcp::detail::StorageView;
using mcp::detail::Task;
using mcp::detail::TaskStatus;

// The members of a Task.
void write_members(json::Writer& out, const Task& task, TaskStatus status) {
  write_task(out, task, status);
  out.member("ttl", task.ttl_ms);
  out.member("pollInterval", task.tool->info.poll_interval_ms);
}

// Writes the member that names the task of a message.
void write_related(json::Writer& out, const Task& task) {
  out.fragment("\"io.modelcontextprotocol/related-task\":{");
  out.key("taskId");
  write_task_id(out, task);
  out.object_end();
}

void write_meta(json::Writer& out, const StorageView& storage, memory::Handle handle) {
  out.fragment("\"_meta\":{");
  write_related(out, storage.tasks.at(handle));
  out.object_end();
}

// ---- Creating ----------------------------------------------------------------------------------------------------

void set(SendContext& context, memory::Handle handle, TaskStatus status, std::size_t size, Millis wait_ms) {
  Task& task = context.storage.tasks.at(handle);
  task.input_timeout_ms = wait_ms;
  // The client gets a new message with the progress, or with the state that it requests.
  if (task.status != status) task.status_due = true;
  static_cast<void>(set_task(context, handle, status, size));
  if (status == TaskStatus::failed) task.message = "Failed; tasks/result has the error.";
}

// The time to live that the client requests, or the maximum. False for an invalid request.
bool read_ttl(json::Value wanted, Millis& ttl_ms) {
  const json::Value ttl = json::find_member(wanted, "ttl").unless_null();
  if (!ttl.present()) return true;
  std::uint64_t value = 0;
  json::NumberStatus status = json::NumberStatus::ok;
  if (!ttl.number(value, status) || status != json::NumberStatus::ok) return false;
  if (value < ttl_ms) ttl_ms = static_cast<Millis>(value);
  return true;
}

// The zero handle after it has answered with an error.
memory::Handle create(Request& request, const Tool& tool, json::Value wanted) {
  Millis ttl_ms = request.storage.task_ttl_ms;
  if (!wanted.is(json::Type::object) || !read_ttl(wanted, ttl_ms)) {
    request.fail("task must be an object; ttl is in milliseconds.");
    return {};
  }
  return create_task(request.context, request, tool, ttl_ms);
}

bool call(Request& request, const Tool& tool, json::Value arguments) {
  if (!request.revision().shown.tasks) return false;
  const json::Value wanted = request.params.find("task").unless_null();
  if (!wanted.present()) {
    if (tool.info.task_support != TaskSupport::required) return false;
    request.fail(rpc::method_not_found, "This tool needs a task: add the member task to params.");
    return true;
  }
  if (tool.info.task_support == TaskSupport::forbidden) {
    request.fail(rpc::method_not_found, "This tool does not support tasks.");
    return true;
  }
  request.task = create(request, tool, wanted);
  if (request.task == memory::Handle{}) return true;
  // Without a token, a client of a network could not be recognised later.
  const bool is_known = request.context.info == nullptr || request.context.principal() != 0;
  request.storage.tasks.at(request.task).outlives = tool.info.task_outlives_session && is_known;
  run_task(request, tool, arguments);
  request.result_begin();
  request.out.fragment("\"task\":{");
  // A task begins as working, even when it has ended meanwhile.
  write_members(request.out, request.storage.tasks.at(request.task), TaskStatus::working);
  request.out.object_end();
  request.finish();
  return true;
}

// ---- Methods -----------------------------------------------------------------------------------------------------

// False, after an error, for a client of a revision without tasks.
bool speaks_tasks(Request& request) {
  if (request.revision().shown.tasks) return true;
  request.fail(rpc::method_not_found, "Tasks need revision 2025-11-25.");
  return false;
}

// The zero handle after it has answered with an error.
memory::Handle find(Request& request) { return speaks_tasks(request) ? find_task(request) : memory::Handle{}; }

void answer_task(Request& request, const Task& task) {
  request.result_begin();
  write_members(request.out, task, task.status);
  request.finish();
}

// The newer request waits, because the connection of the older one may be lost. False if another request still waits
// for its error.
bool replace_waiting(const Request& request, std::size_t index, Task& task) {
  if (task.replaced_size != 0) return false;
  // Each request has its own channel: a new request on the channel shows that the old one is lost.
  if (task.waiting_channel == request.context.channel && task.waiting_channel != only_channel) return true;
  task.replaced_size = task.waiting_size;
  task.replaced_channel = task.waiting_channel;
  std::memcpy(request.storage.task_replaced(index), request.storage.task_waiting(index), task.waiting_size);
  return true;
}

// The client gets the result alone: the job goes on without input, as that of a call does.
void give_up_input(const Request& request, Task& task) {
  Job* const job = request.storage.jobs.find(task.job);
  if (job == nullptr) return;
  job->client.features = 0;
  if (task.input_timeout_ms != 0) reject_input(task, *job, request.now);
}

// Cancels an input request that was sent.
void stop(SendContext& context, memory::Handle handle, json::Text why) {
  Task& task = context.storage.tasks.at(handle);
  const Job* const job = context.storage.jobs.find(task.job);
  if (job != nullptr && task.input_timeout_ms == 0) task.withdrawn = job->input_id;
  stop_task(context, handle, why);
}

void list_tasks(Request& request) {
  if (speaks_tasks(request)) answer_page(request, "tasks", ListKind::tasks, request.storage.tasks.capacity());
}

// A cancelled tasks/result stops waiting. Its task continues.
void cancelled(Request& request) {
  const std::string_view id = request.params.find("requestId").raw();
  TaskWalk tasks(request.context, false);
  while (Task* const task = tasks.next()) {
    const std::string_view waiting(request.storage.task_waiting(tasks.index()), task->waiting_size);
    if (rpc::same_id(waiting, id)) task->waiting_size = 0;
    const std::string_view replaced(request.storage.task_replaced(tasks.index()), task->replaced_size);
    if (rpc::same_id(replaced, id)) task->replaced_size = 0;
  }
}

}  // namespace

void reject_input(Task& task, Job& job, Millis now) {
  PendingInput::settle(job.inputs, PendingInput::unsupported);
  job.input_id = 0;
  job.wake_ms = now;
  task.input_timeout_ms = 0;
  task.status = TaskStatus::working;
}

void get_task(Request& request) {
  if (const Task* const task = request.storage.tasks.find(find(request))) answer_task(request, *task);
}

// Answered by transmit_tasks(), when the task has ended.
void await_task(Request& request) {
  const memory::Handle handle = find(request);
  Task* const task = request.storage.tasks.find(handle);
  if (task == nullptr) return;
  if (!request.id_is_free()) return;
  if (task->waiting_size != 0 && !replace_waiting(request, handle.index, *task)) {
    return request.fail(rpc::invalid_request, "Two tasks/result already wait for this task.");
  }
  const std::string_view id = request.id();
  MCP_DEBUG_ASSERT(id.size() <= request.storage.id_size);
  task->waiting_channel = request.context.channel;
  task->waiting_size = static_cast<std::uint16_t>(id.size());
  std::memcpy(request.storage.task_waiting(handle.index), id.data(), id.size());
  const TransportInfo* const info = request.context.info;
  if (info != nullptr && info->only_response) give_up_input(request, *task);
}

void cancel_task(Request& request) {
  const memory::Handle handle = find(request);
  Task* const task = request.storage.tasks.find(handle);
  if (task == nullptr) return;
  if (has_ended(*task)) return request.fail("The task has already ended.");
  stop(request.context, handle, cancelled_by_client);
  task->outcome_seen = true;
  answer_task(request, *task);
}

void write_task_item(Request& request, const Task& task) {
  request.out.object_begin();
  write_members(request.out, task, task.status);
  request.out.object_end();
}

// Skips free slots and tasks of other sessions.
void write_session_task(Request& request, std::size_t index) {
  const Task* const task = request.storage.tasks.in_use(index);
  if (task != nullptr && task->session == request.session_index && !task->stateless) write_task_item(request, *task);
}

// ---- Messages sent later --------------------------------------------------------------------------------------------

namespace {

// The result of the call, with the member that names its task.
void write_result(json::Writer& out, std::string_view outcome, const Task& task) {
  const bool has_result = is_result(outcome);
  if (has_result) outcome.remove_suffix(task.has_meta ? 2 : 1);
  out.raw(outcome);
  if (!has_result) return out.object_end();
  if (!task.has_meta) out.fragment("\"_meta\":{");
  write_related(out, task);
  out.fragment("}}}");
}

void answer_waiting(SendContext& context, memory::Handle handle, Task& task) {
  const StorageView& storage = context.storage;
  MCP_DEBUG_ASSERT(has_ended(task) && task.waiting_size != 0);
  json::Writer& out = context.out;
  const std::string_view id(storage.task_waiting(handle.index), task.waiting_size);
  task.waiting_size = 0;
  task.outcome_seen = true;
  rpc::Response response(out, id);
  if (task.status == TaskStatus::cancelled) {
    return response.fail(rpc::internal_error, task.message.data());
  }
  out.fragment("{\"jsonrpc\":\"2.0\",\"id\":");
  out.raw(id);
  write_result(out, outcome_of(storage, handle.index), task);
  if (!out.ok()) fail_executed(response);
}

void reject_replaced(SendContext& context, memory::Handle handle, Task& task) {
  rpc::Response response(context.out, {context.storage.task_replaced(handle.index), task.replaced_size});
  response.fail(rpc::invalid_request, "A newer tasks/result replaced this one.");
  task.replaced_size = 0;
}

// False when it does not fit: its job has a message of escapes.
bool write_status(SendContext& context, Task& task) {
  task.status_due = false;
  const json::Writer::Mark start = context.out.mark();
  notification_begin(context.out, "tasks/status");
  write_members(context.out, task, task.status);
  context.out.fragment("}}");
  if (!context.out.ok()) context.out.rollback(start);
  return context.out.size() != 0;
}

bool transmit_one(SendContext& context, memory::Handle handle) {
  const StorageView& storage = context.storage;
  Task& task = storage.tasks.at(handle);
  if (task.replaced_size != 0 && context.is_for(task.replaced_channel)) {
    return reject_replaced(context, handle, task), true;
  }
  // Before notifications/initialized, the client gets only the result that it has requested.
  const bool heard = context.session.phase == mcp::detail::Phase::ready && context.is_for(session_channel);
  if (task.withdrawn != 0 && heard) {
    write_withdrawal(context.out, task.withdrawn);
    task.withdrawn = 0;
    return true;
  }
  if (has_expired(task, context.now)) {
    if (!has_ended(task)) {
      stop(context, handle, cancelled_by_time);
    } else if (task.waiting_size == 0 && task.replaced_size == 0) {
      storage.tasks.release(handle);
      return false;
    }
  }
  if (task.status_due && heard && write_status(context, task)) return true;
  if (task.waiting_size == 0 || !context.is_for(task.waiting_channel)) return false;
  if (has_ended(task)) return answer_waiting(context, handle, task), true;
  if (task.input_timeout_ms == 0) return false;
  // The input request goes to the client that waits for the task.
  context.out.raw(std::string_view(storage.task_result(handle.index).data(), task.size));
  storage.jobs.at(task.job).wake_ms = context.now + task.input_timeout_ms;
  task.input_timeout_ms = 0;
  return true;
}

bool transmit_tasks(SendContext& context) {
  TaskWalk tasks(context, false);
  while (tasks.next() != nullptr) {
    if (transmit_one(context, tasks.handle())) return true;
  }
  return false;
}

bool has_open(const StorageView& storage, const OpenRequest& wanted) {
  memory::Walk<Task> tasks(storage.tasks);
  while (const Task* const task = tasks.next()) {
    const char* const waiting = storage.task_waiting(tasks.index());
    const char* const replaced = storage.task_replaced(tasks.index());
    if (task->waiting_size != 0 && wanted.is(task->session, task->waiting_channel, waiting, task->waiting_size))
      return true;
    if (task->replaced_size != 0 && wanted.is(task->session, task->replaced_channel, replaced, task->replaced_size))
      return true;
  }
  return false;
}

// In a session, the server does not need this capability. It shows that the client knows tasks.
bool read_client(json::Value capabilities, json::Value, SendContext& context) {
  mcp::detail::Client& client = context.client;
  client.knows_tasks = !client.stateless && json::find_member(capabilities, "tasks").is(json::Type::object);
  return true;
}

constexpr FeatureMethod task_methods[] = {
    {"tasks/get", get_task, FeatureMethod::Scope::session},
    {"tasks/result", await_task, FeatureMethod::Scope::session},
    {"tasks/cancel", cancel_task, FeatureMethod::Scope::session},
    {"tasks/list", list_tasks, FeatureMethod::Scope::session},
    {"notifications/cancelled", cancelled},
};

}  // namespace

constinit const Feature tasks_feature{.methods = task_methods,
                                      .transmit = transmit_tasks,
                                      .due = tasks_due,
                                      .close = close_tasks,
                                      .read_client = read_client,
                                      .has_open = has_open,
                                      .answers = true};
constinit const TaskOps task_ops{call, set, write_meta, nullptr, nullptr};

}  // namespace mcp::protocol
