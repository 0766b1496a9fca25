// Tasks: calls that are answered by an id, under which the client finds the result later.
// Source: basic/utilities/tasks, 2025-11-25.
#include <cstring>

#include "json/value.hpp"
#include "mcp/assert.hpp"
#include "mcp/call.hpp"
#include "mcp/tool.hpp"
#include "protocol/job_runner.hpp"
#include "protocol/request.hpp"

namespace mcp::protocol {
namespace {

using mcp::detail::Job;
using mcp::detail::StorageView;
using mcp::detail::Task;
using mcp::detail::TaskStatus;

constexpr Millis poll_interval_ms = 1000;
constexpr std::size_t max_id_chars = 2 * sizeof(Task::id);

bool has_ended(const Task& task) { return task.status >= TaskStatus::completed; }

// ---- Writing -----------------------------------------------------------------------------------------------------

void write_id(json::Writer& out, const Task& task) {
  static constexpr char digits[] = "0123456789abcdef";
  char text[max_id_chars];
  char* at = text;
  for (const std::uint8_t byte : task.id) {
    *at++ = digits[byte >> 4];
    *at++ = digits[byte & 15];
  }
  out.member("taskId", std::string_view(text, sizeof text));
}

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

void put_digits(char*& at, std::uint32_t value, unsigned count, char behind) {
  for (unsigned i = count; i != 0; --i, value /= 10) at[i - 1] = static_cast<char>('0' + value % 10);
  at[count] = behind;
  at += count + 1;
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
  char text[24];
  char* end = text;
  put_digits(end, date.year, 4, '-');
  put_digits(end, date.month, 2, '-');
  put_digits(end, date.day, 2, 'T');
  put_digits(end, seconds / 3600 % 24, 2, ':');
  put_digits(end, seconds / 60 % 60, 2, ':');
  put_digits(end, seconds % 60, 2, '.');
  put_digits(end, rest_ms, 3, 'Z');
  out.member(name, std::string_view(text, sizeof text));
}

// The members of a Task.
void write_members(json::Writer& out, const Task& task, TaskStatus status) {
  static constexpr json::Text names[] = {"working", "input_required", "completed", "failed", "cancelled"};
  write_id(out, task);
  out.member("status", names[static_cast<std::size_t>(status)]);
  if (status == TaskStatus::failed) out.fragment("\"statusMessage\":\"The call failed; tasks/result says why.\"");
  write_time(out, "createdAt", task.created_utc_ms);
  write_time(out, "lastUpdatedAt", task.created_utc_ms + (task.updated_ms - task.created_ms));
  out.member("ttl", task.ttl_ms);
  out.member("pollInterval", poll_interval_ms);
}

// The member that says to which task something belongs.
void write_related(json::Writer& out, const Task& task) {
  out.fragment("\"io.modelcontextprotocol/related-task\":{");
  write_id(out, task);
  out.object_end();
}

void write_meta(json::Writer& out, const StorageView& storage, memory::Handle handle) {
  out.fragment("\"_meta\":{");
  write_related(out, *storage.tasks.find(handle));
  out.object_end();
}

// ---- Creating ----------------------------------------------------------------------------------------------------

void set(const StorageView& storage, memory::Handle handle, TaskStatus status, std::size_t size, Millis now) {
  Task& task = *storage.tasks.find(handle);
  task.size = static_cast<std::uint16_t>(size);
  if (task.status == status) return;
  task.status = status;
  task.updated_ms = now;
  task.status_due = true;
}

void end(const StorageView& storage, memory::Handle handle, std::size_t size, bool ok, bool has_meta, Millis now) {
  storage.tasks.find(handle)->has_meta = ok && has_meta;
  set(storage, handle, ok ? TaskStatus::completed : TaskStatus::failed, size, now);
}

// The time to live that the client asks for, or the longest there is. False when it asks for something else.
bool read_ttl(json::Value wanted, Millis& ttl_ms) {
  const json::Value ttl = json::find_member(wanted, "ttl");
  if (!ttl.present()) return true;
  std::uint64_t value = 0;
  json::NumberStatus status = json::NumberStatus::ok;
  if (!ttl.number(value, status) || status != json::NumberStatus::ok) return false;
  if (value < ttl_ms) ttl_ms = static_cast<Millis>(value);
  return true;
}

// The zero handle after it has answered with an error.
memory::Handle create(Request& request, json::Value wanted) {
  const StorageView& storage = request.storage;
  Millis ttl_ms = storage.task_ttl_ms;
  if (!wanted.is(json::Type::object) || !read_ttl(wanted, ttl_ms)) {
    request.fail(rpc::invalid_params, "task must be an object, its ttl a number of milliseconds.");
    return {};
  }
  const memory::Handle handle = storage.tasks.acquire();
  Task* const task = storage.tasks.find(handle);
  if (task == nullptr) {
    request.fail(rpc::internal_error, "This device keeps ", storage.tasks.capacity(),
                 " tasks at most; try again when the time to live of one has passed.");
    return {};
  }
  if (storage.entropy == nullptr || !storage.entropy->fill(task->id)) {
    storage.tasks.release(handle);
    request.fail(rpc::internal_error, "The device has no random bytes for the id of a task now; try again later.");
    return {};
  }
  task->session = storage.sessions.at(request.session_index);
  task->created_ms = task->updated_ms = request.now;
  // Without a wall clock, as if the device had been switched on in 1970.
  task->created_utc_ms = storage.wall_clock != nullptr ? storage.wall_clock->utc_ms() : request.now;
  task->ttl_ms = ttl_ms;
  return handle;
}

// What the call comes to is kept; a job goes on by itself.
void begin(Request& request, const Tool& tool, json::Value arguments) {
  const StorageView& storage = request.storage;
  json::Writer buffer(storage.task_result(request.task.index));
  rpc::Response response(buffer, {});
  response.result_begin();
  buffer.fragment("\"content\":[");
  Call call(response, request.known_content(), storage.sessions.at(request.session_index), &request);
  const Errc errc = invoke(request, tool, arguments, call);
  if (storage.jobs.find(storage.tasks.find(request.task)->job) != nullptr) return;
  const bool ok = end_tool_result(response, call, errc);
  end(storage, request.task, buffer.size(), ok, call.has_meta(), request.now);
}

bool call(Request& request, const Tool& tool, json::Value arguments) {
  if (!request.revision().shown.tasks) return false;
  const json::Value wanted = json::find_member(request.params, "task");
  if (!wanted.present()) {
    if (tool.info.task_support != TaskSupport::required) return false;
    request.fail(rpc::method_not_found, "This tool can be called as a task only: params need a member task.");
    return true;
  }
  if (tool.info.task_support == TaskSupport::forbidden) {
    request.fail(rpc::method_not_found, "This tool cannot be called as a task.");
    return true;
  }
  request.task = create(request, wanted);
  if (request.task == memory::Handle{}) return true;
  begin(request, tool, arguments);
  request.result_begin();
  request.out.fragment("\"task\":{");
  // A task begins as working, even when it has ended meanwhile.
  write_members(request.out, *request.storage.tasks.find(request.task), TaskStatus::working);
  request.out.object_end();
  request.finish();
  return true;
}

// ---- Methods -----------------------------------------------------------------------------------------------------

// False, after an error, for a client of a revision without tasks.
bool speaks_tasks(Request& request) {
  if (request.revision().shown.tasks) return true;
  request.fail(rpc::method_not_found, "There are no tasks before revision 2025-11-25.");
  return false;
}

bool equals_id(const Task& task, std::string_view text) {
  if (text.size() != max_id_chars) return false;
  for (std::size_t i = 0; i < max_id_chars; ++i) {
    const unsigned half = i % 2 == 0 ? task.id[i / 2] >> 4u : task.id[i / 2] & 15u;
    if (text[i] != "0123456789abcdef"[half]) return false;
  }
  return true;
}

// The task that the params name. The zero handle after it has answered with an error.
memory::Handle find(Request& request) {
  if (!speaks_tasks(request)) return {};
  const std::string_view id = json::find_member(request.params, "taskId").string();
  for (std::size_t i = 0; i < request.storage.tasks.capacity(); ++i) {
    const memory::Handle handle = owned_by(request.session_index, request.storage.tasks, i);
    if (handle != memory::Handle{} && equals_id(*request.storage.tasks.find(handle), id)) return handle;
  }
  request.fail(rpc::invalid_params, "There is no task with this taskId, or it has expired.");
  return {};
}

void answer_task(Request& request, const Task& task) {
  request.result_begin();
  write_members(request.out, task, task.status);
  request.finish();
}

void get(Request& request) {
  if (const Task* const task = request.storage.tasks.find(find(request))) answer_task(request, *task);
}

// Answered by transmit(), when the task has ended.
void result(Request& request) {
  const memory::Handle handle = find(request);
  Task* const task = request.storage.tasks.find(handle);
  if (task == nullptr) return;
  if (request.id_is_running()) return request.fail(rpc::invalid_request, "A request with this id is still running.");
  if (task->waiting_size != 0) {
    return request.fail(rpc::invalid_request, "A tasks/result waits for this task already.");
  }
  const std::string_view id = request.id();
  task->waiting_channel = request.outbound.channel;
  task->waiting_size = static_cast<std::uint16_t>(id.size());
  std::memcpy(request.storage.task_waiting(handle.index), id.data(), id.size());
}

// Ends the job of a task that will have no result.
void stop(Outbound& outbound, memory::Handle handle) {
  Task& task = *outbound.storage.tasks.find(handle);
  if (const Job* const job = outbound.storage.jobs.find(task.job)) {
    if (task.question_ms == 0) task.withdrawn = job->question;
    JobRunner(outbound).end(task.job);
  }
  task.question_ms = 0;
  set(outbound.storage, handle, TaskStatus::cancelled, 0, outbound.now);
}

void cancel(Request& request) {
  const memory::Handle handle = find(request);
  const Task* const task = request.storage.tasks.find(handle);
  if (task == nullptr) return;
  if (has_ended(*task)) return request.fail(rpc::invalid_params, "This task has ended already.");
  stop(request.outbound, handle);
  answer_task(request, *task);
}

// Slots of others, and free ones, take no room on the page.
void write_item(Request& request, std::size_t index) {
  const Task* const task = request.storage.tasks.find(owned_by(request.session_index, request.storage.tasks, index));
  if (task == nullptr) return;
  request.out.object_begin();
  write_members(request.out, *task, task->status);
  request.out.object_end();
}

void list(Request& request) {
  if (!speaks_tasks(request)) return;
  answer_page(request, "tasks", Area::tasks, request.storage.tasks.capacity(), write_item);
}

// A tasks/result that is cancelled waits no more; its task goes on.
void cancelled(Request& request) {
  const std::string_view id = json::find_member(request.params, "requestId").raw();
  for (std::size_t i = 0; i < request.storage.tasks.capacity(); ++i) {
    Task* const task = request.storage.tasks.find(owned_by(request.session_index, request.storage.tasks, i));
    if (task == nullptr || !json::equal(std::string_view(request.storage.task_waiting(i), task->waiting_size), id))
      continue;
    task->waiting_size = 0;
  }
}

// ---- What is sent later ------------------------------------------------------------------------------------------

// The result as the call would have given it, with the member that says whose it is.
void write_result(json::Writer& out, std::string_view stored, const Task& task) {
  constexpr std::string_view envelope = "{\"jsonrpc\":\"2.0\",";
  stored.remove_prefix(envelope.size());
  if (!stored.starts_with("\"result\"")) return out.raw(stored);
  stored.remove_suffix(task.has_meta ? 3 : 2);
  out.raw(stored);
  if (!task.has_meta) out.fragment("\"_meta\":{");
  write_related(out, task);
  out.fragment("}}}");
}

void answer_waiting(Outbound& outbound, memory::Handle handle, Task& task) {
  const StorageView& storage = outbound.storage;
  json::Writer& out = outbound.out;
  const std::string_view id(storage.task_waiting(handle.index), task.waiting_size);
  task.waiting_size = 0;
  rpc::Response response(out, id);
  if (task.status == TaskStatus::cancelled) {
    response.error_begin(rpc::internal_error);
    out.append("The task was cancelled, or its time to live has passed.");
    return response.error_end();
  }
  out.fragment("{\"jsonrpc\":\"2.0\",\"id\":");
  out.raw(id);
  write_result(out, {storage.task_result(handle.index).data(), task.size}, task);
  if (!out.ok()) fail_for_space(response);
}

void write_status(Outbound& outbound, Task& task) {
  task.status_due = false;
  outbound.out.fragment("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tasks/status\",\"params\":{");
  write_members(outbound.out, task, task.status);
  outbound.out.fragment("}}");
}

bool transmit_one(Outbound& outbound, memory::Handle handle) {
  const StorageView& storage = outbound.storage;
  Task& task = *storage.tasks.find(handle);
  if (task.withdrawn != 0 && outbound.is_for(session_channel)) {
    write_withdrawal(outbound.out, task.withdrawn);
    task.withdrawn = 0;
    return true;
  }
  if (outbound.now - task.created_ms >= task.ttl_ms) {
    if (!has_ended(task)) {
      stop(outbound, handle);
    } else if (task.waiting_size == 0) {
      storage.tasks.release(handle);
      return false;
    }
  }
  if (task.status_due && outbound.is_for(session_channel)) return write_status(outbound, task), true;
  if (task.waiting_size == 0 || !outbound.is_for(task.waiting_channel)) return false;
  if (has_ended(task)) return answer_waiting(outbound, handle, task), true;
  if (task.question_ms == 0) return false;
  // The question goes to the client that waits for the task.
  outbound.out.raw(std::string_view(storage.task_result(handle.index).data(), task.size));
  storage.jobs.find(task.job)->wake_ms = outbound.now + task.question_ms;
  task.question_ms = 0;
  return true;
}

bool transmit(Outbound& outbound) {
  for (std::size_t i = 0; i < outbound.storage.tasks.capacity(); ++i) {
    const memory::Handle handle = owned_by(outbound.session_index, outbound.storage.tasks, i);
    if (handle != memory::Handle{} && transmit_one(outbound, handle)) return true;
  }
  return false;
}

Millis due(const Definition&, const StorageView& storage, Millis now) {
  Millis earliest = forever;
  for (std::size_t i = 0; i < storage.tasks.capacity(); ++i) {
    const Task* const task = storage.tasks.find(storage.tasks.at(i));
    if (task == nullptr || !storage.may_transmit(task->session, task->waiting_channel)) continue;
    const bool answerable = task->waiting_size != 0 && (has_ended(*task) || task->question_ms != 0);
    const bool heard = !storage.sessions.find(task->session)->deaf;
    if (answerable || (heard && (task->status_due || task->withdrawn != 0))) return 0;
    const Millis in = until(task->created_ms + task->ttl_ms, now);
    if (in < earliest) earliest = in;
  }
  return earliest;
}

// Their jobs end by themselves.
void close(Outbound& outbound) {
  for (std::size_t i = 0; i < outbound.storage.tasks.capacity(); ++i) {
    outbound.storage.tasks.release(owned_by(outbound.session_index, outbound.storage.tasks, i));
  }
}

void write_capability(json::Writer& out, const Definition&, const Revision& revision) {
  if (revision.shown.tasks)
    out.fragment("\"tasks\":{\"list\":{},\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}");
}

constexpr Method methods[] = {
    {"tasks/get", get, Method::For::sessions},       {"tasks/result", result, Method::For::sessions},
    {"tasks/cancel", cancel, Method::For::sessions}, {"tasks/list", list, Method::For::sessions},
    {"notifications/cancelled", cancelled},
};

}  // namespace

constinit const Feature tasks_feature{methods, write_capability, transmit, due, close};
constinit const TaskCode task_code{call, set, end, write_meta};

}  // namespace mcp::protocol
