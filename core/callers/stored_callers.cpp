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
using mcp::detail::StorageView;
using mcp::detail::StoredCaller;

// Serves the request by the next feature with this method. False after an error.
[[gnu::noinline]] bool serve_next(Request& request, const char* name, void (*self)(Request& request)) {
  const FeatureMethod* const next = method_after(request.storage, name, request.context.client.stateless, self);
  if (next != nullptr) {
    next->handle(request);
  } else {
    request.fail(rpc::method_not_found, "Method not found: ", name, "");
  }
  return request.code() == 0;
}

// A string that does not fit is left out, because a part of it may be the name of another client.
std::uint16_t store(char* into, std::size_t space, const std::string_view& text) {
  if (text.size() > space) return 0;
  std::copy(text.begin(), text.end(), into);
  return static_cast<std::uint16_t>(text.size());
}

void store_client(const StorageView& storage, StoredCaller& stored, const std::string_view& name,
                  const std::string_view& version) {
  const std::size_t space = storage.caller_size - sizeof(StoredCaller);
  stored.name_size = store(stored.bytes(), space, name);
  stored.version_size = store(stored.bytes() + stored.name_size, space - stored.name_size, version);
}

// ---- Sessions -----------------------------------------------------------------------------------------------------

// A session that begins is placed before it gets its slot. The session that still has the slot is about to end.
void store_initialize(Request& request) {
  if (!serve_next(request, "initialize", store_initialize)) return;
  const json::Value info = request.params.find("clientInfo");
  store_client(request.storage, request.storage.session_caller(request.session_index),
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
[[gnu::noinline]] void store_caller(const Request& request) {
  const StorageView& storage = request.storage;
  WalkOf<Job> jobs(storage.jobs, request.session_index);
  while (const Job* const job = jobs.next()) {
    if (!is_of(request, *job, jobs.index())) continue;
    StoredCaller& stored = storage.job_caller(jobs.index());
    stored.scopes = request.context.scopes().bits();
    if constexpr (with_client) {
      const Caller caller(request);
      store_client(storage, stored, caller.client_name(), caller.client_version());
    }
  }
}

template <bool with_client>
void store_call(Request& request) {
  if (serve_next(request, "tools/call", store_call<with_client>)) store_caller<with_client>(request);
}

template <bool with_client>
void store_read(Request& request) {
  if (serve_next(request, "resources/read", store_read<with_client>)) store_caller<with_client>(request);
}

constexpr FeatureMethod session_methods[] = {{"initialize", store_initialize, FeatureMethod::Scope::before_initialize}};
constexpr FeatureMethod job_methods[] = {{"tools/call", store_call<true>}, {"resources/read", store_read<true>}};
constexpr FeatureMethod scope_methods[] = {{"tools/call", store_call<false>}, {"resources/read", store_read<false>}};

}  // namespace

constinit const Feature client_info_feature{session_methods};
constinit const Feature job_callers_feature{job_methods};
constinit const Feature job_scopes_feature{scope_methods};

}  // namespace mcp::protocol
