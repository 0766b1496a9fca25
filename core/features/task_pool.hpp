// SPDX-License-Identifier: Apache-2.0
// Common code of tasks of both eras: their pool, ids and dates, how a call becomes a task, and how its job ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/hooks.hpp"
#include "engine/owned.hpp"
#include "engine/request.hpp"
#include "engine/send_context.hpp"
#include "features/client_capabilities.hpp"
#include "mcp/json/value.hpp"
#include "mcp/tool.hpp"

namespace mcp::protocol {

constexpr bool has_ended(const mcp::detail::Task& task) { return task.status >= mcp::detail::TaskStatus::completed; }

/// The names of the states of a task.
json::Text name_of(mcp::detail::TaskStatus status);

/// Writes the id, a string.
void write_task_id(json::Writer& out, const mcp::detail::Task& task);
/// Writes the members taskId, status, statusMessage, createdAt and lastUpdatedAt.
void write_task(json::Writer& out, const mcp::detail::Task& task, mcp::detail::TaskStatus status);

/// Walks over the tasks that this session and era can see.
class TaskWalk : public WalkOf<mcp::detail::Task> {
 public:
  TaskWalk(const SendContext& context, bool stateless)
      : WalkOf(context.storage.tasks, context), stateless_(stateless) {}
  [[nodiscard]] mcp::detail::Task* next();

 private:
  bool stateless_;
};

/// True if this is its id.
bool has_id(const mcp::detail::Task& task, const std::string_view& text);
/// The one with this id that the client may know of: it is of its session, era and principal.
memory::Handle find_task(const SendContext& context, const std::string_view& id);
/// The one that the params name. The zero handle after it has answered with an error.
memory::Handle find_task(Request& request);

/// A new task for the client of this request. If all slots are in use, it replaces the task that ended longest ago
/// among those whose client has seen the end. The zero handle if it has sent an error.
memory::Handle create_task(const SendContext& context, rpc::Response& response, const Tool& tool, Millis ttl_ms);
/// Calls the tool for the task Request::task and stores the outcome. A job continues on its own.
void run_task(Request& request, const Tool& tool, json::Value arguments);
/// The stored outcome of a task that has ended with one: the member `result` or `error` of its message.
std::string_view outcome_of(const mcp::detail::StorageView& storage, std::size_t index);
inline bool is_result(std::string_view outcome) { return outcome.starts_with("\"result\""); }
/// Ends a task with the stored message of `size` bytes. `ok` is false for a tool that has failed. In a stateless task,
/// such a tool has a result: the task itself fails only with an error.
void end_task(SendContext& context, memory::Handle task, std::size_t size, bool ok, bool has_meta);
/// The part of TaskOps::set() for both eras. True if the status or the message of the job has changed.
bool set_task(const SendContext& context, memory::Handle task, mcp::detail::TaskStatus status, std::size_t size);
/// Ends the job of a task that will have no result: it is cancelled. `why` is a literal, the statusMessage.
void stop_task(SendContext& context, memory::Handle task, json::Text why);
/// Values of `why`.
inline constexpr json::Text cancelled_by_client = "The client cancelled the task.";
inline constexpr json::Text cancelled_by_time = "The task has expired: its time to live is over.";
/// True when its time to live has passed.
constexpr bool has_expired(const mcp::detail::Task& task, Millis now) { return now - task.created_ms >= task.ttl_ms; }
/// Cancels a task that has expired or that no client can name, and frees its slot.
void expire_task(SendContext& context, memory::Handle task);

/// Feature::due and Feature::close of both eras, for the tasks of both.
Millis tasks_due(const Definition& definition, const mcp::detail::StorageView& storage, Millis now);
void close_tasks(SendContext& context);

/// What a request may do with a task, or with the input request of a job: by the conditions of the row of its tool.
enum class RowAccess : std::uint8_t {
  granted,
  hidden,   // as if there were none
  refused,  // the request has an error
};
/// The same of a task. Only images with conditions of rows link it (core/guards).
RowAccess access_to(Request& request, const mcp::detail::Task& task);

/// A job of a stateless client that is a task: it has no channel, and sends no progress and no log.
inline void detach(mcp::detail::Job& job) {
  job.id_size = job.token_size = 0;
  job.channel = no_channel;
  job.client.logs = job.progress_due = false;
}

/// The one for this client. There is one when it has a task.
inline const TaskOps& tasks_of(const SendContext& context) {
  const mcp::detail::Links& links = context.storage.links;
  return context.client.stateless ? *links.stateless_tasks : *links.session_tasks;
}

}  // namespace mcp::protocol
