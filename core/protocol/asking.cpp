// Questions of jobs to their client: how they are written, and what becomes of the answers.
// Source: client/elicitation, client/sampling, client/roots, 2025-11-25.
#include "mcp/asking.hpp"

#include "json/value.hpp"
#include "mcp/assert.hpp"
#include "mcp/listing.hpp"
#include "mcp/server.hpp"
#include "mcp/uri.hpp"
#include "protocol/job_runner.hpp"
#include "protocol/request.hpp"

namespace mcp {
namespace {

enum QuestionKind : std::uint8_t { elicitation, sample, roots };

}  // namespace

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

bool AskContext::can(std::uint8_t client_feature) const { return (outbound_.client.features & client_feature) != 0; }

// Takes the place of the result that was begun.
void AskContext::begin(json::Text method) {
  response_.discard();
  detail::Asking& asking = *outbound_.storage.asking;
  out_.fragment("{\"jsonrpc\":\"2.0\",\"id\":");
  out_.number(++asking.last_id);
  out_.member("method", method);
  out_.fragment("\"params\":{");
  if (job_.task != memory::Handle{}) {
    outbound_.definition.tools.task_code()->write_meta(out_, outbound_.storage, job_.task);
  }
}

Step AskContext::end(std::uint8_t kind) {
  out_.fragment("}}");
  if (!out_.ok()) return refused(Outcome::no_space);
  job_.question = outbound_.storage.asking->last_id;
  job_.question_kind = kind;
  return {Step::Kind::ask, Errc::ok, timeout_ms_};
}

Step AskContext::refused(Outcome outcome) {
  job_.outcome = static_cast<std::uint8_t>(outcome);
  return again();
}

bool AskContext::form_begin() {
  if (!can(protocol::ClientFeature::elicitation_form)) return false;
  begin("elicitation/create");
  // Before there were two modes, the member did not exist.
  if (protocol::revisions[outbound_.client.revision].elicitation_modes) out_.member("mode", "form");
  out_.fragment("\"message\":\"");
  return true;
}

Step AskContext::form_end(const Form& form) {
  out_.string_end();
  out_.key("requestedSchema");
  if (form.json().empty()) {
    out_.fragment("{\"type\":\"object\"");
    detail::write_properties(out_, form.rows());
    out_.object_end();
  } else {
    out_.raw(form.json());
  }
  return end(QuestionKind::elicitation);
}

namespace {

void write_url_elicitation(json::Writer& out, const UrlElicitation& question) {
  MCP_ASSERT(detail::is_uri(question.url));
  out.member("mode", "url");
  out.member("message", question.message);
  out.member("url", question.url);
  out.member("elicitationId", question.id);
}

}  // namespace

Step AskContext::elicit_url(const UrlElicitation& question) {
  if (!can(protocol::ClientFeature::elicitation_url)) return refused(Outcome::unsupported);
  begin("elicitation/create");
  write_url_elicitation(out_, question);
  return end(QuestionKind::elicitation);
}

Errc Call::needs_urls(std::span<const UrlElicitation> urls) {
  if (!known_.urls) return fail("This needs a client that can open a URL for its user, which yours cannot.");
  response_.error_begin(protocol::url_elicitation_required);
  out_.append("Open the URLs first, then call again.");
  response_.error_data_begin();
  out_.fragment("{\"elicitations\":[");
  for (const UrlElicitation& url : urls) {
    out_.object_begin();
    write_url_elicitation(out_, url);
    out_.object_end();
  }
  out_.fragment("]}");
  if (!response_.error_data_end()) protocol::fail_for_space(response_);
  return Errc::handled;
}

bool AskContext::sample_begin(const Sampling& sampling) {
  using Feature = protocol::ClientFeature;
  const bool wants_tools = !sampling.tools.empty() || sampling.tool_choice != Sampling::ToolChoice::unsaid;
  const bool wants_context = sampling.context != Sampling::Context::none;
  if (!can(Feature::sampling) || (wants_tools && !can(Feature::sampling_tools)) ||
      (wants_context && !can(Feature::sampling_context))) {
    return false;
  }
  begin("sampling/createMessage");
  out_.fragment("\"messages\":[");
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
    for (const Tool& tool : sampling.tools) detail::write_item(out, tool, detail::Plain{true});
    out.array_end();
  }
  if (sampling.tool_choice == Sampling::ToolChoice::unsaid) return;
  static constexpr json::Text modes[] = {"", "auto", "required", "none"};
  out.fragment("\"toolChoice\":{\"mode\":");
  out.string(modes[static_cast<std::size_t>(sampling.tool_choice)]);
  out.object_end();
}

}  // namespace

Step AskContext::sample_end(const Sampling& sampling) {
  out_.array_end();
  out_.member("maxTokens", sampling.max_tokens);
  out_.optional_member("systemPrompt", sampling.system_prompt);
  if (sampling.temperature) out_.member("temperature", *sampling.temperature);
  if (!sampling.stop_sequences.empty()) {
    out_.fragment("\"stopSequences\":[");
    for (const std::string_view sequence : sampling.stop_sequences) out_.string(sequence);
    out_.array_end();
  }
  const ModelPreferences& preferences = sampling.preferences;
  if (!preferences.hints.empty() || preferences.cost_priority || preferences.speed_priority ||
      preferences.intelligence_priority) {
    write_preferences(out_, preferences);
  }
  if (sampling.context == Sampling::Context::this_server) out_.fragment("\"includeContext\":\"thisServer\"");
  if (sampling.context == Sampling::Context::all_servers) out_.fragment("\"includeContext\":\"allServers\"");
  write_tools(out_, sampling);
  return end(QuestionKind::sample);
}

Step AskContext::list_roots() {
  if (!can(protocol::ClientFeature::roots)) return refused(Outcome::unsupported);
  begin("roots/list");
  return end(QuestionKind::roots);
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

// ---- Answers -----------------------------------------------------------------------------------------------------

namespace protocol {

void write_withdrawal(json::Writer& out, std::uint32_t question) {
  out.fragment("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":");
  out.number(question);
  out.fragment("\"reason\":\"The answer is not needed any more.\"}}");
}

namespace {

Outcome outcome_of(std::uint8_t kind, json::Value result) {
  if (!result.is(json::Type::object)) return Outcome::invalid;
  if (kind == QuestionKind::roots) {
    return json::find_member(result, "roots").is(json::Type::array) ? Outcome::accepted : Outcome::invalid;
  }
  const json::Type content = json::find_member(result, "content").type();
  if (kind == QuestionKind::sample) {
    return content == json::Type::object || content == json::Type::array ? Outcome::accepted : Outcome::invalid;
  }
  const json::Value action = json::find_member(result, "action");
  if (action.equals("accept")) return Outcome::accepted;
  if (action.equals("decline")) return Outcome::declined;
  return action.equals("cancel") ? Outcome::cancelled : Outcome::invalid;
}

Answer read_answer(std::uint8_t kind, const rpc::Envelope& envelope) {
  if (!envelope.error.present()) return Answer(outcome_of(kind, envelope.result), envelope.result);
  std::int64_t code = 0;
  json::NumberStatus status = json::NumberStatus::ok;
  const bool readable = json::find_member(envelope.error, "code").number(code, status) &&
                        status == json::NumberStatus::ok && code >= -0x7FFF'FFFF && code <= 0x7FFF'FFFF;
  return Answer(Outcome::failed, {}, readable ? static_cast<int>(code) : rpc::internal_error);
}

bool answer(Outbound& outbound, const rpc::Envelope& envelope) {
  const mcp::detail::StorageView& storage = outbound.storage;
  const std::uint32_t id = read_request_id(envelope.id);
  for (std::size_t i = 0; id != 0 && i < storage.jobs.capacity(); ++i) {
    const memory::Handle handle = owned_by(outbound.session_index, storage.jobs, i);
    mcp::detail::Job* const job = storage.jobs.find(handle);
    if (job == nullptr || job->question != id) continue;
    const mcp::detail::Task* const task = storage.tasks.find(job->task);
    if (task != nullptr && task->question_ms != 0) break;  // not asked yet
    job->question = 0;
    outbound.channel = job->channel;
    JobRunner(outbound).step(handle, read_answer(job->question_kind, envelope));
    return true;
  }
  ++storage.asking->stale;
  return true;
}

bool overdue(Outbound& outbound, mcp::detail::Job& job) {
  const mcp::detail::Task* const task = outbound.storage.tasks.find(job.task);
  const bool asked = task == nullptr || task->question_ms == 0;
  if (!asked || until(job.wake_ms, outbound.now) != 0) return false;
  write_withdrawal(outbound.out, job.question);
  job.question = 0;
  job.outcome = static_cast<std::uint8_t>(Outcome::timed_out);
  return true;
}

// What the client can do, as far as its revision knows it.
bool read_client(json::Value capabilities, json::Value, mcp::detail::Client& client) {
  const Revision& revision = revisions[client.revision];
  static constexpr std::string_view names[] = {"roots", "sampling", "elicitation"};
  json::Value found[3];
  json::find_members(capabilities, names, found);
  const auto has = [](json::Value capability, std::string_view name) {
    return json::find_member(capability, name).is(json::Type::object);
  };
  unsigned features = 0;
  if (found[0].is(json::Type::object)) features |= ClientFeature::roots;
  if (found[1].is(json::Type::object)) {
    features |= ClientFeature::sampling;
    if (has(found[1], "tools")) features |= ClientFeature::sampling_tools;
    if (has(found[1], "context") || !revision.elicitation_modes) features |= ClientFeature::sampling_context;
  }
  if (found[2].is(json::Type::object)) {
    const bool url = has(found[2], "url");
    if (url) features |= ClientFeature::elicitation_url;
    if (!url || has(found[2], "form")) features |= ClientFeature::elicitation_form;
  }
  client.features = static_cast<std::uint8_t>(features & revision.client_features);
  return true;
}

}  // namespace

constinit const Feature asking_feature{
    .methods = {}, .write_capability = nullptr, .answer = answer, .read_client = read_client};
constinit const AskingCode asking_code{overdue, write_withdrawal};

// ---- Roots that change -------------------------------------------------------------------------------------------

namespace {

void roots_changed(Request& request) {
  request.definition.roots_changed.function()(request.storage.sessions.at(request.session_index));
}

constexpr Method roots_methods[] = {{"notifications/roots/list_changed", roots_changed, Method::For::sessions}};

}  // namespace

constinit const Feature roots_changed_feature{roots_methods, nullptr};

}  // namespace protocol
}  // namespace mcp
