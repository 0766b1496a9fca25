// SPDX-License-Identifier: Apache-2.0
// One small server in which each area of MCP can be switched on by a definition, WITH_AREA, with as little of an
// application as uses the area: CMakeLists.txt makes an image of each, and an image with everything (POOL=2). What the
// areas cost is the difference. The texts are short, because they are not what is measured. handlers.hpp and jobs.hpp
// are parts of this file.
#include <mcp/ports/lm3s6965evb.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>
#if defined(WITH_READ_TOOL) || defined(WITH_READ_TOOL_TEMPLATE)
#include <mcp/read_tools.hpp>
#endif
#if defined(WITH_HTTP) || defined(WITH_MQTT)
#include <mcp/http_page.hpp>
#include <mcp/http_sse_2024.hpp>
#include <mcp/mqtt_transport.hpp>
#endif
#ifdef WITH_TRACE
#include <mcp/trace.hpp>
#endif
#ifdef WITH_HISTORY
#include <mcp/history.hpp>
#endif
#if defined(WITH_DRY_RUN) || defined(WITH_SCHEDULE)
#include <mcp/schedule.hpp>
#endif

// /metrics needs the row of the figures.
#ifdef WITH_HTTP_METRICS
#define WITH_RESOURCE
#define WITH_FIGURES
#include <mcp/http_metrics.hpp>
#endif
#ifdef WITH_FIGURES
#include <mcp/figures.hpp>
#endif
#if defined(WITH_SCOPES) || defined(WITH_CALLER) || defined(WITH_JOB_SCOPES) || defined(WITH_JOB_CALLER)
#define HAS_SCOPES
#endif

#include "jobs.hpp"

#if defined(WITH_TRACE_PORTS) && defined(WITH_MAILBOX)
extern const mcp::TracedMailbox mailbox;
#elif defined(WITH_MAILBOX)
extern const mcp::Mailbox mailbox;
#endif

namespace {

// After the tables, because it names one of their rows.
#ifdef WITH_LIST_CHANGES
const mcp::Tool& first_tool();
#endif

// ---- The tables --------------------------------------------------------------------------------------------------

#ifdef WITH_INTERLOCK
bool is_ready() { return server.health().jobs_full == 0; }
constexpr mcp::Interlock ready{.holds = is_ready, .refusal = "x", .call_first = "plain"};
mcp::Errc need_ready(mcp::Call& call) { return call.result().text("x"); }
#endif
#ifdef WITH_DRY_RUN
constexpr auto dry_run_params = mcp::with_dry_run(integer_params);
mcp::Errc preview_integer(const Integer&, mcp::Call& call) { return call.result().text("y"); }
#endif
#ifdef WITH_SCHEDULE
constexpr auto scheduled_params = mcp::schedulable();
#endif
constexpr mcp::Tool tools[] = {
#ifdef WITH_EXTRAS
    mcp::tool<plain>({.name = "plain", .extras = tool_extras}),
#elif defined(WITH_SCOPES)
    mcp::tool<plain>({.name = "plain", .scope = "write"}),
#else
    mcp::tool<plain>({.name = "plain"}),
#endif
#ifdef WITH_INTEGER
    mcp::tool<integer>({.name = "integer"}, integer_params),
#endif
#ifdef WITH_FLOAT
    mcp::tool<take_float>({.name = "float"}, float_params),
#endif
#ifdef WITH_DOUBLE
    mcp::tool<take_double>({.name = "double"}, double_params),
#endif
#ifdef WITH_TEXT
    mcp::tool<text>({.name = "text"}, text_params),
#endif
#ifdef WITH_OTHERS
    mcp::tool<others>({.name = "others"}, others_params),
#endif
#ifdef WITH_NESTED
    mcp::tool<nested>({.name = "nested"}, nested_params),
#endif
#ifdef WITH_MULTIPLES
    mcp::tool<multiples>({.name = "multiples"}, multiples_params),
#endif
#ifdef WITH_PATTERN
    mcp::tool<matched>({.name = "matched"}, matched_params),
#endif
#ifdef WITH_CHECKED_FORMAT
    mcp::tool<formatted>({.name = "formatted"}, formatted_params),
#endif
#ifdef WITH_MAP
    mcp::tool<mapped>({.name = "mapped"}, mapped_params),
#endif
#ifdef WITH_NULLABLE
    mcp::tool<or_null>({.name = "or_null"}, or_null_params),
#endif
#ifdef WITH_UNIQUE
    mcp::tool<unique>({.name = "unique"}, unique_params),
#endif
#ifdef WITH_JSON_OUTPUT
    mcp::tool<json_output>({.name = "json"}, mcp::OutputSchema(R"({"type":"object"})")),
#endif
#ifdef WITH_VALUE_OUTPUT
    mcp::tool<give_value>({.name = "value"}, value_output),
#endif
#ifdef WITH_SCHEMA
    mcp::tool<any_arguments>({.name = "schema"}, schema),
#endif
#ifdef WITH_STRUCTURED
    mcp::tool<structured>({.name = "structured"}, count_output),
#endif
#ifdef WITH_STRUCTURED_FLOAT
    mcp::tool<structured_float>({.name = "structured_float"}, measure_output),
#endif
#ifdef WITH_CONTENT
    mcp::tool<content>({.name = "content"}),
#endif
#ifdef WITH_EMBEDDED
    mcp::tool<embedded>({.name = "embedded"}),
#endif
#ifdef WITH_OTHER_CONTENT
    mcp::tool<other_content>({.name = "other_content"}),
#endif
#ifdef WITH_JOB
    mcp::job<Work>({.name = "job", .task_support = task_support}),
#endif
#if defined(WITH_DETACHED_TASK) && defined(WITH_SCOPES)
    mcp::job<Work>({.name = "kept", .task_support = task_support, .task_outlives_session = true, .scope = "write"}),
#elif defined(WITH_DETACHED_TASK)
    mcp::job<Work>({.name = "kept", .task_support = task_support, .task_outlives_session = true}),
#endif
#ifdef WITH_FORM
    mcp::job<AskUser>({.name = "form", .task_support = task_support}),
#endif
#ifdef WITH_URL
    mcp::job<AskToOpen>({.name = "url", .task_support = task_support}),
    mcp::tool<url_first>({.name = "url_first"}),
#endif
#ifdef WITH_SAMPLING
    mcp::job<AskModel>({.name = "sampling", .task_support = task_support}),
#endif
#ifdef WITH_SAMPLING_TOOLS
    mcp::job<LendTools>({.name = "sampling_tools", .task_support = task_support}),
#endif
#ifdef WITH_ROOTS
    mcp::job<AskRoots>({.name = "roots", .task_support = task_support}),
#endif
#ifdef WITH_COROUTINE
    mcp::coroutine<work, frames>({.name = "coroutine", .task_support = task_support}),
#endif
#ifdef WITH_INTERLOCK
    mcp::tool<need_ready>({.name = "interlock", .needs = ready}),
#endif
#ifdef WITH_DRY_RUN
    mcp::tool<integer, preview_integer>({.name = "dry_run"}, dry_run_params),
#endif
#ifdef WITH_SCHEDULE
    mcp::tool<plain>({.name = "schedule"}, scheduled_params),
    mcp::cancel_scheduled({.name = "cancel"}),
#endif
};

#ifdef WITH_COMPLETION
mcp::Errc complete(const mcp::CompletionRequest&, mcp::Completions& completions) {
  completions.offer("x");
  return mcp::Errc::ok;
}
#endif

#ifdef WITH_RESOURCE
#ifdef WITH_ITEMS
mcp::Errc read(mcp::ReadResult& out) {
  static_cast<void>(out.text("x"));
  static_cast<void>(out.content("x:1").text("x"));
  return out.meta([](mcp::json::Writer& json) { json.member("x", 1); });
}
#else
mcp::Errc read(mcp::ReadResult& out) { return out.text("x"); }
#endif
#endif
#ifdef WITH_STRUCT_RESOURCE
struct Body {
  std::int32_t value;
};
constexpr auto body_output = mcp::output(mcp::param<&Body::value>("value", {.minimum = 0, .maximum = 9}));
mcp::Errc read_struct(Body& out) {
  out.value = 1;
  return mcp::Errc::ok;
}
#endif
#ifdef WITH_HISTORY
#ifdef WITH_HISTORY_FLOAT
using Sample = float;
#else
using Sample = std::int32_t;
#endif
constexpr mcp::HistoryOptions samples_options{.now = board::millis, .notify_above = 1};
constinit mcp::History<samples_options, 4, Sample> samples;
#endif
#ifdef WITH_TRACE
constinit mcp::TraceRing<1024> ring;
#endif
#ifdef WITH_STREAM
// A string that is larger than the transmit buffer.
mcp::Chunk read_stream(std::uint32_t offset, std::span<std::uint8_t> into) {
  constexpr std::uint32_t size = 3000;
  if (offset >= size) return mcp::Chunk::end();
  std::size_t count = 0;
  for (; count < into.size() && offset + count < size; ++count) into[count] = 'x';
  return mcp::Chunk::bytes(count);
}
#endif
#ifdef WITH_READ_JOB
struct SlowRead {
  bool slept;
  mcp::Step step(mcp::ReadContext& context) {
    if (context.stop_requested() || slept) return context.done(context.body().text("x"));
    slept = true;
    return context.sleep(50);
  }
};
#endif
#ifdef WITH_ASK_READ
struct ReadForm {
  bool value;
};
constexpr auto read_form_rows = mcp::params(mcp::param<&ReadForm::value>("value"));
mcp::Errc ask_first(mcp::AskReadResult& out) {
  if (out.answer().outcome() == mcp::Outcome::none) return out.elicit(read_form_rows, "x");
  return out.text("x");
}
#endif
#if defined(WITH_EXTRAS) && defined(WITH_RESOURCE)
constexpr mcp::ResourceExtras resource_extras{.icons = icons, .meta = R"({"x":1})", .size = 1};
#endif
#ifdef WITH_RESOURCE
constexpr mcp::Resource resources[] = {
    {
        .uri = "x:y",
        .name = "x",
        .read = read,
#ifdef WITH_SUBSCRIPTION
        .subscribable = true,
#endif
#ifdef WITH_READ_TOOL
        .as_tool = true,
#endif
#ifdef WITH_EXTRAS
        .extras = resource_extras,
#endif
    },
#ifdef WITH_STRUCT_RESOURCE
    mcp::resource<read_struct, body_output>({.uri = "x:b", .name = "b"}),
#endif
#ifdef WITH_SCHEDULE
    mcp::scheduled_calls({.uri = "x:s", .name = "s", .subscribable = true}),
#endif
#ifdef WITH_STREAM
    {.uri = "x:z", .name = "z", .stream = mcp::text_stream(read_stream)},
#endif
#ifdef WITH_TRACE
#if defined(WITH_SCOPES) || defined(WITH_CALLER) || defined(WITH_JOB_SCOPES) || defined(WITH_JOB_CALLER)
    mcp::trace<ring>({.uri = "mote://trace", .name = "t", .scope = "read"}),
#else
    mcp::trace<ring>({.uri = "mote://trace", .name = "t"}),
#endif
#endif
#ifdef WITH_READ_JOB
    mcp::read_job<SlowRead>({.uri = "x:slow", .name = "x"}),
#endif
#ifdef WITH_ASK_READ
    mcp::ask_read<ask_first>({.uri = "x:ask", .name = "x"}),
#endif
#ifdef WITH_HISTORY
    mcp::history<samples>({.uri = "x:h", .name = "h"}),
#endif
#if defined(WITH_FIGURES) && defined(HAS_SCOPES)
    mcp::health_resource({.scope = "read"}),
#elif defined(WITH_FIGURES)
    mcp::health_resource(),
#endif
};
#endif

#ifdef WITH_TEMPLATE
mcp::Errc read_template(const mcp::UriVariables& variables, mcp::ReadResult& out) { return out.text(variables["x"]); }
#ifdef WITH_EXTRAS
constexpr mcp::ResourceTemplateExtras template_extras{.icons = icons, .meta = R"({"x":1})"};
#endif
#ifdef WITH_TYPED_TEMPLATE
struct Variables {
  std::int32_t value;
};
constexpr auto variables = mcp::params(mcp::param<&Variables::value>("value", {.minimum = 0, .maximum = 9}));
mcp::Errc read_typed(const Variables&, mcp::ReadResult& out) { return out.text("x"); }
#endif
#ifdef WITH_TEMPLATE_STREAM
mcp::Chunk read_streamed(const Variables&, std::uint32_t offset, std::span<std::uint8_t> into) {
  if (offset != 0) return mcp::Chunk::end();
  into[0] = 'x';
  return mcp::Chunk::bytes(1);
}
#endif
constexpr mcp::ResourceTemplate templates[] = {
#ifdef WITH_TYPED_TEMPLATE
    mcp::resource_template<read_typed, variables>({.uri_template = "v:{value}", .name = "v"}),
#endif
#ifdef WITH_TEMPLATE_STREAM
    mcp::text_stream_template<read_streamed, variables>({.uri_template = "s:{value}", .name = "s"}),
#endif
    {
        .uri_template = "t:{x}",
        .name = "t",
        .read = read_template,
#ifdef WITH_COMPLETION
        .complete = complete,
#endif
#ifdef WITH_MATCH_ANYWHERE
        .match = mcp::Match::anywhere,
#endif
#ifdef WITH_TEMPLATE_SUBSCRIPTION
        .subscribable = true,
#endif
#ifdef WITH_EXTRAS
        .extras = template_extras,
#endif
#ifdef WITH_READ_TOOL_TEMPLATE
        .as_tool = true,
#endif
    },
#ifdef WITH_HISTORY
    mcp::history_since<samples>({.uri_template = "x:h{?since}", .name = "h"}),
#endif
};
#endif

#ifdef WITH_FOUND_RESOURCE
bool describe_found(std::uint16_t number, mcp::FoundResource& row) {
  row.uri("f:", number);
  row.name("f");
  return true;
}
mcp::Errc read_found(std::uint16_t number, mcp::ReadResult& out) { return out.text(number); }
#ifdef WITH_FOUND_SUBSCRIPTION
constexpr bool found_subscribable = true;
#else
constexpr bool found_subscribable = false;
#endif
constexpr mcp::FoundResources found_resources{
    .numbers = 4, .describe = describe_found, .read = read_found, .subscribable = found_subscribable};
#endif

#ifdef WITH_FOUND_TOOL
bool describe_found_tool(std::uint16_t, mcp::FoundTool& row) {
  row.name("f");
  row.input_schema(R"({"type":"object"})");
#ifdef WITH_FOUND_KIND
  row.kind(0);
#endif
  return true;
}
mcp::Errc call_found_tool(std::uint16_t, mcp::json::Value, mcp::Call& call) { return call.result().text("x"); }
#ifdef WITH_FOUND_KIND
mcp::Errc call_of_kind(mcp::Call& call) { return call.result().text(call.row()); }
constexpr mcp::ToolExtras kind_extras{.annotations = {.read_only_hint = true}};
constexpr mcp::Tool found_kinds[] = {mcp::tool<call_of_kind>({.name = "k", .extras = kind_extras})};
constexpr mcp::FoundTools found_tools{
    .numbers = 4, .describe = describe_found_tool, .call = call_found_tool, .kinds = found_kinds};
#else
constexpr mcp::FoundTools found_tools{.numbers = 4, .describe = describe_found_tool, .call = call_found_tool};
#endif
#endif

#ifdef WITH_PROMPT
mcp::Errc prompt(const mcp::PromptArguments& arguments, mcp::PromptResult& out) {
  return out.user().text(arguments["x"]);
}
constexpr mcp::PromptArgument prompt_arguments[] = {{.name = "x"}};
#ifdef WITH_EXTRAS
constexpr mcp::PromptExtras prompt_extras{.icons = icons, .meta = R"({"x":1})"};
#endif
#ifdef WITH_PROMPT_CALLER
mcp::Errc prompt_of_caller(const mcp::PromptArguments&, mcp::PromptResult& out, const mcp::Caller& caller) {
  return out.user().text(caller.principal(), caller.request_id());
}
#endif
#ifdef WITH_ASK_PROMPT
mcp::Errc asking_prompt(const mcp::PromptArguments&, mcp::AskPromptResult& out) {
  const mcp::Answer answer = out.answer("x");
  if (answer.outcome() == mcp::Outcome::accepted) return out.user().text(answer.content().raw());
  return out.key("x").list_roots();
}
#endif

constexpr mcp::Prompt prompts[] = {
#ifdef WITH_ASK_PROMPT
    {.name = "asks", .get = asking_prompt},
#endif
#ifdef WITH_PROMPT_CALLER
    {.name = "caller", .get = mcp::with_caller<prompt_of_caller>},
#endif
    {
        .name = "prompt",
        .arguments = prompt_arguments,
        .get = prompt,
#ifdef WITH_COMPLETION
        .complete = complete,
#endif
#ifdef WITH_MATCH_ANYWHERE
        .match = mcp::Match::anywhere,
#endif
#ifdef WITH_EXTRAS
        .extras = prompt_extras,
#endif
    },
};
#endif

#ifdef WITH_AUDIT_CALLER
volatile std::uint32_t audited = 0;
void audit(const mcp::AuditRecord&, const mcp::Caller& caller) { audited = audited + caller.request_id().size(); }
#elif defined(WITH_AUDIT)
volatile std::uint32_t audited = 0;
void audit(const mcp::AuditRecord&) { audited = audited + 1; }
#endif

// ---- The handler of the plain tool ----------------------------------------------------------------------------------

#ifdef WITH_LOG_OBJECTS
struct LogValue {
  std::int32_t value;
};
constexpr auto log_output = mcp::output(mcp::param<&LogValue::value>("value"));
#endif

mcp::Errc plain(mcp::Call& call) {
#ifdef WITH_HISTORY
  if (!samples.add(1)) return mcp::Errc::unavailable;
#endif
#ifdef WITH_SUBSCRIPTION
  server.resource_updated(resources[0]);
#endif
#ifdef WITH_TEMPLATE_SUBSCRIPTION
  server.resource_updated("t:x");
#endif
#ifdef WITH_FOUND_RESOURCE
  server.found_resources_changed();
#endif
#ifdef WITH_FOUND_SUBSCRIPTION
  server.found_resource_updated(1);
#endif
#ifdef WITH_FOUND_TOOL
  server.found_tools_changed();
#endif
#ifdef WITH_LOGGING
  server.log(mcp::LogLevel::info, "", "x");
#endif
#ifdef WITH_LOG_OBJECTS
  static_cast<void>(server.log(mcp::LogLevel::info, "", log_output, {.value = 1}));
#endif
#ifdef WITH_MAILBOX
  handle.wake();
#ifdef WITH_SUBSCRIPTION
  mailbox.resource_updated(resources[0]);
#endif
#ifdef WITH_LOGGING
  static_cast<void>(mailbox.log(mcp::LogLevel::info, "", "x"));
#endif
#endif
#ifdef WITH_LIST_CHANGES
  server.set_enabled(first_tool(), false);
  server.set_enabled(first_tool(), true);
#endif
#ifdef WITH_CALLER
  const mcp::Caller caller = call.caller();
  if (caller.principal() != 0 || caller.revision().empty() || !caller.has_scope("write") || caller.meta("x").present())
    return call.result().text(caller.request_id());
#endif
#ifdef WITH_CLIENT_NAME
  if (!call.caller().client_name().empty()) return call.result().text(call.caller().client_version());
#endif
  return call.result().text("x");
}

// ---- The server --------------------------------------------------------------------------------------------------

#ifdef WITH_SERVER_EXTRAS
constexpr mcp::ServerExtras server_extras{.description = "x", .website_url = "x:y", .icons = icons};
#endif

#ifdef WITH_CAPABILITIES
constexpr mcp::ServerExtras capabilities{.experimental = R"({"x":{}})", .extensions = R"({"com.x/y":{}})"};
#endif

#ifdef WITH_METHOD
constexpr auto method_output = mcp::output(mcp::param<&Integer::value>("value", {.minimum = -9, .maximum = 9}));
mcp::Errc take_method(const Integer& params, Integer& result, mcp::MethodCall&) {
  result = params;
  return mcp::Errc::ok;
}
constexpr mcp::Method methods[] = {mcp::method<take_method>({.name = "x/y"}, integer_params, method_output)};
#endif

#ifdef HAS_SCOPES
constexpr std::string_view scopes[] = {"read", "write"};
#endif

#ifdef WITH_READ_TOOL_TEMPLATE
constexpr const auto& all_tools = mcp::tools_of<tools, resources, templates>;
#elif defined(WITH_READ_TOOL)
constexpr const auto& all_tools = mcp::tools_of<tools, resources>;
#else
constexpr const auto& all_tools = tools;
#endif

#ifdef WITH_LIST_CHANGES
const mcp::Tool& first_tool() { return all_tools[0]; }
#endif

constexpr mcp::Definition definition{
    .name = "x",
    .version = "1",
#ifdef WITH_SERVER_EXTRAS
    .extras = server_extras,
#elif defined(WITH_CAPABILITIES)
    .extras = capabilities,
#endif
#ifdef WITH_MODERN_ONLY
    .eras = mcp::modern_era,
#elif defined(WITH_MODERN) || defined(WITH_MODERN_RESOURCE) || defined(WITH_MRTR) || defined(WITH_ASK_PROMPT) || \
    defined(WITH_MODERN_TASK) || defined(WITH_HTTP_MODERN)
    .eras = mcp::dual_era,
#else
    .eras = mcp::legacy_era,
#endif
    .tools = all_tools,
#ifdef WITH_RESOURCE
    .resources = resources,
#endif
#ifdef WITH_TEMPLATE
    .resource_templates = templates,
#endif
#ifdef WITH_PROMPT
    .prompts = prompts,
#endif
#ifdef WITH_METHOD
    .methods = methods,
#endif
#ifdef WITH_FOUND_RESOURCE
    .found_resources = found_resources,
#endif
#ifdef WITH_FOUND_TOOL
    .found_tools = found_tools,
#endif
#ifdef WITH_LOG_OBJECTS
    .logging = mcp::LogData::objects,
#elif defined(WITH_LOGGING)
    .logging = true,
#endif
#ifdef WITH_LIST_CHANGES
    .list_changes = true,
#endif
#ifdef WITH_LISTEN
    .subscriptions = true,
#endif
#ifdef WITH_URL
    .url_elicitations = true,
#endif
#ifdef WITH_ROOTS
    .roots_changed = roots_changed,
#endif
#ifdef WITH_AUDIT_CALLER
    .audit = mcp::with_caller<audit>,
#elif defined(WITH_AUDIT)
    .audit = audit,
#endif
#ifdef WITH_KEEP_ALIVE
    .keep_alive = {250, 60'000},
#endif
#ifdef HAS_SCOPES
    .scopes = scopes,
#endif
};

#ifdef WITH_JOB_SCOPES
constexpr bool keeps_scopes = true;
#else
constexpr bool keeps_scopes = false;
#endif
#if defined(WITH_CLIENT_NAME) || defined(WITH_JOB_CALLER)
constexpr std::size_t client_info_size = 40;
#else
constexpr std::size_t client_info_size = 0;
#endif

constexpr mcp::Limits limits {
  .receive_size = 1024, .transmit_size = 1024,
#ifdef WITH_HTTP_MODERN
  .sessions = POOL + 1,  // one for all requests without a session
#else
  .sessions = POOL,
#endif
      .jobs = POOL, .job_scopes = keeps_scopes, .client_info_size = client_info_size, .tasks = POOL,
  .task_result_size = 384, .scheduled_calls = POOL, .elicitations = POOL, .streams = POOL, .subscriptions = POOL,
#ifdef WITH_TEMPLATE_SUBSCRIPTION
  .template_subscriptions = POOL,
#endif
#ifdef WITH_RATE_LIMIT
  .call_burst = 100, .call_interval_ms = 1000,
#endif
  .log_size = 256,
#ifdef WITH_MAILBOX
  .mailbox = true,
#endif
#if defined(WITH_TRACE_PORTS) && defined(WITH_MAILBOX)
  .mailbox_trace = true,
#endif
};
constinit mcp::Storage<definition, limits> storage;

}  // namespace

#if defined(WITH_TRACE_PORTS) && defined(WITH_MAILBOX)
constinit const mcp::TracedMailbox mailbox{storage, board::wake_from_isr, ring};
#elif defined(WITH_MAILBOX)
constinit const mcp::Mailbox mailbox{storage, board::wake_from_isr};
#endif
#if defined(WITH_SEALED_MRTR) && defined(WITH_MAILBOX)
constinit const mcp::Server server{storage, {.entropy = &entropy, .hmac = &hmac, .mailbox = &mailbox}};
#elif defined(WITH_SEALED_MRTR)
constinit const mcp::Server server{storage, {.entropy = &entropy, .hmac = &hmac}};
#elif defined(WITH_TASK) && defined(WITH_MAILBOX)
constinit const mcp::Server server{storage, {.entropy = &entropy, .mailbox = &mailbox}};
#elif defined(WITH_TASK) || defined(WITH_MRTR)
constinit const mcp::Server server{storage, {.entropy = &entropy}};
#elif defined(WITH_MAILBOX)
constinit const mcp::Server server{storage, {.mailbox = &mailbox}};
#else
constinit const mcp::Server server{storage};
#endif

#if defined(WITH_HTTP) || defined(WITH_MQTT) || defined(WITH_TRACE_PORTS)

namespace {

// A network without hosts: the bench does not measure the port.
class Network final : public mcp::Listener, public mcp::Dialer, public mcp::Entropy {
  mcp::Connection* do_accept() override { return nullptr; }
  bool do_has_waiting() override { return false; }
  mcp::Connection* do_dial(std::string_view, std::uint16_t) override { return nullptr; }
  bool do_fill(std::span<std::uint8_t>) override { return false; }
};
Network network;

}  // namespace

#endif

#ifdef WITH_HTTP

namespace {

#ifdef WITH_HTTP_REPLAY
constexpr mcp::HttpLimits http_limits{.connections = 1, .head_size = 512, .replay_size = 256};
#else
constexpr mcp::HttpLimits http_limits{.connections = 1, .head_size = 512, .resumable = false};
#endif
constinit mcp::HttpStorage<storage, http_limits> http_storage;
#ifdef WITH_HTTP_SSE
constexpr mcp::HttpSse2024 sse;
constexpr mcp::HttpOptions http_options{.sse_2024 = &sse};
#elif defined(WITH_HTTP_METRICS)
constinit mcp::HttpMetrics metrics{resources[std::size(resources) - 1]};
constexpr mcp::HttpOptions http_options{.metrics = &metrics};
#elif defined(WITH_HTTP_PAGE)
constexpr mcp::HttpPage page_of_device;
constexpr mcp::HttpOptions http_options{.page = &page_of_device};
#else
constexpr mcp::HttpOptions http_options{};
#endif

}  // namespace

int main() {
  mcp::StdioTransport transport{server, board::uart0()};
  mcp::HttpTransport http{server, network, network, http_storage, http_options};
  for (;;) {
    static_cast<void>(http.poll(board::millis()));
    board::wait_for_event(transport.poll(board::millis()));
  }
}
#elif defined(WITH_MQTT)

namespace {

constinit mcp::MqttStorage<storage> mqtt_storage;
constexpr mcp::MqttBroker brokers[] = {{.host = "x"}};
constexpr mcp::MqttOptions mqtt_options{.brokers = brokers, .server_id = "x", .server_name = "x"};

}  // namespace

int main() {
  mcp::StdioTransport transport{server, board::uart0()};
  mcp::MqttTransport mqtt{server, network, network, mqtt_storage, mqtt_options};
  for (;;) {
    static_cast<void>(mqtt.poll(board::millis()));
    board::wait_for_event(transport.poll(board::millis()));
  }
}
#elif defined(WITH_TRACE)
int main() {
  ring.begin(board::boot_id());
#ifdef WITH_TRACE_PORTS
  static mcp::TracedListener<1> listener{ring, network};
  static mcp::TracedDialer<1> dialer{ring, network};
  static mcp::TracedEntropy random{ring, network};
  std::uint8_t id[16];
  if (random.fill(id) && dialer.dial("x", 1) != nullptr) static_cast<void>(listener.accept());
#endif
  mcp::TracedStream uart{ring, board::uart0(), mcp::Framing::lines};
  mcp::StdioTransport transport{server, uart};
  for (;;) board::wait_for_event(transport.poll(ring.poll(board::millis())));
}
#else
int main() {
  mcp::StdioTransport transport{server, board::uart0()};
  for (;;) board::wait_for_event(transport.poll(board::millis()));
}
#endif
