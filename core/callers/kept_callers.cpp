// SPDX-License-Identifier: Apache-2.0
// Caller data that outlives its request: the name and version of the client of a session, and the callers of jobs.
// These features handle methods of other features first, and then pass each request on.
// Source: basic/lifecycle#initialization, 2025-11-25.
#include <algorithm>

#include "engine/feature.hpp"
#include "engine/owned.hpp"
#include "engine/request.hpp"
#include "engine/send_context.hpp"
#include "mcp/caller.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/json/value.hpp"
#include "rpc/codes.hpp"

namespace mcp::protocol {
namespace {

using mcp::detail::Job;
using mcp::detail::KeptCaller;
using mcp::detail::StorageView;

// Serves the request by the next feature with this method. False after an error.
[[gnu::noinline]] bool serve_next(Request& request, const char* name, void (*self)(Request& request)) {
  const Method* const next = method_after(request.storage, name, request.context.client.stateless, self);
  if (next != nullptr) {
    next->handle(request);
  } else {
    request.fail(rpc::method_not_found, "Method not found: ", name, "");
  }
  return request.code() == 0;
}

// A string that does not fit is left out, because a part of it may be the name of another client.
std::uint16_t keep(char* into, std::size_t space, const std::string_view& text) {
  if (text.size() > space) return 0;
  std::copy(text.begin(), text.end(), into);
  return static_cast<std::uint16_t>(text.size());
}

void keep_client(const StorageView& storage, KeptCaller& kept, const std::string_view& name,
                 const std::string_view& version) {
  const std::size_t space = storage.caller_size - sizeof(KeptCaller);
  kept.name_size = keep(kept.bytes(), space, name);
  kept.version_size = keep(kept.bytes() + kept.name_size, space - kept.name_size, version);
}

// ---- Sessions -----------------------------------------------------------------------------------------------------

// A session that begins is placed before it gets its slot. The session that still has the slot is about to end.
void keep_initialize(Request& request) {
  if (!serve_next(request, "initialize", keep_initialize)) return;
  const json::Value info = request.params.find("clientInfo");
  keep_client(request.storage, request.storage.session_caller(request.session_index),
              json::find_member(info, "name").string(), json::find_member(info, "version").string());
}

// ---- Jobs ---------------------------------------------------------------------------------------------------------

// True for the job that the request has begun or continues. An id that was already in use is an error.
bool is_of(const Request& request, const Job& job, std::size_t index) {
  if (request.task != memory::Handle{}) return job.task == request.task;
  const bool here = job.task == memory::Handle{} && job.channel == request.context.channel;
  return here && json::equal(std::string_view(request.storage.job_id(index), job.id_size), request.id());
}

template <bool with_client>
[[gnu::noinline]] void keep_caller(const Request& request) {
  const StorageView& storage = request.storage;
  WalkOf<Job> jobs(storage.jobs, request.session_index);
  while (const Job* const job = jobs.next()) {
    if (!is_of(request, *job, jobs.index())) continue;
    KeptCaller& kept = storage.job_caller(jobs.index());
    kept.scopes = request.context.scopes().bits();
    if constexpr (with_client) {
      const Caller caller(request);
      keep_client(storage, kept, caller.client_name(), caller.client_version());
    }
  }
}

template <bool with_client>
void keep_call(Request& request) {
  if (serve_next(request, "tools/call", keep_call<with_client>)) keep_caller<with_client>(request);
}

template <bool with_client>
void keep_read(Request& request) {
  if (serve_next(request, "resources/read", keep_read<with_client>)) keep_caller<with_client>(request);
}

constexpr Method session_methods[] = {{"initialize", keep_initialize, Method::Scope::before_initialize}};
constexpr Method job_methods[] = {{"tools/call", keep_call<true>}, {"resources/read", keep_read<true>}};
constexpr Method scope_methods[] = {{"tools/call", keep_call<false>}, {"resources/read", keep_read<false>}};

}  // namespace

constinit const Feature client_info_feature{session_methods};
constinit const Feature job_callers_feature{job_methods};
constinit const Feature job_scopes_feature{scope_methods};

}  // namespace mcp::protocol
