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
#include "engine/session_place.hpp"
#include "features/client_capabilities.hpp"
#include "features/job_runner.hpp"
#include "features/tools.hpp"
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

// Days since 1970 to a date of the Gregorian calendar, in years that begin in March.
struct Date {
  std::uint32_t year;
  std::uint32_t month;
  std::uint32_t day;
};

constexpr Date date_of(std::uint32_t days) {
  const std::uint32_t since_era = days + 719'468;  // since 0000-03-01
  const std::uint32_t era = since_era / 146'097;
  const std::uint32_t day_of_era = since_era % 146'097;
  const std::uint32_t year = (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::uint32_t day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
  const std::uint32_t month = (5 * day_of_year + 2) / 153;  // from March
  return {era * 400 + year + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
          day_of_year - (153 * month + 2) / 5 + 1};
}
static_assert(date_of(0).year == 1970 && date_of(0).month == 1 && date_of(0).day == 1);
static_assert(date_of(11'016).year == 2000 && date_of(11'016).month == 2 && date_of(11'016).day == 29);
static_assert(date_of(20'454).year == 2026 && date_of(20'454).month == 1 && date_of(20'454).day == 1);

// Replaces the last `count` digits by those of a value.
void put_digits(char* at, unsigned count, std::uint32_t value) {
  for (; count != 0; value /= 10) at[--count] = static_cast<char>('0' + value % 10);
}

// ISO 8601.
void write_time(json::Writer& out, json::Text name, std::uint64_t ms) {
  // In pieces of 16 bits: a division of 64 bits would bring 700 bytes of library along.
  std::uint32_t seconds = 0;
  std::uint32_t rest_ms = 0;
  for (const unsigned shift : {32U, 16U, 0U}) {
    const std::uint32_t piece = rest_ms << 16U | (static_cast<std::uint32_t>(ms >> shift) & 0xFFFF);
    seconds = seconds << 16U | piece / 1000;
    rest_ms = piece % 1000;
  }
  const Date date = date_of(seconds / 86'400);
  char text[] = "0000-00-00T00:00:00.000Z";
  put_digits(text, 4, date.year);
  put_digits(text + 5, 2, date.month);
  put_digits(text + 8, 2, date.day);
  put_digits(text + 11, 2, seconds / 3600 % 24);
  put_digits(text + 14, 2, seconds / 60 % 60);
  put_digits(text + 17, 2, seconds % 60);
  put_digits(text + 20, 3, rest_ms);
  out.member(name, std::string_view(text, sizeof text - 1));
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

// Its client has seen how it ended, and nothing of it is still to be said.
bool is_spent(const Task& task) {
  return task.outcome_seen && task.waiting_size == 0 && task.replaced_size == 0 && task.withdrawn == 0;
}

memory::Handle acquire_task(const SendContext& context) {
  const memory::Pool<Task>& tasks = context.storage.tasks;
  const memory::Handle free = take_place(context, tasks);
  if (free != memory::Handle{}) return free;
  const bool own_only = holds_share(context, tasks);
  const Millis now = context.now;
  memory::Handle oldest;
  memory::Walk<Task> all(tasks);
  while (const Task* const task = all.next()) {
    const Task* const other = tasks.find(oldest);
    if (!is_spent(*task) || (own_only && task->owner != context.owner())) continue;
    if (other == nullptr || now - task->updated_ms > now - other->updated_ms) oldest = all.handle();
  }
  if (oldest == memory::Handle{}) return {};
  release_task(context.storage, oldest);
  return take_place(context, tasks);
}

}  // namespace

memory::Handle create_task(const SendContext& context, rpc::Response& response, const Tool& tool, Millis ttl_ms) {
  const StorageView& storage = context.storage;
  const memory::Handle handle = acquire_task(context);
  Task* const task = storage.tasks.find(handle);
  if (task == nullptr) {
    mcp::detail::count(storage.health().tasks_full);
    fail_for_place(response, place_limit(context, storage.tasks), "All ", " task slots",
                   " are in use; fetch a result, then try again.");
    return {};
  }
  if (storage.services.entropy == nullptr || !storage.services.entropy->fill(task->id)) {
    storage.tasks.release(handle);
    response.fail(rpc::internal_error, "No random bytes for a taskId; try again later.");
    return {};
  }
  task->created_ms = task->updated_ms = context.now;
  // Without a wall clock, as if the device had been switched on in 1970.
  task->created_utc_ms = storage.services.wall_clock != nullptr ? storage.services.wall_clock->utc_ms() : context.now;
  task->ttl_ms = ttl_ms;
  task->poll_interval_ms = tool.info.poll_interval_ms;
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
  if (storage.jobs.find(storage.tasks.find(request.task)->job) != nullptr) return;
  const bool ok = end_tool_result(response, call, errc);
  tasks_of(request.context).end(request.context, request.task, buffer.size(), ok, call.has_meta());
}

namespace {

// Longer messages are cut between two characters: Limits::transmit_size has space for this size (transmit_size.hpp).
constexpr std::size_t message_size = 60;

std::string_view cut_message(std::string_view text) {
  if (text.size() <= message_size) return text;
  std::size_t size = message_size;
  while (size != 0 && (static_cast<std::uint8_t>(text[size]) & 0xC0U) == 0x80) --size;
  return text.substr(0, size);
}

}  // namespace

bool set_task(const SendContext& context, memory::Handle handle, TaskStatus status, std::size_t size) {
  Task& task = *context.storage.tasks.find(handle);
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
  Task& task = *context.storage.tasks.find(handle);
  if (context.storage.jobs.find(task.job) != nullptr) JobRunner(context).end(task.job);
  const mcp::detail::Links& links = context.storage.links;
  (task.stateless ? links.stateless_tasks : links.session_tasks)->set(context, handle, TaskStatus::cancelled, 0, 0);
  task.message = why;
}

}  // namespace mcp::protocol
