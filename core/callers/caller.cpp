// SPDX-License-Identifier: Apache-2.0
// The caller of a request or a job. Source: basic/index#_meta, 2026-07-28; basic/authorization, 2025-11-25.
#include "mcp/caller.hpp"

#include "engine/owned.hpp"
#include "engine/request.hpp"
#include "engine/send_context.hpp"
#include "mcp/assert.hpp"
#include "mcp/call.hpp"
#include "mcp/definition.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/job_context.hpp"
#include "mcp/json/value.hpp"
#include "mcp/method.hpp"
#include "mcp/resource.hpp"

namespace mcp {

using detail::Job;
using detail::StorageView;
using detail::StoredCaller;
using protocol::Request;
using protocol::SendContext;

namespace {

constexpr json::Text client_info_key = "io.modelcontextprotocol/clientInfo";

}  // namespace

Caller::Caller(const Request& request)
    : principal_(request.context.principal()),
      definition_(&request.definition),
      scopes_(request.context.scopes()),
      request_id_(request.id()),
      meta_(request.params.find("_meta")) {
  const StorageView& storage = request.storage;
  if (request.context.client.stateless) {
    revision_ = request.revision().name;
    client_info_ = json::find_member(meta_, client_info_key);
  } else if (request.session.phase != detail::Phase::fresh) {
    revision_ = protocol::revisions[request.session.client.revision].name;
    if (storage.stores_clients()) stored_ = &storage.session_caller(request.session_index);
  }
}

Caller::Caller(const SendContext& context, const Job& job)
    : principal_(job.principal), definition_(&context.definition) {
  const StorageView& storage = context.storage;
  memory::Walk<Job> jobs(storage.jobs);
  while (const Job* const found = jobs.next()) {
    if (found != &job) continue;
    revision_ = protocol::revisions[job.client.revision].name;
    request_id_ = {storage.job_id(jobs.index()), job.id_size};
    knows_scopes_ = storage.caller_size != 0;
    if (!knows_scopes_) return;
    const StoredCaller& stored = storage.job_caller(jobs.index());
    scopes_ = Scopes(stored.scopes);
    if (storage.stores_clients()) stored_ = &stored;
    return;
  }
  principal_ = context.principal();
  scopes_ = context.scopes();  // the scopes of the request that scheduled the call
}

bool Caller::has_scope(std::string_view name) const {
  MCP_ASSERT(knows_scopes_);  // a job needs Limits::job_scopes or Limits::client_info_size
  return definition_ != nullptr && scopes_.has(definition_->scopes.find(name));
}

std::string_view Caller::client_name() const {
  return stored_ != nullptr ? stored_->name() : json::find_member(client_info_, "name").string();
}

std::string_view Caller::client_version() const {
  return stored_ != nullptr ? stored_->version() : json::find_member(client_info_, "version").string();
}

// ---- Where handlers get it ----------------------------------------------------------------------------------------

// Only the step of a job has no request.
Caller Call::caller() const {
  if (request_ != nullptr) return Caller(*request_);
  const JobContext& step = static_cast<const JobContext&>(*this);
  return {step.context_, step.job_};
}

namespace {

// The job whose step runs. A step may end jobs of other channels, whose last steps run within it.
const Job& find_stepping(const SendContext& context) {
  const Job* stepping = nullptr;
  protocol::WalkOf<Job> jobs(context.storage.jobs, context);
  while (const Job* const job = jobs.next()) {
    if (!job->stepping) continue;
    if (stepping == nullptr || context.channel == job->channel) stepping = job;
  }
  MCP_ASSERT(stepping != nullptr);
  return *stepping;
}

}  // namespace

// Each body belongs to a request. The request of a step has no params.
Caller ReadResult::caller() const {
  const auto& request = static_cast<const Request&>(response_);
  if (request.params.value.present()) return Caller(request);
  return {request.context, find_stepping(request.context)};
}

Caller MethodCall::caller() const { return Caller(request_); }

}  // namespace mcp
