// SPDX-License-Identifier: Apache-2.0
// The extension io.modelcontextprotocol/tasks, for stateless clients. The server decides which call becomes a task.
// tasks/get returns the input requests of its job and its result, and tasks/update has the input responses.
// Source: SEP-2663 and the specification of the extension, for 2026-07-28.
#include <cstring>
#include <utility>

#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/send_context.hpp"
#include "features/client_capabilities.hpp"
#include "features/job_runner.hpp"
#include "features/pending_input.hpp"
#include "features/task_pool.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/json/value.hpp"
#include "mcp/tool.hpp"

namespace mcp::protocol {
namespace {

using mcp::detail::Job;
using mcp::detail::StorageView;
using mcp::detail::Task;
using mcp::detail::TaskStatus;

bool declares_tasks(const SendContext& context) { return (context.client.features & CapabilityBit::tasks) != 0; }

// ---- Writing -----------------------------------------------------------------------------------------------------

void write_members(json::Writer& out, const Task& task, TaskStatus status) {
  write_task(out, task, status);
  out.member("ttlMs", task.ttl_ms);
  out.member("pollIntervalMs", task.tool->info.poll_interval_ms);
}

// The members of a DetailedTask.
void write_state(json::Writer& out, const StorageView& storage, std::size_t index) {
  Task& task = storage.tasks.at(index);
  task.outcome_seen = has_ended(task);
  write_members(out, task, task.status);
  if (task.status == TaskStatus::input_required) {
    out.key("inputRequests");
    out.raw(std::string_view(storage.task_result(index).data(), task.size));
  } else if (task.status == TaskStatus::completed || task.status == TaskStatus::failed) {
    out.raw(outcome_of(storage, index));
  }
}

void answer_with_task(rpc::Response& response, const Task& task) {
  response.result_begin_as("task");
  // A task begins as working, even when it has ended meanwhile.
  write_members(response.out, task, TaskStatus::working);
  if (!response.result_end()) fail_executed(response);
}

// ---- Changes of state -----------------------------------------------------------------------------------------------

void notify(const SendContext& context, std::size_t index) {
  const SubscriptionOps* const subscriptions = context.storage.links.subscriptions;
  if (subscriptions != nullptr) {
    subscriptions->target_changed(context.storage, context.storage.first_task_target() + index);
  }
}

// The job knows the timeout of its input requests.
void set(SendContext& context, memory::Handle handle, TaskStatus status, std::size_t size, Millis) {
  Task& task = context.storage.tasks.at(handle);
  const bool asks = status == TaskStatus::input_required;
  if (asks) {
    context.storage.task_result(handle.index)[size++] = '}';
    ++task.inputs;
    task.answers_size = 0;
    task.updated_ms = context.now;
  }
  if (set_task(context, handle, status, size) || asks) notify(context, handle.index);
}

bool call(Request& request, const Tool& tool, json::Value arguments) {
  if (tool.info.task_support == TaskSupport::forbidden) return false;
  if (!declares_tasks(request.context)) {
    if (tool.info.task_support != TaskSupport::required) return false;
    fail_for_capability(request, CapabilityBit::tasks);
    return true;
  }
  if (tool.info.input_before_task) return false;
  request.task = create_task(request.context, request, tool, request.storage.task_ttl_ms);
  if (request.task == memory::Handle{}) return true;
  run_task(request, tool, arguments);
  answer_with_task(request, request.storage.tasks.at(request.task));
  return true;
}

bool adopt(SendContext& context, memory::Handle handle, rpc::Response& response) {
  const StorageView& storage = context.storage;
  Job& job = storage.jobs.at(handle);
  // If the input request of the job could not be sent, this is no request of its client. The slot is in its share.
  const std::uint32_t owner = std::exchange(context.session.owner, job.owner);
  const memory::Handle created = create_task(context, response, *job.tool, storage.task_ttl_ms);
  context.session.owner = owner;
  if (created == memory::Handle{}) return false;
  Task& task = storage.tasks.at(created);
  task.principal = job.principal;
  task.job = handle;
  static_cast<void>(set_task(context, created, TaskStatus::working, 0));
  answer_with_task(response, task);
  job.task = created;
  detach(job);
  return true;
}

// ---- Methods -----------------------------------------------------------------------------------------------------

// The zero handle after it has answered with an error.
memory::Handle find(Request& request) {
  if (declares_tasks(request.context)) return find_task(request);
  fail_for_capability(request, CapabilityBit::tasks);
  return {};
}

void get(Request& request) {
  const memory::Handle handle = find(request);
  if (handle == memory::Handle{}) return;
  request.result_begin();
  write_state(request.out, request.storage, handle.index);
  request.finish();
}

void cancel(Request& request) {
  const memory::Handle handle = find(request);
  Task* const task = request.storage.tasks.find(handle);
  if (task == nullptr) return;
  if (!has_ended(*task)) {
    stop_task(request.context, handle, cancelled_by_client);
    task->outcome_seen = true;
  }
  request.empty_result();
}

// The key as the job names it: without the number of the set.
std::string_view base_of(std::string_view key, const Task& task) {
  return task.inputs == 1 ? key : key.substr(0, key.rfind('-'));
}

/// Reads input responses for a task: from the message into the transmit buffer, which is free until the request is
/// acknowledged, and from there to the job if all have arrived, else into the memory of the task.
class Answers {
 public:
  Answers(Request& request, memory::Handle handle, json::Value responses)
      : request_(request),
        task_(request.storage.tasks.at(handle)),
        index_(handle.index),
        kept_(request.storage.task_result(handle.index)),
        responses_(responses) {}

  /// False if they do not fit. `complete` becomes the object of all input responses when no input request is open. It
  /// is for the next step of the job, which uses the stack of this object.
  bool read(json::Value& complete) {
    json::Writer open(request_.out.rest());
    const bool all = write_open(open);
    json::Writer answers(open.rest());
    const std::span<char> place = answers.rest();
    if (!write_answers(answers)) return true;  // no input request is open for these
    if (!open.ok() || !answers.ok()) return false;
    if (all) {
      complete = json::Value(place.data());
      return true;
    }
    if (open.size() + answers.size() > kept_.size()) return false;
    std::memcpy(kept_.data(), request_.out.rest().data(), open.size() + answers.size());
    task_.size = static_cast<std::uint16_t>(open.size());
    task_.answers_size = static_cast<std::uint16_t>(answers.size());
    task_.updated_ms = request_.now;
    notify(request_.context, index_);
    return true;
  }

 private:
  // The response to an open input request. Ignores a kind whose capability the request does not declare.
  [[nodiscard]] json::Value answer_to(const std::string_view& key) const {
    const json::Value answer = json::find_member(responses_, key);
    const Job* const job = request_.storage.jobs.find(task_.job);
    if (!answer.present() || job == nullptr) return {};
    for (const std::uint32_t input : job->inputs.items) {
      const bool is_it = PendingInput::key_in(input) == PendingInput::key_of(base_of(key, task_));
      if (is_it && can_answer(PendingInput::kind_in(input), request_.context.client.features)) return answer;
    }
    return {};
  }

  // True if no input request is open.
  bool write_open(json::Writer& out) {
    bool all = true;
    out.object_begin();
    for (json::Members inputs(json::Value(kept_.data())); inputs.next();) {
      if (answer_to(inputs.key()).present()) continue;
      all = false;
      out.key(inputs.key());
      out.raw(inputs.value().raw());
    }
    out.object_end();
    return all;
  }

  // After the earlier ones. False if there is no new one.
  bool write_answers(json::Writer& out) {
    bool any = false;
    if (task_.answers_size != 0) {
      out.raw(std::string_view(kept_.data() + task_.size, task_.answers_size - 1U));
    } else {
      out.object_begin();
    }
    for (json::Members inputs(json::Value(kept_.data())); inputs.next();) {
      const json::Value answer = answer_to(inputs.key());
      if (!answer.present()) continue;
      any = true;
      out.key(base_of(inputs.key(), task_));
      out.copy(answer.raw());
    }
    out.object_end();
    return any;
  }

  Request& request_;
  Task& task_;
  std::size_t index_;
  std::span<char> kept_;
  json::Value responses_;
};

[[gnu::noinline]] bool read_answers(Request& request, memory::Handle handle, json::Value responses,
                                    json::Value& complete) {
  return Answers(request, handle, responses).read(complete);
}

// Late input responses are ignored, like those without an input request.
void update(Request& request) {
  const memory::Handle handle = find(request);
  const Task* const task = request.storage.tasks.find(handle);
  if (task == nullptr) return;
  const json::Value responses = request.params.find("inputResponses");
  if (!responses.is(json::Type::object)) {
    return request.fail("inputResponses must be an object.");
  }
  json::Value complete;
  if (task->status == TaskStatus::input_required && !read_answers(request, handle, responses, complete)) {
    return request.fail(rpc::internal_error, "inputResponses are too long; nothing was changed.");
  }
  if (complete.present()) JobRunner(request.context).step(task->job, Answer(Outcome::none), complete);
  request.empty_result();
}

// ---- Later events ---------------------------------------------------------------------------------------------------

// The server sends nothing. Clients poll or subscribe.
bool transmit_tasks(SendContext& context) {
  TaskWalk tasks(context, true);
  while (const Task* const task = tasks.next()) {
    if (has_expired(*task, context.now)) expire_task(context, tasks.handle());
  }
  return false;
}

// ---- Visibility -----------------------------------------------------------------------------------------------------

bool read_client(json::Value capabilities, json::Value, SendContext& context) {
  mcp::detail::Client& client = context.client;
  const json::Value extensions = json::find_member(capabilities, "extensions");
  const bool declared = json::find_member(extensions, "io.modelcontextprotocol/tasks").is(json::Type::object);
  if (client.stateless && declared) client.features |= CapabilityBit::tasks;
  return true;
}

std::size_t find_listened(Request& request, const std::string_view& id) {
  const memory::Handle handle = declares_tasks(request.context) ? find_task(request.context, id) : memory::Handle{};
  return handle != memory::Handle{} ? handle.index : TargetKind::npos;
}

void write_listened(json::Writer& out, const SendContext& context, std::size_t index) {
  write_task_id(out, context.storage.tasks.at(index));
}

bool write_notification(json::Writer& out, const SendContext& context, std::size_t index) {
  notification_begin(out, "tasks");
  write_state(out, context.storage, index);
  return true;
}

// The same, where a row has a scope.
std::size_t find_admitted(Request& request, const std::string_view& id) {
  const std::size_t index = find_listened(request, id);
  if (index == TargetKind::npos) return index;
  switch (access_to(request, request.storage.tasks.at(index))) {
    case RowAccess::granted: return index;
    case RowAccess::hidden: return TargetKind::npos;
    case RowAccess::refused: break;
  }
  return TargetOps::answered;
}

constexpr TargetKind listened_tasks{"taskIds", find_listened, write_listened, write_notification};
constexpr TargetKind admitted_tasks{"taskIds", find_admitted, write_listened, write_notification};

constexpr FeatureMethod task_methods[] = {
    {"tasks/get", get, FeatureMethod::Scope::stateless},
    {"tasks/update", update, FeatureMethod::Scope::stateless},
    {"tasks/cancel", cancel, FeatureMethod::Scope::stateless},
};

}  // namespace

constinit const Feature stateless_tasks_feature{.methods = task_methods,
                                                .transmit = transmit_tasks,
                                                .due = tasks_due,
                                                .close = close_tasks,
                                                .read_client = read_client,
                                                .answers = true};
constinit const TaskOps stateless_task_ops{call, set, nullptr, adopt, &listened_tasks};
constinit const TaskOps scoped_task_ops{call, set, nullptr, adopt, &admitted_tasks};

}  // namespace mcp::protocol
