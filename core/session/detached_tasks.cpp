// SPDX-License-Identifier: Apache-2.0
// Tasks that outlive their session (ToolInfo::task_outlives_session). When it ends, its tasks and their jobs go to a
// session that no client can name (StorageView::detached_session()), where the jobs continue. A session that may see
// such a task takes it over when it names the task: it gets notifications and input requests from then on.
//
// The owner of such a task is a principal, or the session slot of a wire. A client of a network without a token can
// take over nothing, also if it knows the id.
#include "engine/feature.hpp"
#include "engine/owned.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/send_context.hpp"
#include "features/job_runner.hpp"
#include "features/pending_input.hpp"
#include "features/task_pool.hpp"
#include "mcp/assert.hpp"
#include "mcp/json/value.hpp"
#include "session/session_tasks.hpp"

namespace mcp::protocol {
namespace {

using mcp::detail::Job;
using mcp::detail::Session;
using mcp::detail::StorageView;
using mcp::detail::Task;

// ---- A session ends -----------------------------------------------------------------------------------------------

// Its phase lets jobs run. It is not in the pool, so nothing else uses the slot.
void open_detached_session(const StorageView& storage) {
  if (storage.sessions.in_use(storage.detached_session()) != nullptr) return;
  storage.sessions.acquire(storage.detached_session());
  Session& detached = storage.sessions.at(storage.detached_session());
  detached.phase = mcp::detail::Phase::ready;
  detached.no_listener = true;
}

void detach(const StorageView& storage, Task& task) {
  open_detached_session(storage);
  MCP_DEBUG_ASSERT(task.outlives && task.session != storage.detached_session());
  task.ended_session = task.session;
  task.session = static_cast<std::uint16_t>(storage.detached_session());
  task.waiting_size = task.replaced_size = 0;
  task.status_due = false;
  task.withdrawn = 0;
  Job* const job = storage.jobs.find(task.job);
  if (job == nullptr) return;
  job->session = task.session;
  job->channel = no_channel;
  job->token_size = 0;
  job->progress_due = false;
}

// The next client that waits for the task gets the input request again.
void ask_again(const StorageView& storage, Task& task, Millis now) {
  const Job* const job = storage.jobs.find(task.job);
  if (job == nullptr || job->input_id == 0 || task.input_timeout_ms != 0) return;
  const Millis left_ms = until(job->wake_ms, now);
  task.input_timeout_ms = left_ms != 0 ? left_ms : 1;
}

// Jobs and tasks that are left in the session end after this.
void detach_tasks(SendContext& context) {
  if (context.channel != only_channel) return;
  TaskWalk tasks(context, false);
  while (Task* const task = tasks.next()) {
    if (!task->outlives || task->outcome_seen) continue;
    ask_again(context.storage, *task, context.now);
    detach(context.storage, *task);
  }
}

// ---- Without a session --------------------------------------------------------------------------------------------

// No client gets messages of these tasks: takes the steps of their jobs, and ends them.
Millis detached_tasks_due(const Definition& definition, const StorageView& storage, Millis now) {
  Session* const detached = storage.sessions.in_use(storage.detached_session());
  if (detached == nullptr) return forever;
  json::Writer nowhere({});
  SendContext context{definition, storage, storage.detached_session(), *detached, nowhere, now, no_channel};
  WalkOf<Job> jobs(storage.jobs, context);
  while (jobs.next() != nullptr) static_cast<void>(JobRunner(context).run(jobs.handle()));
  TaskWalk tasks(context, false);
  while (const Task* const task = tasks.next()) {
    if (!task->outlives || has_expired(*task, now)) expire_task(context, tasks.handle());
  }
  return forever;  // jobs and tasks have functions of their own
}

// ---- A session names a task -----------------------------------------------------------------------------------------

// True for a task of an earlier session of the same client. A client may have lost a session that has not ended yet.
bool is_theirs(const Request& request, const Task& task) {
  const SendContext& context = request.context;
  if (!task.outlives || task.session == context.session_index || has_expired(task, request.now)) return false;
  if (task.principal != 0) return task.principal == context.principal();
  const bool same_wire = context.info == nullptr && task.ended_session == context.session_index;
  return same_wire && task.session == request.storage.detached_session();
}

// Without the capability that its input request needs, the job gets Outcome::unsupported.
void continue_with(Request& request, Task& task, Job& job) {
  const std::uint8_t kind = PendingInput::kind_in(PendingInput::open_one(job.inputs));
  const std::uint8_t features = request.context.client.features;
  const unsigned lost = job.client.features & ~unsigned{features};
  // The messages of a sampling request may have tools or name a context.
  const bool differs =
      kind == PendingInput::sample && (lost & (CapabilityBit::sampling_tools | CapabilityBit::sampling_context)) != 0;
  job.session = static_cast<std::uint16_t>(request.session_index);
  job.channel = request.context.channel == only_channel ? only_channel : no_channel;
  job.client = request.context.client;
  if (job.input_id == 0 || (can_answer(kind, features) && !differs)) return;
  reject_input(task, job, request.now);
}

// False after an error: a request of another session waits for the task, so its client has not lost the session.
bool take_over(Request& request) {
  // Before that, a job could not continue.
  if (!request.revision().shown.tasks || request.session.phase != mcp::detail::Phase::ready) return true;
  const StorageView& storage = request.storage;
  const std::string_view id = request.params.find("taskId").string();
  memory::Walk<Task> tasks(storage.tasks);
  while (Task* const task = tasks.next()) {
    if (!is_theirs(request, *task) || !has_id(*task, id)) continue;
    if (task->waiting_size != 0 || task->replaced_size != 0) {
      request.fail(rpc::invalid_request, "Another session waits for this task.");
      return false;
    }
    if (task->session != storage.detached_session()) {
      ask_again(storage, *task, request.now);
      detach(storage, *task);
    }
    task->session = static_cast<std::uint16_t>(request.session_index);
    if (Job* const job = storage.jobs.find(task->job)) continue_with(request, *task, *job);
    return true;
  }
  return true;
}

template <void (*serve)(Request&)>
void named(Request& request) {
  if (take_over(request)) serve(request);
}

constexpr FeatureMethod detached_task_methods[] = {
    {"tasks/get", named<get_task>, FeatureMethod::Scope::session},
    {"tasks/result", named<await_task>, FeatureMethod::Scope::session},
    {"tasks/cancel", named<cancel_task>, FeatureMethod::Scope::session},
};

}  // namespace

void write_detached_task(Request& request, std::size_t index) {
  const Task* const task = request.storage.tasks.in_use(index);
  if (task == nullptr || task->stateless) return;
  if (task->session == request.session_index || is_theirs(request, *task)) write_task_item(request, *task);
}

constinit const Feature detached_tasks_feature{
    .methods = detached_task_methods, .due = detached_tasks_due, .close = detach_tasks};

}  // namespace mcp::protocol
