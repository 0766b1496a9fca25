// SPDX-License-Identifier: Apache-2.0
// The pool of tasks, for all eras. Source: basic/utilities/tasks, 2025-11-25, and the extension
// io.modelcontextprotocol/tasks of 2026-07-28.
#include "features/task_pool.hpp"

#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/owned.hpp"
#include "engine/owners.hpp"
#include "engine/request.hpp"
#include "engine/send_context.hpp"
#include "engine/session_slot.hpp"
#include "features/client_capabilities.hpp"
#include "features/job_runner.hpp"
#include "features/tools.hpp"
#include "json/utc_time.hpp"
#include "mcp/assert.hpp"
#include "mcp/call.hpp"
#include "mcp/json/value.hpp"
#include "mcp/memory/secrets.hpp"
#include "mcp/tool.hpp"

namespace mcp::protocol {

using mcp::detail::StorageView;
using mcp::detail::Task;
using mcp::detail::TaskStatus;

namespace {

constexpr std::size_t max_id_chars = 2 * sizeof(Task::id);

// ISO 8601.
void write_time(json::Writer& out, json::Text name, std::uint64_t ms) {
  char text[json::utc_text_size];
  json::write_utc(text, ms);
  out.member(name, std::string_view(text, sizeof text));
}

}  // namespace

json::Text name_of(TaskStatus status) {
  static constexpr json::Text names[] = {"working", "input_required", "completed", "failed", "cancelled"};
  return names[static_cast<std::size_t>(status)];
}

void write_task_id(json::Writer& out, const Task& task) {
  char text[max_id_chars];
  memory::write_hex(text, task.id);
  out.string(std::string_view(text, sizeof text));
}

void write_task(json::Writer& out, const Task& task, TaskStatus status) {
  out.key("taskId");
  write_task_id(out, task);
  out.member("status", name_of(status));
  // A task begins as working, even when it has ended meanwhile.
  if (status == task.status) out.optional_member("statusMessage", task.message);
  write_time(out, "createdAt", task.created_utc_ms);
  write_time(out, "lastUpdatedAt", task.created_utc_ms + (task.updated_ms - task.created_ms));
}

// ---- Finding -----------------------------------------------------------------------------------------------------

bool has_id(const Task& task, const std::string_view& text) {
  char id[max_id_chars];
  memory::write_hex(id, task.id);
  return json::equal(text, std::string_view(id, sizeof id));
}

Task* TaskWalk::next() {
  while (Task* const task = WalkOf<Task>::next()) {
    if (task->stateless == stateless_) return task;
  }
  return nullptr;
}

memory::Handle find_task(const SendContext& context, const std::string_view& id) {
  const bool stateless = context.client.stateless;
  TaskWalk tasks(context, stateless);
  while (const Task* const task = tasks.next()) {
    if (stateless && task->principal != context.principal()) continue;
    if (has_id(*task, id)) return tasks.handle();
  }
  return {};
}

memory::Handle find_task(Request& request) {
  const memory::Handle handle = find_task(request.context, request.params.find("taskId").string());
  if (handle == memory::Handle{}) {
    request.fail("taskId is unknown or expired.");
  }
  return handle;
}

// ---- State of a task ------------------------------------------------------------------------------------------------

namespace {

// Its client has seen how it ended, and nothing of it is still to be said. The end of an input request is not said
// while the client does not listen.
bool is_spent(const StorageView& storage, const Task& task) {
  if (!task.outcome_seen || task.waiting_size != 0 || task.replaced_size != 0) return false;
  return task.withdrawn == 0 || storage.sessions.at(task.session).no_listener;
}

memory::Handle acquire_task(const SendContext& context) {
  const memory::Pool<Task>& tasks = context.storage.tasks;
  const memory::Handle free = acquire_slot(context, tasks);
  if (free != memory::Handle{}) return free;
  const bool own_only = holds_share(context, tasks);
  const Millis now = context.now;
  memory::Handle oldest;
  memory::Walk<Task> all(tasks);
  while (const Task* const task = all.next()) {
    const Task* const other = tasks.find(oldest);
    if (!is_spent(context.storage, *task) || (own_only && task->owner != context.owner())) continue;
    if (other == nullptr || now - task->updated_ms > now - other->updated_ms) oldest = all.handle();
  }
  if (oldest == memory::Handle{}) return {};
  release_task(context.storage, oldest);
  return acquire_slot(context, tasks);
}

}  // namespace

memory::Handle create_task(const SendContext& context, rpc::Response& response, const Tool& tool, Millis ttl_ms) {
  const StorageView& storage = context.storage;
  const memory::Handle handle = acquire_task(context);
  Task* const task = storage.tasks.find(handle);
  if (task == nullptr) {
    mcp::detail::count(storage.health().tasks_full);
    fail_for_slots(response, slot_limit(context, storage.tasks), "All ", " task slots",
                   " are in use; fetch a result, then try again.");
    return {};
  }
  if (storage.services.entropy == nullptr || !storage.services.entropy->fill(task->id)) {
    storage.tasks.release(handle);
    response.fail(rpc::internal_error, "No random bytes for a taskId; try again later.");
    return {};
  }
  MCP_DEBUG_ASSERT(task->status == TaskStatus::working && task->job == memory::Handle{});
  task->created_ms = task->updated_ms = context.now;
  // Without a wall clock, as if the device had been switched on in 1970.
  task->created_utc_ms = storage.services.wall_clock != nullptr ? storage.services.wall_clock->utc_ms() : context.now;
  task->ttl_ms = ttl_ms;
  task->tool = &tool;
  task->stateless = context.client.stateless;
  task->principal = context.principal();
  return handle;
}

void run_task(Request& request, const Tool& tool, json::Value arguments) {
  const StorageView& storage = request.storage;
  json::Writer buffer(storage.task_result(request.task.index));
  rpc::Response response(buffer, {}, request.context.result_meta());
  response.result_begin();
  buffer.fragment("\"content\":[");
  Call call(response, request.known_content(), request.context.session_id(), &request);
  const Errc errc = invoke(request, tool, arguments, call);
  if (storage.jobs.find(storage.tasks.at(request.task).job) != nullptr) return;
  const bool ok = end_tool_result(response, call, errc);
  end_task(request.context, request.task, buffer.size(), ok, call.has_meta());
}

std::string_view outcome_of(const StorageView& storage, std::size_t index) {
  constexpr std::string_view envelope = "{\"jsonrpc\":\"2.0\",";
  const std::size_t size = storage.tasks.at(index).size;
  MCP_DEBUG_ASSERT(size > envelope.size());
  return {storage.task_result(index).data() + envelope.size(), size - envelope.size() - 1};
}

void end_task(SendContext& context, memory::Handle handle, std::size_t size, bool ok, bool has_meta) {
  Task& task = context.storage.tasks.at(handle);
  task.size = static_cast<std::uint16_t>(size);
  task.has_meta = has_meta;
  if (task.stateless) ok = is_result(outcome_of(context.storage, handle.index));
  tasks_of(context).set(context, handle, ok ? TaskStatus::completed : TaskStatus::failed, size, 0);
}

namespace {

// Longer messages are cut between two characters: Limits::transmit_size has space for this size (transmit_size.hpp).
constexpr std::size_t message_size = 60;

std::string_view cut_message(std::string_view text) {
  if (text.size() <= message_size) return text;
  std::size_t size = message_size;
  while (size != 0 && (static_cast<std::uint8_t>(text[size]) & 0xC0U) == 0x80) --size;
  return {text.data(), size};  // substr() would link the function for an exception
}

}  // namespace

bool set_task(const SendContext& context, memory::Handle handle, TaskStatus status, std::size_t size) {
  Task& task = context.storage.tasks.at(handle);
  MCP_DEBUG_ASSERT(!has_ended(task) && size <= context.storage.task_result_size);
  task.size = static_cast<std::uint16_t>(size);
  const mcp::detail::Job* const job = context.storage.jobs.find(task.job);
  const bool runs = job != nullptr && status < TaskStatus::completed;
  const std::string_view message = runs ? cut_message(job->message) : std::string_view();
  if (task.status == status && task.message.data() == message.data()) return false;
  task.status = status;
  task.message = message;
  task.updated_ms = context.now;
  return true;
}

void stop_task(SendContext& context, memory::Handle handle, json::Text why) {
  Task& task = context.storage.tasks.at(handle);
  if (context.storage.jobs.find(task.job) != nullptr) JobRunner(context).end(task.job);
  const mcp::detail::Links& links = context.storage.links;
  (task.stateless ? links.stateless_tasks : links.session_tasks)->set(context, handle, TaskStatus::cancelled, 0, 0);
  task.message = why;
}

void expire_task(SendContext& context, memory::Handle handle) {
  if (!has_ended(context.storage.tasks.at(handle))) stop_task(context, handle, cancelled_by_time);
  release_task(context.storage, handle);
}

// ---- Functions of the features ------------------------------------------------------------------------------------

// No message is sent for a stateless task: only its time to live counts.
Millis tasks_due(const Definition&, const StorageView& storage, Millis now) {
  Millis earliest = forever;
  memory::Walk<Task> tasks(storage.tasks);
  while (const Task* const task = tasks.next()) {
    if (task->replaced_size != 0 && !storage.is_unfinished(task->session, task->replaced_channel)) return 0;
    if (storage.is_unfinished(task->session, task->waiting_channel)) continue;
    const bool answerable = task->waiting_size != 0 && (has_ended(*task) || task->input_timeout_ms != 0);
    const mcp::detail::Session& session = storage.sessions.at(task->session);
    const bool heard = session.phase == mcp::detail::Phase::ready && !session.no_listener;
    // The cancellation is sent before the status that explains it.
    if (answerable || (heard && task->status_due)) return 0;
    const Millis in = until(task->created_ms + task->ttl_ms, now);
    if (in < earliest) earliest = in;
  }
  return earliest;
}

// Jobs end by themselves. A task has no channel, but a tasks/result that waits for it has one. The transport gives that
// channel to another request after this.
void close_tasks(SendContext& context) {
  WalkOf<Task> tasks(context.storage.tasks, context);
  while (Task* const task = tasks.next()) {
    if (context.channel == only_channel) {
      release_task(context.storage, tasks.handle());
      continue;
    }
    if (task->waiting_channel == context.channel) task->waiting_size = 0;
    if (task->replaced_channel == context.channel) task->replaced_size = 0;
  }
}

}  // namespace mcp::protocol
