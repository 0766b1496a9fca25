// SPDX-License-Identifier: Apache-2.0
// Multi round-trip requests of stateless clients: a job or prompt returns input requests as the result of a call, and
// the retry has the input responses. Does not know how a state is sealed. Source: basic/patterns/mrtr, 2026-07-28.
#include <cstring>

#include "engine/hooks.hpp"
#include "engine/owned.hpp"
#include "engine/request.hpp"
#include "engine/send_context.hpp"
#include "features/client_capabilities.hpp"
#include "features/job_runner.hpp"
#include "features/pending_input.hpp"
#include "json/base64.hpp"
#include "mcp/assert.hpp"
#include "mcp/json/value.hpp"
#include "mcp/memory/secrets.hpp"
#include "stateless/seal.hpp"

namespace mcp::protocol {

namespace {

using mcp::detail::Job;
using mcp::detail::Parked;
using mcp::detail::StorageView;

// Of a job that keeps its slot: random bytes, in the memory of the id and token of a request that is answered.
constexpr std::size_t name_size = 16;

bool name_fits(const StorageView& storage) { return std::size_t{2} * storage.id_size >= name_size; }

std::span<std::uint8_t> name_of(const StorageView& storage, std::size_t job) {
  MCP_DEBUG_ASSERT(name_fits(storage));
  return {reinterpret_cast<std::uint8_t*>(storage.job_id(job)), name_size};
}

// ---- The binding of a call ------------------------------------------------------------------------------------------

/// True when the state of a job goes through its client. Otherwise the job keeps its slot.
bool travels(const StorageView& storage, const Tool& tool) {
  return tool.job->travels && storage.links.seal != nullptr;
}

/// The digest of a call. For a state that travels, the key prevents that a client finds another call with the same
/// digest. A job that keeps its slot has its arguments there and outlives the key, so its digest does not use the key.
/// Without an Hmac, the digest only finds mistakes of the client.
class Digest {
 public:
  Digest(const StorageView& storage, Millis now, const SealOps* key)
      : hmac_(storage.links.seal != nullptr ? storage.services.hmac : nullptr) {
    static constexpr std::uint8_t no_key[32] = {};
    if (key != nullptr) {
      ok_ = key->begin(storage, now, SealOps::Label::call);
    } else if (hmac_ != nullptr) {
      hmac_->start(no_key);
    }
  }
  void feed(std::span<const std::uint8_t> bytes) {
    if (!ok_) return;
    if (hmac_ != nullptr) return hmac_->update(bytes);
    for (const std::uint8_t byte : bytes) hash_ = (hash_ ^ byte) * 0x100'0000'01B3U;
  }
  void feed(std::string_view bytes) {
    feed(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
  }
  void feed_number(std::uint32_t number) {
    feed(std::span(reinterpret_cast<const std::uint8_t*>(&number), sizeof number));
  }
  void feed_text(std::string_view text) {
    feed_number(static_cast<std::uint32_t>(text.size()));
    feed(text);
  }
  /// All zero, which is no binding, when there is no key or the Hmac failed.
  void end(Binding& binding) {
    std::uint8_t digest[Hmac::size] = {};
    std::memcpy(digest, &hash_, sizeof hash_);
    if (hmac_ != nullptr && !(ok_ && hmac_->finish(digest))) std::memset(digest, 0, sizeof digest);
    std::memcpy(&binding, digest, sizeof binding);
  }

 private:
  Hmac* hmac_;
  bool ok_ = true;
  std::uint64_t hash_ = 0xCBF2'9CE4'8422'2325;
};

// By tokens, with strings decoded: neither white space nor escapes matter.
void feed_value(Digest& digest, json::Value value) {
  const std::string_view raw = value.raw();
  char* at = const_cast<char*>(raw.data());
  for (const char* const end = at + raw.size(); at != end;) {
    if (json::Value(at).is(json::Type::string)) {
      const std::string_view text = json::Value(at).string();
      digest.feed("\"");
      digest.feed_text(text);
      at += text.size() + 2;
    } else {
      const bool is_space = *at == ' ' || *at == '\t' || *at == '\n' || *at == '\r';
      if (!is_space) digest.feed(std::string_view(at, 1));
      ++at;
    }
  }
}

/// The binding of a request: its client, method, name and row, and arguments.
Binding bind(const Request& request, const char* method, const SealOps* key) {
  Digest digest(request.storage, request.now, key);
  const std::uint64_t principal = request.context.principal();
  digest.feed_number(static_cast<std::uint32_t>(principal));
  digest.feed_number(static_cast<std::uint32_t>(principal >> 32U));
  digest.feed_text(method);
  // Not that of a tool or prompt: all found tools of a kind share one.
  digest.feed_text(request.params.find("name").string());
  digest.feed_number(request.row());
  const json::Value arguments = request.params.find("arguments").unless_null();
  if (arguments.present()) {
    feed_value(digest, arguments);
  } else {
    digest.feed(json::Text("{}"));  // has the same meaning
  }
  Binding binding;
  digest.end(binding);
  return binding;
}

Binding bind(const Request& request, const Tool& tool) {
  const StorageView& storage = request.storage;
  return bind(request, "tools/call", travels(storage, tool) ? storage.links.seal : nullptr);
}

// ---- A call comes ------------------------------------------------------------------------------------------------

bool reject_state(Request& request) {
  request.fail("requestState is expired or not valid for this request; retry without it.");
  return false;
}

bool find_held(const Request& request, const Tool& tool, std::span<const std::uint8_t> name, MrtrRetry& retry) {
  const StorageView& storage = request.storage;
  WalkOf<Job> jobs(storage.jobs, request.context);
  while (const Job* const job = jobs.next()) {
    const bool is_tools = job->parked == Parked::held && job->tool == &tool;
    if (!is_tools || !memory::same_bytes(name_of(storage, jobs.index()), name)) continue;
    if (until(job->wake_ms, request.now) == 0 || !memory::same_bytes(bytes_of(job->binding), bytes_of(retry.binding)))
      return false;
    retry.slot = jobs.handle();
    return true;
  }
  return false;
}

// The slot that is reserved for this call, or for an equal one: same owner, tool and arguments. Zero if there is none.
// The binding names only the principal, which is the same for all clients without tokens.
memory::Handle find_reserved(const Request& request, const Tool& tool, const Binding& binding) {
  WalkOf<Job> jobs(request.storage.jobs, request.context);
  while (const Job* const job = jobs.next()) {
    const bool is_theirs =
        job->parked == Parked::reserved && job->tool == &tool && job->owner == request.context.owner();
    if (is_theirs && memory::same_bytes(bytes_of(job->binding), bytes_of(binding))) return jobs.handle();
  }
  return {};
}

// Reads the responses, and the state as bytes, which stay empty without one. False after an error.
bool read_retry(Request& request, MrtrRetry& retry, std::span<std::uint8_t>& state) {
  static constexpr std::string_view names[] = {"arguments", "inputResponses", "requestState"};
  json::Value values[3];
  if (request.params.find(names, values) != json::no_key) {
    return request.fail("params has a duplicate member."), false;
  }
  retry.responses = values[1];
  if (values[1].present() && !values[1].is(json::Type::object)) {
    return request.fail("inputResponses must be an object."), false;
  }
  if (!values[2].present()) return true;
  // Not in place, because the message would then contain bytes that are not JSON. The transmit buffer is free until the
  // job has its state.
  const std::span<char> room = request.out.rest();
  state = {reinterpret_cast<std::uint8_t*>(room.data()), room.size()};
  if (json::read_base64(values[2].string(), state) && !state.empty()) return true;
  return reject_state(request);
}

bool open(Request& request, const Tool& tool, MrtrRetry& retry) {
  const StorageView& storage = request.storage;
  std::span<std::uint8_t> state;
  if (!read_retry(request, retry, state)) return false;
  if (state.empty()) return true;
  retry.binding = bind(request, tool);
  if (state.size() == name_size) {
    if (find_held(request, tool, state, retry)) return true;
  } else if (travels(storage, tool) && storage.links.seal->open(storage, request.now, tool.job->size, state, retry)) {
    retry.slot = find_reserved(request, tool, retry.binding);
    return true;
  }
  return reject_state(request);
}

void step(Request& request) {
  request.discard();
  request.answered_with(JobRunner(request.context).resume(request.job, request.params.find("inputResponses")));
}

void begin(Request& request, memory::Handle handle) {
  Job& job = request.storage.jobs.at(handle);
  job.binding = bind(request, *job.tool);
  // Stores nothing of the message: input responses are for the first step. A job that becomes a task does so now, while
  // its client is known.
  if (job.tool->info.input_before_task || request.params.find("inputResponses").present()) request.job = handle;
}

std::span<std::uint8_t> state_of(const StorageView& storage, std::size_t index, const Job& job) {
  return {static_cast<std::uint8_t*>(storage.job_state(index)), job.tool->job->size};
}

void resume(Request& request, memory::Handle handle, const MrtrRetry& retry) {
  const StorageView& storage = request.storage;
  Job& job = storage.jobs.at(handle);
  job.parked = Parked::no;
  if (!retry.state.empty()) {
    job.binding = retry.binding;
    storage.links.seal->unpack(retry.state, job.started_ms, job.inputs, state_of(storage, handle.index, job));
  }
  request.job = handle;
}

// ---- Input requests of a job ----------------------------------------------------------------------------------------

// Nothing is sent for the slot until the client retries its call.
void park(Job& job, Parked parked) {
  MCP_DEBUG_ASSERT(parked != Parked::no && job.parked == Parked::no && !job.stepping);
  job.id_size = job.token_size = 0;
  job.parked = parked;
  job.client.logs = job.progress_due = false;
  job.channel = no_channel;
}

void hold(Job& job, std::span<std::uint8_t> place, std::span<const std::uint8_t> name) {
  MCP_DEBUG_ASSERT(name.size() <= place.size());
  std::memcpy(place.data(), name.data(), name.size());
  park(job, Parked::held);
  const Millis limit_ms = job.tool->job->time_limit_ms;
  if (limit_ms != 0 && job.started_ms + limit_ms - job.wake_ms > 0x7FFF'FFFF) job.wake_ms = job.started_ms + limit_ms;
}

bool seal(SendContext& context, memory::Handle handle, Millis wait_ms) {
  const StorageView& storage = context.storage;
  const Job& job = storage.jobs.at(handle);
  return storage.links.seal->write(
      storage, context.now, {job.binding, wait_ms, job.started_ms, job.inputs, state_of(storage, handle.index, job)},
      context.out);
}

mcp::detail::Lapse& lapse_of(const StorageView& storage) {
  return static_cast<mcp::detail::KeyedServerRequestIds&>(*storage.server_request_ids).lapse;
}

void lapse(const StorageView& storage, std::uint32_t owner, Millis at_ms) {
  lapse_of(storage) = {owner, at_ms != 0 ? at_ms : 1};
}

// False if this job has the last slot, and its owner has just let a reservation expire. Otherwise an owner that
// requests input repeatedly and never retries could lock out all others forever.
bool may_reserve(const StorageView& storage, const Job& job, Millis now) {
  const mcp::detail::Lapse& last = lapse_of(storage);
  if (last.at_ms == 0 || last.owner != job.owner || now - last.at_ms >= mcp::detail::default_wait_ms) return true;
  std::size_t used = 0;
  memory::SlotWalk all(storage.jobs);
  while (all.next() != nullptr) ++used;
  return used != storage.jobs.capacity();
}

bool ask(SendContext& context, memory::Handle handle, Millis wait_ms, json::Writer::Mark start) {
  const StorageView& storage = context.storage;
  Job& job = storage.jobs.at(handle);
  json::Writer& out = context.out;
  const bool sealed = travels(storage, *job.tool);
  std::uint8_t name[name_size];
  PendingInput::Kind outcome = PendingInput::unsupported;
  out.object_end();
  out.fragment("\"requestState\":\"");
  // Output with the id of the request is written before the job's name replaces it.
  const bool ready =
      sealed ? seal(context, handle, wait_ms) : name_fits(storage) && storage.services.entropy->fill(name);
  if (ready) {
    outcome = PendingInput::no_space;
    if (!sealed) out.append_base64(name);
    out.string_end();
    if (rpc::Response(out, {}, context.result_meta()).result_end()) {
      if (!sealed) {
        hold(job, name_of(storage, handle.index), name);
      } else if (may_reserve(storage, job, context.now)) {
        park(job, Parked::reserved);
      } else {
        storage.jobs.release(handle);
      }
      return true;
    }
  }
  PendingInput::settle(job.inputs, outcome);
  job.wake_ms = context.now;
  out.rollback(start);
  return false;
}

void expire_reserved(const StorageView& storage, Millis now) {
  memory::Walk<Job> jobs(storage.jobs);
  while (const Job* const job = jobs.next()) {
    if (job->parked != Parked::reserved || until(job->wake_ms, now) != 0) continue;
    lapse(storage, job->owner, job->wake_ms);
    storage.jobs.release(jobs.handle());
  }
}

void expire(const Definition& definition, const StorageView& storage, Millis now) {
  expire_reserved(storage, now);
  memory::Walk<Job> jobs(storage.jobs);
  while (const Job* const job = jobs.next()) {
    if (job->parked != Parked::held || until(job->wake_ms, now) != 0) continue;
    json::Writer nowhere({});
    const std::size_t session = job->session;
    SendContext context{definition, storage, session, storage.sessions.at(session), nowhere, now, only_channel};
    JobRunner(context).end(jobs.handle());
  }
}

// The oldest goes: the one that ends first.
bool evict_reserved(const SendContext& context, bool first) {
  const StorageView& storage = context.storage;
  std::size_t running = 0;
  std::size_t reserved = 0;
  memory::Handle oldest;
  Millis oldest_ms = forever;
  memory::Walk<Job> jobs(storage.jobs);
  while (const Job* const job = jobs.next()) {
    if (job->owner != context.owner()) continue;
    if (job->parked != Parked::reserved) {
      ++running;
      continue;
    }
    ++reserved;
    const Millis in = until(job->wake_ms, context.now);
    if (in >= oldest_ms) continue;
    oldest_ms = in;
    oldest = jobs.handle();
  }
  if (reserved == 0 || (first && (running != 0 || reserved == 1))) return false;
  // Without this, a further input request would make a reservation last longer than its state.
  if (first) lapse(storage, context.owner(), context.now);
  storage.jobs.release(oldest);
  return true;
}

// ---- Input requests of a prompt -------------------------------------------------------------------------------------

Binding bind_prompt(const Request& request) { return bind(request, "prompts/get", request.storage.links.seal); }

bool open_prompt(Request& request, mcp::detail::PendingInputs& inputs) {
  const StorageView& storage = request.storage;
  MrtrRetry retry;
  std::span<std::uint8_t> state;
  if (!read_retry(request, retry, state)) return false;
  if (state.empty()) return true;
  retry.binding = bind_prompt(request);
  if (!storage.links.seal->open(storage, request.now, 0, state, retry)) return reject_state(request);
  Millis started_ms = 0;
  storage.links.seal->unpack(retry.state, started_ms, inputs, {});
  return true;
}

bool write_prompt(Request& request, const mcp::detail::PendingInputs& inputs) {
  request.out.fragment("\"requestState\":\"");
  const Binding binding = bind_prompt(request);
  const bool written = request.storage.links.seal->write(
      request.storage, request.now, {binding, mcp::detail::default_wait_ms, request.now, inputs, {}}, request.out);
  request.out.string_end();
  return written;
}

}  // namespace

constinit const MrtrOps mrtr_ops{open, begin, resume, step, ask, expire, expire_reserved, evict_reserved};
constinit const SealedPromptOps sealed_prompt_ops{open_prompt, write_prompt};

}  // namespace mcp::protocol
