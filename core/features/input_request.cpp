// SPDX-License-Identifier: Apache-2.0
// Input requests of jobs: how they are written, and how the responses of the client are read.
// Source: client/elicitation, client/sampling, client/roots, 2025-11-25.
#include "mcp/input_request.hpp"

#include <algorithm>
#include <span>

#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/owned.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/send_context.hpp"
#include "engine/server_request_ids.hpp"
#include "features/client_capabilities.hpp"
#include "features/job_runner.hpp"
#include "features/pending_input.hpp"
#include "features/task_pool.hpp"
#include "mcp/assert.hpp"
#include "mcp/detail/listing.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/json/value.hpp"
#include "mcp/server.hpp"
#include "mcp/uri.hpp"

namespace mcp {

using protocol::PendingInput;

std::string_view Answer::text() const {
  const json::Value all = content();
  if (all.is(json::Type::object)) return json::find_member(all, "text").string();
  for (json::Elements items(all); items.next();) {
    const json::Value text = json::find_member(items.value(), "text");
    if (text.is(json::Type::string)) return text.string();
  }
  return {};
}

ToolUses::ToolUses(const Answer& answer) : items_(answer.content()) {
  if (answer.content().is(json::Type::object)) single_ = answer.content();
}

bool ToolUses::next() {
  for (;;) {
    if (single_.present()) {
      use_ = single_;
      single_ = {};
    } else if (items_.next()) {
      use_ = items_.value();
    } else {
      return false;
    }
    if (json::find_member(use_, "type").equals("tool_use")) return true;
  }
}

// ---- Writing -----------------------------------------------------------------------------------------------------

void InputRequestWriter::store(std::uint8_t kind) {
  MCP_ASSERT(count_ < detail::PendingInputs::capacity);
  inputs_.items[count_++] = last_key_ | kind;
}

// An object has a key once. An input request that cannot be sent leaves its key to the next one.
bool InputRequestWriter::is_sent(std::uint32_t key) const {
  const std::span<const std::uint32_t> kept(inputs_.items, count_);
  return std::any_of(kept.begin(), kept.end(), [key](std::uint32_t other) {
    return PendingInput::key_in(other) == key && PendingInput::kind_in(other) <= PendingInput::roots;
  });
}

bool InputRequestWriter::may_ask(std::uint8_t features, bool expressible) {
  const detail::Client& client = context_.client;
  used_ = true;
  last_key_ = PendingInput::key_of(key_);
  key_ = default_key;
  if (any_ && !client.stateless) return false;  // its turn comes when this one is answered
  // A prompt keeps nothing, so that the answer must come with the next request; of a job, something must be kept.
  const bool in_mrtr = context_.storage.links.mrtr != nullptr;
  const bool keepable = keeps_ ? !client.stateless || task_ != memory::Handle{} || in_mrtr : client.stateless;
  if ((client.features & features) == features && keepable && expressible) return !is_sent(last_key_);
  missing_ = features;
  store(PendingInput::unsupported);
  return false;
}

// A task uses no key twice: from its second set of input requests on, keys have the number of the set.
void InputRequestWriter::write_key(const json::Text& key) {
  json::Writer& out = response_.out;
  const detail::Task* const task = context_.storage.tasks.find(task_);
  out.string_begin();
  out.append(key);
  if (task != nullptr && task->inputs != 0) {
    out.append("-");
    out.append_number(std::uint64_t{task->inputs} + 1);
  }
  out.key_end();
}

// The first takes the place of the result that was begun.
bool InputRequestWriter::begin(const char* method, std::uint8_t features, bool expressible) {
  const json::Text key = key_;
  if (!may_ask(features, expressible)) return false;
  json::Writer& out = response_.out;
  const bool stateless = context_.client.stateless;
  const bool is_task = task_ != memory::Handle{};
  if (!any_) {
    begun_ = true;
    response_.discard();
    start_ = out.mark();
    // A task stores the object of all input requests.
    if (stateless && !is_task) {
      response_.input_required_begin();
      out.key("inputRequests");
    }
    if (stateless) out.object_begin();
  } else {
    start_ = out.mark();
  }
  if (stateless) {
    write_key(key);
    out.object_begin();
  } else {
    out.fragment("{\"jsonrpc\":\"2.0\",\"id\":");
    protocol::write_request_id(out, protocol::new_request_id(context_.storage));
  }
  out.member("method", method);
  out.fragment("\"params\":{");
  if (is_task && !stateless) protocol::tasks_of(context_).write_meta(out, context_.storage, task_);
  return true;
}

void InputRequestWriter::end(std::uint8_t kind) {
  response_.out.fragment("}}");
  if (response_.out.ok()) {
    any_ = true;
    return store(kind);
  }
  response_.out.rollback(start_);
  store(PendingInput::no_space);
}

bool InputRequestWriter::form_begin(const Form& form) {
  // Before there were two modes, their member did not exist, nor did lists of choices.
  const bool has_modes = protocol::revisions[context_.client.revision].elicitation_modes;
  const bool expressible = has_modes || !form.has_lists();
  if (!begin("elicitation/create", protocol::CapabilityBit::elicitation_form, expressible)) return false;
  if (has_modes) out().fragment("\"mode\":\"form\"");
  out().fragment("\"message\":\"");
  return true;
}

void InputRequestWriter::form_end(const Form& form) {
  json::Writer& out = this->out();
  out.string_end();
  out.key("requestedSchema");
  if (form.json().empty()) {
    out.fragment("{\"type\":\"object\"");
    out.set_schema_options({.form = 1});
    detail::write_properties(out, form.rows());
    out.object_end();
  } else {
    out.raw(form.json());
  }
  end(PendingInput::form);
  std::uint32_t& input = inputs_.items[count_ - 1];
  if (PendingInput::kind_in(input) != PendingInput::form) return;
  MCP_ASSERT(form.rows().size() <= PendingInput::max_rows);
  input |= static_cast<std::uint32_t>(form.rows().size()) << PendingInput::rows_at;
  inputs_.forms[count_ - 1] = form.rows().data();
}

void protocol::write_url_elicitation(json::Writer& out, const UrlElicitation& elicitation, bool with_id) {
  MCP_ASSERT(detail::is_uri(elicitation.url));
  out.fragment("\"mode\":\"url\"");
  out.member("message", elicitation.message);
  out.member("url", elicitation.url);
  if (with_id) out.member("elicitationId", elicitation.id);
}

void InputRequestWriter::url(const UrlElicitation& elicitation) {
  if (!begin("elicitation/create", protocol::CapabilityBit::elicitation_url)) return;
  protocol::write_url_elicitation(out(), elicitation, !context_.client.stateless);
  end(PendingInput::url);
}

bool InputRequestWriter::sample_begin(const Sampling& sampling) {
  using Feature = protocol::CapabilityBit;
  const bool wants_tools = !sampling.tools.empty() || sampling.tool_choice != Sampling::ToolChoice::unsaid;
  const bool wants_context = sampling.context != Sampling::Context::none;
  unsigned features = Feature::sampling;
  if (wants_tools) features |= Feature::sampling_tools;
  if (wants_context) features |= Feature::sampling_context;
  if (!begin("sampling/createMessage", static_cast<std::uint8_t>(features))) return false;
  out().fragment("\"messages\":[");
  return true;
}

namespace {

void write_preferences(json::Writer& out, const ModelPreferences& preferences) {
  out.fragment("\"modelPreferences\":{");
  if (!preferences.hints.empty()) {
    out.fragment("\"hints\":[");
    for (const std::string_view hint : preferences.hints) {
      out.fragment("{\"name\":");
      out.string(hint);
      out.object_end();
    }
    out.array_end();
  }
  if (preferences.cost_priority) out.member("costPriority", *preferences.cost_priority);
  if (preferences.speed_priority) out.member("speedPriority", *preferences.speed_priority);
  if (preferences.intelligence_priority) out.member("intelligencePriority", *preferences.intelligence_priority);
  out.object_end();
}

void write_tools(json::Writer& out, const Sampling& sampling) {
  if (!sampling.tools.empty()) {
    out.fragment("\"tools\":[");
    for (const Tool& tool : sampling.tools)
      detail::write_item(out, tool, detail::Plain{.titles = true, .headers = false});
    out.array_end();
  }
  if (sampling.tool_choice == Sampling::ToolChoice::unsaid) return;
  static constexpr json::Text modes[] = {"", "auto", "required", "none"};
  out.fragment("\"toolChoice\":{\"mode\":");
  out.string(modes[static_cast<std::size_t>(sampling.tool_choice)]);
  out.object_end();
}

}  // namespace

namespace {

// As many tokens as a response has that usually fits: one is about four bytes of English, and JSON escapes some.
std::uint32_t usual_tokens(const protocol::SendContext& context) {
  constexpr std::size_t token_size = 6;
  // Around the text: envelope, model, reason to stop; of a stateless client also its call, with arguments and state.
  const std::size_t frame_size = context.client.stateless ? 512 : 256;
  const std::size_t size = context.storage.receive_buffer.size();
  const std::size_t tokens = size > frame_size ? (size - frame_size) / token_size : 0;
  return static_cast<std::uint32_t>(tokens < 16 ? 16 : tokens > 1024 ? 1024 : tokens);
}

}  // namespace

void InputRequestWriter::sample_end(const Sampling& sampling) {
  json::Writer& out = this->out();
  out.array_end();
  out.member("maxTokens", sampling.max_tokens != 0 ? sampling.max_tokens : usual_tokens(context_));
  out.optional_member("systemPrompt", sampling.system_prompt);
  if (sampling.temperature) out.member("temperature", *sampling.temperature);
  if (!sampling.stop_sequences.empty()) {
    out.fragment("\"stopSequences\":[");
    for (const std::string_view sequence : sampling.stop_sequences) out.string(sequence);
    out.array_end();
  }
  const ModelPreferences& preferences = sampling.preferences;
  if (!preferences.hints.empty() || preferences.cost_priority || preferences.speed_priority ||
      preferences.intelligence_priority) {
    write_preferences(out, preferences);
  }
  if (sampling.context == Sampling::Context::this_server) out.fragment("\"includeContext\":\"thisServer\"");
  if (sampling.context == Sampling::Context::all_servers) out.fragment("\"includeContext\":\"allServers\"");
  if (!sampling.metadata.json().empty()) {
    out.fragment("\"metadata\":");
    out.raw(sampling.metadata.json());
  }
  write_tools(out, sampling);
  end(PendingInput::sample);
}

void InputRequestWriter::roots() {
  if (begin("roots/list", protocol::CapabilityBit::roots)) end(PendingInput::roots);
}

SampleMessages InputRequestWriter::messages() const { return {response_.out, protocol::known_by(context_.client)}; }

Step AskContext::sent() {
  if (!writer_.any()) return again();
  if (!context_.client.stateless) job_.input_id = context_.storage.server_request_ids->last_id;
  return {Step::Kind::ask, Errc::ok, timeout_ms_};
}

// The text of a failure goes after the input requests of this step, and is removed.
Errc AskContext::read_rows(const Answer& filled, std::span<const detail::ParamInfo> rows, void* into) {
  if (!writer_.begun()) return detail::decode_arguments(rows, filled.content(), into, *this);
  start_ = out_.mark();
  const Errc errc = detail::decode_arguments(rows, filled.content(), into, *this);
  out_.rollback(start_);
  return errc;
}

json::Writer::Mark SampleMessages::items_begin(std::uint8_t role) {
  const json::Writer::Mark start = out_.mark();
  role_ = role;
  if ((known_.client & protocol::CapabilityBit::sampling_tools) != 0) {
    detail::wrap_message(out_, true, role);
    out_.array_begin();
    wrap_ = nullptr;
  }
  return start;
}

void SampleMessages::items_end(const json::Writer::Mark& start) {
  if (wrap_ != nullptr) return;
  wrap_ = detail::wrap_message;
  if (out_.ok() && out_.mark().at[-1] == '[') return out_.rollback(start);
  out_.array_end();
  detail::wrap_message(out_, false, role_);
}

void SampleMessages::turn_begin(const Answer& answer) {
  detail::wrap_message(out_, true, 1);
  out_.copy(answer.content().raw());
  detail::wrap_message(out_, false, 1);
  detail::wrap_message(out_, true, 0);
  out_.array_begin();
}

void SampleMessages::past_use(std::string_view id, std::string_view name, std::string_view input) {
  detail::wrap_message(out_, true, 1);
  out_.fragment("{\"type\":\"tool_use\",\"id\":");
  out_.string(id);
  out_.member("name", name);
  out_.key("input");
  out_.raw(input);
  out_.object_end();
  detail::wrap_message(out_, false, 1);
  detail::wrap_message(out_, true, 0);
  out_.array_begin();
}

ToolResult SampleMessages::use_begin(std::string_view id) {
  out_.fragment("{\"type\":\"tool_result\",\"toolUseId\":");
  out_.string(id);
  out_.fragment("\"content\":[");
  return {out_, known()};
}

void SampleMessages::use_end(Errc errc) {
  out_.array_end();
  if (errc != Errc::ok) out_.fragment("\"isError\":true");
  out_.object_end();
}

void SampleMessages::turn_end() {
  out_.array_end();
  detail::wrap_message(out_, false, 0);
}

// ---- Sentences for the model --------------------------------------------------------------------------------------

// In the order of Outcome. Each says what happened, and then what the model can do.
void detail::append_outcome(json::Writer& out, const Answer& answer) {
  static constexpr const char* sentences[] = {
      "The client sent no input response. Call again.",
      "The input of the user does not allow this. Call again only if the user asks for it.",
      "The user declined. Call again only if the user asks for it.",
      "The user made no decision. Ask the user before you call again.",
      "The client cannot serve this input request, and the user was not asked. Tell the user to use another client.",
      "The client sent no input response in time. Call again when the user is ready.",
      " instead of an input response. Tell the user before you call again.",
      "The client sent an invalid input response, so the decision of the user is unknown. Tell the user.",
      "The input request is too long for the device, and the user was not asked. Call again with shorter arguments.",
      "The input response is too long for the device. Call again, and let the user enter less.",
      "The user accepted a form with invalid values. Call again, and let the user correct them.",
  };
  static_assert(std::size(sentences) == static_cast<std::size_t>(Outcome::invalid_content) + 1);
  if (answer.outcome() == Outcome::failed) {
    out.append("The client sent the error ");
    out.append_number(static_cast<std::int64_t>(answer.error_code()));
  }
  out.append(sentences[static_cast<std::size_t>(answer.outcome())]);
}

// ---- Answers -----------------------------------------------------------------------------------------------------

Answer AskContext::answer() const { return answer_to(answered_.items[0], answered_.forms[0]); }

Answer AskContext::answer(json::Text key) const { return find_answer(PendingInput::key_of(key)); }

Answer AskContext::find_answer(std::uint32_t key) const {
  for (std::size_t i = 0; i < detail::PendingInputs::capacity; ++i) {
    const std::uint32_t input = answered_.items[i];
    if (input != 0 && PendingInput::key_in(input) == key) return answer_to(input, answered_.forms[i]);
  }
  const bool takes_any = answered_.items[0] == 0 && !job_.tool->info.asks_itself;
  return takes_any ? answer_to(key) : Answer(Outcome::none);
}

Answer AskContext::answer_to(std::uint32_t input, const detail::ParamInfo* form) const {
  switch (PendingInput::kind_in(input)) {
    case PendingInput::unsupported: return Answer(Outcome::unsupported);
    case PendingInput::no_space: return Answer(Outcome::no_space);
    case PendingInput::timed_out: return Answer(Outcome::timed_out);
    default: break;
  }
  if (input == 0) return Answer(Outcome::none);
  const Answer answer =
      context_.client.stateless ? protocol::find_answer(responses_, input, context_.client.features) : answer_;
  return protocol::check_form(answer, input, form, out_.rest());
}

namespace protocol {

namespace {

Outcome outcome_of(std::uint8_t kind, json::Value result) {
  if (!result.is(json::Type::object)) return Outcome::invalid;
  if (kind == PendingInput::roots) {
    return json::find_member(result, "roots").is(json::Type::array) ? Outcome::accepted : Outcome::invalid;
  }
  const json::Type content = json::find_member(result, "content").type();
  if (kind == PendingInput::sample) {
    return content == json::Type::object || content == json::Type::array ? Outcome::accepted : Outcome::invalid;
  }
  const json::Value action = json::find_member(result, "action");
  if (action.equals("accept")) return Outcome::accepted;
  if (action.equals("decline")) return Outcome::declined;
  return action.equals("cancel") ? Outcome::cancelled : Outcome::invalid;
}

// The possible kinds of an input response without an input request.
std::uint8_t kind_of(json::Value result) {
  if (json::find_member(result, "action").present()) return PendingInput::form;
  return json::find_member(result, "roots").present() ? PendingInput::roots : PendingInput::sample;
}

// A response without content can belong to a form or to a URL. Only an acceptance needs both capabilities: a client
// with one of them can decline.
bool may_bring(std::uint8_t kind, json::Value result, std::uint8_t features) {
  if (kind != PendingInput::form || json::find_member(result, "content").present()) return can_answer(kind, features);
  const bool form = can_answer(PendingInput::form, features);
  const bool url = can_answer(PendingInput::url, features);
  return json::find_member(result, "action").equals("accept") ? form && url : form || url;
}

}  // namespace

bool can_answer(std::uint8_t kind, std::uint8_t features) {
  constexpr std::uint8_t needed[] = {0, CapabilityBit::elicitation_form, CapabilityBit::elicitation_url,
                                     CapabilityBit::sampling, CapabilityBit::roots};
  return kind < std::size(needed) && (features & needed[kind]) != 0;
}

Answer find_answer(json::Value responses, std::uint32_t input, std::uint8_t features) {
  for (json::Members members(responses); members.next();) {
    if (PendingInput::key_of(members.key()) != PendingInput::key_in(input)) continue;
    const json::Value result = members.value();
    const std::uint8_t asked = PendingInput::kind_in(input);
    const std::uint8_t kind = asked != 0 ? asked : kind_of(result);
    const bool counts = asked != 0 ? can_answer(kind, features) : may_bring(kind, result, features);
    return counts ? Answer(outcome_of(kind, result), result) : Answer(Outcome::none);
  }
  return Answer(Outcome::none);
}

void write_withdrawal(json::Writer& out, std::uint32_t input) {
  notification_begin(out, "cancelled");
  out.key("requestId");
  write_request_id(out, input);
  out.fragment("\"reason\":\"The response is no longer needed.\"}}");
}

namespace {

Answer read_answer(std::uint8_t kind, const rpc::Envelope& envelope) {
  if (envelope.readable == rpc::Readable::too_long) return Answer(Outcome::too_large);
  if (envelope.readable == rpc::Readable::malformed) return Answer(Outcome::invalid);
  if (!envelope.is_error) return Answer(outcome_of(kind, envelope.outcome), envelope.outcome);
  std::int64_t code = 0;
  json::NumberStatus status = json::NumberStatus::ok;
  const bool readable = json::find_member(envelope.outcome, "code").number(code, status) &&
                        status == json::NumberStatus::ok && code >= -0x7FFF'FFFF && code <= 0x7FFF'FFFF;
  return Answer(Outcome::failed, {}, readable ? static_cast<int>(code) : rpc::internal_error);
}

// More than the bracket of a batch.
bool says_something(const SendContext& context) { return context.out.size() > 1; }

bool answer(SendContext& context, const rpc::Envelope& envelope) {
  const mcp::detail::StorageView& storage = context.storage;
  const std::uint32_t id = read_request_id(envelope.id);
  WalkOf<mcp::detail::Job> jobs(storage.jobs, context);
  while (mcp::detail::Job* const job = jobs.next()) {
    if (id == 0 || job->input_id != id) continue;
    const mcp::detail::Task* const task = storage.tasks.find(job->task);
    if (task != nullptr && task->input_timeout_ms != 0) break;  // not sent yet
    // A batch has one output channel: its own if it has a call, else that of the first job with output. Jobs on other
    // channels keep waiting.
    const Channel own = context.channel;
    const OpenRequest any{context.session_index, own, {}};
    if (job->channel != own && (says_something(context) || any_open(storage, any))) break;
    job->input_id = 0;
    context.channel = job->channel;
    const std::size_t size = context.out.size();
    JobRunner(context).step(jobs.handle(),
                            read_answer(PendingInput::kind_in(PendingInput::open_one(job->inputs)), envelope));
    if (context.out.size() == size) context.channel = own;
    return true;
  }
  ++storage.health().stale_answers;
  return true;
}

// Without a channel, no client gets what is written here.
void withdraw(SendContext& context, mcp::detail::Job& job) {
  mcp::detail::Task* const task = context.storage.tasks.find(job.task);
  if (task != nullptr && context.channel == no_channel) {
    task->withdrawn = job.input_id;
  } else {
    write_withdrawal(context.out, job.input_id);
  }
  job.input_id = 0;
}

bool overdue(SendContext& context, mcp::detail::Job& job) {
  const mcp::detail::Task* const task = context.storage.tasks.find(job.task);
  const bool asked = task == nullptr || task->input_timeout_ms == 0;
  if (!asked || until(job.wake_ms, context.now) != 0) return false;
  withdraw(context, job);
  std::uint32_t& input = PendingInput::open_one(job.inputs);
  input = PendingInput::key_in(input) | PendingInput::timed_out;
  return true;
}

// Poll is the one that comes by whether a client does or not.
Millis input_requests_due(const Definition& definition, const mcp::detail::StorageView& storage, Millis now) {
  if (storage.links.mrtr != nullptr) storage.links.mrtr->expire(definition, storage, now);
  return forever;
}

}  // namespace

constinit const Feature asking_feature{
    .methods = {}, .due = input_requests_due, .answer = answer, .read_client = read_client_features};
constinit const InputRequestOps input_request_ops{overdue, withdraw};

// ---- Roots that change -------------------------------------------------------------------------------------------

namespace {

void roots_changed(Request& request) { request.definition.roots_changed.function()(request.context.session_id()); }

constexpr FeatureMethod roots_methods[] = {
    {"notifications/roots/list_changed", roots_changed, FeatureMethod::Scope::session}};

}  // namespace

constinit const Feature roots_changed_feature{roots_methods};

}  // namespace protocol
}  // namespace mcp
