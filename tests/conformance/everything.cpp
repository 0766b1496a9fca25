// SPDX-License-Identifier: Apache-2.0
// A server with all features of MCP 2025-11-25: the tools, resources and prompts that the official conformance suite
// calls by name, and those that show the rest to other clients. Texts are as in the suite's documentation. Written like
// an application: portable, and everything.hpp is its only platform interface. content.hpp, input_requests.hpp and
// jobs.hpp are parts of it.
#include "everything.hpp"

#include "content.hpp"
#include "jobs.hpp"

#ifdef MOTE_HMAC  // without it, jobs hold their slots while clients of revision 2026-07-28 think
#include <mcp/ports/mbedtls_hmac.hpp>
#endif

namespace everything {
namespace {

// ---- Resources ---------------------------------------------------------------------------------------------------

mcp::Errc read_text(mcp::ReadResult& out) { return out.text("This is the content of the static text resource."); }

mcp::Errc read_binary(mcp::ReadResult& out) { return out.blob(png); }

// 1000 lines of ten characters: many times the size of one message.
mcp::Chunk read_large(std::uint32_t offset, std::span<std::uint8_t> into) {
  constexpr std::uint32_t line_size = 10;
  constexpr std::uint32_t lines = 1000;
  if (offset == lines * line_size) return mcp::Chunk::end();
  std::size_t size = 0;
  for (; size < into.size() && offset < lines * line_size; ++offset, ++size) {
    char line[] = "line 000\n\n";
    std::uint32_t number = offset / line_size;
    for (std::size_t digit = 8; digit-- > 5; number /= 10) line[digit] = static_cast<char>('0' + number % 10);
    into[size] = static_cast<std::uint8_t>(line[offset % line_size]);
  }
  return mcp::Chunk::bytes(size);
}

std::uint32_t updates = 0;
mcp::Errc read_watched(mcp::ReadResult& out) { return out.text("Updated ", updates, " times."); }

mcp::Errc read_template(const mcp::UriVariables& variables, mcp::ReadResult& out) {
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.member("id", variables["id"]);
  json.member("templateTest", true);
  json.key("data");
  json.string_begin();
  json.append("Data for ID: ");
  json.append(variables["id"]);
  json.string_end();
  json.object_end();
  return mcp::Errc::ok;
}

mcp::Errc complete_id(const mcp::CompletionRequest&, mcp::Completions& completions) {
  for (const char* const id : {"1", "12", "123"}) completions.offer(id);
  return mcp::Errc::ok;
}

constexpr mcp::ResourceExtras binary_extras{
    .annotations = {.audience = mcp::Annotations::Audience::user, .priority = mcp::Scaled{5, 1}}, .size = sizeof png};

constexpr mcp::Resource resources[] = {
    {.uri = "test://static-text",
     .name = "static-text",
     .title = "Static text",
     .description = "A text that never changes.",
     .mime_type = "text/plain",
     .read = read_text},
    {.uri = "test://static-binary",
     .name = "static-binary",
     .title = "Static binary",
     .description = "A picture that never changes.",
     .mime_type = "image/png",
     .read = read_binary,
     .extras = binary_extras},
    {.uri = "test://large",
     .name = "large",
     .description = "A text that is larger than the memory for a message.",
     .mime_type = "text/plain",
     .stream = mcp::text_stream(read_large)},
    {.uri = "test://watched-resource",
     .name = "watched-resource",
     .description = "Changes with each call of test_update_resource.",
     .mime_type = "text/plain",
     .read = read_watched,
     .subscribable = true},
    {.uri = "test://switched",
     .name = "switched",
     .description = "Is there until test_set_enabled switches it off.",
     .mime_type = "text/plain",
     .read = read_text},
};
constexpr const mcp::Resource& watched_resource = resources[3];
constexpr const mcp::Resource& switched_resource = resources[4];

constexpr mcp::ResourceTemplate resource_templates[] = {
    {.uri_template = "test://template/{id}/data",
     .name = "template",
     .description = "Data for an id.",
     .mime_type = "application/json",
     .read = read_template,
     .complete = complete_id},
};

// ---- Prompts -----------------------------------------------------------------------------------------------------

mcp::Errc simple_prompt(const mcp::PromptArguments&, mcp::PromptResult& out) {
  return out.user().text("This is a simple prompt for testing.");
}

mcp::Errc prompt_with_arguments(const mcp::PromptArguments& arguments, mcp::PromptResult& out) {
  return out.user().text("Prompt with arguments: arg1='", arguments["arg1"], "', arg2='", arguments["arg2"], "'");
}

mcp::Errc prompt_with_embedded_resource(const mcp::PromptArguments& arguments, mcp::PromptResult& out) {
  static_cast<void>(
      out.user().resource_text(arguments["resourceUri"], "text/plain", "Embedded resource content for testing."));
  return out.user().text("Please process the embedded resource above.");
}

mcp::Errc prompt_with_image(const mcp::PromptArguments&, mcp::PromptResult& out) {
  static_cast<void>(out.user().image(png, "image/png"));
  return out.user().text("Please analyze the image above.");
}

struct Topic {
  std::string_view context;
};
constexpr auto topic_form = mcp::params(mcp::param<&Topic::context>("context"));

mcp::Errc prompt_that_asks(const mcp::PromptArguments&, mcp::AskPromptResult& out) {
  const mcp::Answer answer = out.answer("user_context");
  if (answer.outcome() == mcp::Outcome::unsupported) return out.user().text("Use any context.");
  Topic topic{};
  if (answer.outcome() != mcp::Outcome::accepted || out.read_form(answer, topic_form, topic) != mcp::Errc::ok) {
    return out.key("user_context").elicit(topic_form, "What context should the prompt use?");
  }
  return out.user().text("Use this context: ", topic.context);
}

mcp::Errc switched_prompt(const mcp::PromptArguments&, mcp::PromptResult& out) {
  static_cast<void>(out.user().text("Are you there?"));
  return out.assistant().text("I am.");
}

// The second argument is suggested to go with the first.
mcp::Errc complete_arguments(const mcp::CompletionRequest& request, mcp::Completions& completions) {
  if (request.argument() == "arg1") {
    for (const char* const value : {"test", "testValue1", "other"}) completions.offer(value);
  } else if (request.other("arg1") == "testValue1") {
    completions.offer("testValue2");
  }
  return mcp::Errc::ok;
}

constexpr mcp::PromptArgument two_arguments[] = {
    {.name = "arg1", .description = "First test argument", .required = true},
    {.name = "arg2", .description = "Second test argument", .required = true}};
constexpr mcp::PromptArgument uri_argument[] = {
    {.name = "resourceUri", .description = "URI of the resource to embed", .required = true}};

constexpr mcp::Prompt prompts[] = {
    {.name = "test_simple_prompt", .description = "A prompt without arguments.", .get = simple_prompt},
    {.name = "test_prompt_with_arguments",
     .description = "A prompt with two arguments.",
     .arguments = two_arguments,
     .get = prompt_with_arguments,
     .complete = complete_arguments},
    {.name = "test_prompt_with_embedded_resource",
     .description = "A prompt with a resource in it.",
     .arguments = uri_argument,
     .get = prompt_with_embedded_resource},
    {.name = "test_prompt_with_image", .description = "A prompt with a picture in it.", .get = prompt_with_image},
    {.name = "test_switched_prompt",
     .description = "Is there until test_set_enabled switches it off.",
     .get = switched_prompt},
    {.name = "test_input_required_result_prompt", .description = "Asks the user first.", .get = prompt_that_asks},
};
constexpr const mcp::Prompt& switched_row_of_prompts = prompts[4];

// ---- Changes --------------------------------------------------------------------------------------------------------

mcp::Errc update_resource(mcp::Call& call) {
  ++updates;
  server.resource_updated(watched_resource);
  return call.result().text("Updated test://watched-resource.");
}

mcp::Errc switched_tool(mcp::Call& call) { return call.result().text("This tool is switched on."); }

enum class Row : std::uint8_t { tool, resource, prompt };
constexpr auto rows = mcp::choices<Row>({{"tool", Row::tool, "The tool test_switched_tool"},
                                         {"resource", Row::resource, "The resource test://switched"},
                                         {"prompt", Row::prompt, "The prompt test_switched_prompt"}});
struct SetEnabled {
  Row what;
  bool enabled;
};
constexpr auto set_enabled_params =
    mcp::params(mcp::param<&SetEnabled::what>("what", {.description = "What is switched", .choices = rows}),
                mcp::param<&SetEnabled::enabled>("enabled"));
mcp::Errc set_enabled(const SetEnabled& arguments, mcp::Call& call);
mcp::Errc trigger_tool_change(mcp::Call& call);
mcp::Errc trigger_prompt_change(mcp::Call& call);

// ---- The server --------------------------------------------------------------------------------------------------

constexpr auto optional = mcp::TaskSupport::optional;
constexpr auto required = mcp::TaskSupport::required;

// ---- Headers ------------------------------------------------------------------------------------------------------

struct Routed {
  std::string_view region;
  std::optional<std::int32_t> priority;
  std::optional<bool> urgent;
};

constexpr auto routed_params = mcp::params(
    mcp::param<&Routed::region>("region",
                                {.description = "Where it is done", .default_value = "here", .header = "Region"}),
    mcp::param<&Routed::priority>("priority", {.description = "From 1", .minimum = 1, .header = "Priority"}),
    mcp::param<&Routed::urgent>("urgent", {.description = "At once", .header = "Urgent"}));

mcp::Errc routed(const Routed& arguments, mcp::Call& call) {
  return call.result().text("Done in ", arguments.region, ".");
}

constexpr mcp::Tool tools[] = {
    // These two first, because the suite looks for them on the first page alone.
    mcp::tool<any_arguments>({.name = "json_schema_2020_12_tool", .description = "A schema of JSON Schema 2020-12."},
                             schema_2020_12),
    mcp::tool<routed>({.name = "test_headers", .description = "Says its parameters in headers, too."}, routed_params),
    mcp::tool<switched_tool>(
        {.name = "test_switched_tool", .description = "Is there until test_set_enabled switches it off."}),
    mcp::tool<simple_text>({.name = "test_simple_text", .description = "Answers with a text."}),
    mcp::tool<image>({.name = "test_image_content", .description = "Answers with a picture."}),
    mcp::tool<audio>({.name = "test_audio_content", .description = "Answers with a sound."}),
    mcp::tool<embedded_resource>({.name = "test_embedded_resource", .description = "Answers with a resource."}),
    mcp::tool<multiple_content_types>(
        {.name = "test_multiple_content_types", .description = "Answers with a text, a picture and a resource."}),
    mcp::tool<resource_links>(
        {.name = "test_resource_link", .description = "Answers with an annotated text, a link and a binary resource."}),
    mcp::tool<structured_content>(
        {.name = "test_structured_content", .description = "Answers with a struct.", .extras = weather_extras},
        weather_output),
    mcp::job<Logging>({.name = "test_tool_with_logging", .description = "Logs three messages while it runs."}),
    mcp::job<Progress>({.name = "test_tool_with_progress", .description = "Reports progress three times."}),
    mcp::tool<error_handling>({.name = "test_error_handling", .description = "Always fails."}),
    mcp::job<Reconnection>({.name = "test_reconnection",
                            .description = "Has its connection closed, and answers when the client is back."}),
    mcp::job<Sampling>({.name = "test_sampling", .description = "Asks the client's model."}, sampling_params),
    mcp::job<SamplingWithTools>(
        {.name = "test_sampling_with_tools", .description = "Asks the client's model, and gives it a tool."}),
    mcp::job<ListRoots>({.name = "test_list_roots", .description = "Asks for the roots of the client."}),
    mcp::job<Elicitation>({.name = "test_elicitation", .description = "Asks the user for two texts."},
                          elicitation_params),
    mcp::job<ElicitationDefaults>(
        {.name = "test_elicitation_sep1034_defaults", .description = "Asks the user, with a default for each field."}),
    mcp::job<ElicitationEnums>(
        {.name = "test_elicitation_sep1330_enums", .description = "Asks the user to choose, in each form of choice."}),
    mcp::job<ElicitationUrl>({.name = "test_elicitation_url", .description = "Asks the user to open a page."}),
    mcp::tool<needs_sign_in>(
        {.name = "test_url_required", .description = "Needs the user to open a page before it is called."}),
    mcp::tool<sign_in>(
        {.name = "test_sign_in", .description = "Plays the page that test_url_required needs the user to open."}),
    mcp::job<Work>({.name = "test_task", .description = "Can be called as a task.", .task_support = optional}),
    mcp::job<Work>(
        {.name = "test_task_required", .description = "Can be called as a task only.", .task_support = required}),
    mcp::job<AskingTask>(
        {.name = "test_task_elicitation", .description = "Asks the user, as a task too.", .task_support = optional}),
    mcp::job<Slow>(
        {.name = "test_slow", .description = "Takes a minute; meant to be cancelled.", .task_support = optional}),
    mcp::tool<greet>({.name = "greet", .description = "Greets, and is never a task."}, greeted_params),
    mcp::job<Compute>({.name = "slow_compute", .description = "Takes its time.", .task_support = optional},
                      compute_params),
    mcp::job<FailingJob>(
        {.name = "failing_job", .description = "Fails after a second, as a task only.", .task_support = required}),
    mcp::job<ProtocolErrorJob>(
        {.name = "protocol_error_job", .description = "Ends in an error, as a task only.", .task_support = required}),
    mcp::job<ConfirmDelete>(
        {.name = "confirm_delete", .description = "Asks the user while it runs.", .task_support = optional},
        delete_params),
    mcp::job<MultiInput>(
        {.name = "multi_input", .description = "Asks two things while it runs.", .task_support = optional}),
    mcp::job<AskThenWork>({.name = "test_tool_with_task",
                           .description = "Asks, then becomes a task.",
                           .task_support = required,
                           .input_before_task = true}),
    mcp::job<AskName>({.name = "test_input_required_result_elicitation", .description = "Asks the user for a name."}),
    mcp::job<AskModel>(
        {.name = "test_input_required_result_sampling", .description = "Asks the client's model for a capital."}),
    mcp::job<AskRoots>({.name = "test_input_required_result_list_roots", .description = "Counts the client's roots."}),
    mcp::job<AskToConfirm>(
        {.name = "test_input_required_result_request_state", .description = "Remembers something while it asks."}),
    mcp::job<AskForAll>(
        {.name = "test_input_required_result_multiple_inputs", .description = "Asks three things at once."}),
    mcp::job<AskTwice>({.name = "test_input_required_result_multi_round", .description = "Asks twice."}),
    mcp::job<AskToConfirm>(
        {.name = "test_input_required_result_tampered_state", .description = "Remembers something while it asks."}),
    mcp::job<AskWhatCanBe>(
        {.name = "test_input_required_result_capabilities", .description = "Asks what the client can be asked."}),
    mcp::job<AskHolding, mcp::no_time_limit>(
        {.name = "test_input_required_result_held", .description = "Holds its slot while the user thinks."}),
    mcp::tool<missing_capability>(
        {.name = "test_missing_capability", .description = "Needs a client that can sample.", .knows_client = true}),
    mcp::job<StreamingElicitation>(
        {.name = "test_streaming_elicitation", .description = "Answers on a stream without a request."}),
    mcp::job<LoggingTool>({.name = "test_logging_tool", .description = "Logs a message while it runs."}),
    mcp::tool<log_levels>({.name = "test_log_levels", .description = "Logs a message at each level."}),
    mcp::tool<update_resource>({.name = "test_update_resource", .description = "Changes test://watched-resource."}),
    mcp::tool<set_enabled>(
        {.name = "test_set_enabled", .description = "Switches a tool, a resource or a prompt on or off."},
        set_enabled_params),
    mcp::tool<trigger_tool_change>(
        {.name = "test_trigger_tool_change", .description = "Switches a tool off and on again."}),
    mcp::tool<trigger_prompt_change>(
        {.name = "test_trigger_prompt_change", .description = "Switches a prompt off and on again."}),
};
constexpr const mcp::Tool& switched_row_of_tools = tools[2];

mcp::Errc set_enabled(const SetEnabled& arguments, mcp::Call& call) {
  switch (arguments.what) {
    case Row::tool: server.set_enabled(switched_row_of_tools, arguments.enabled); break;
    case Row::resource: server.set_enabled(switched_resource, arguments.enabled); break;
    case Row::prompt: server.set_enabled(switched_row_of_prompts, arguments.enabled); break;
  }
  return call.result().text("Switched ", arguments.enabled ? std::string_view("on.") : std::string_view("off."));
}

// Rows that are on for certain: the tool that is called, and a prompt that nothing else switches.
mcp::Errc trigger_tool_change(mcp::Call& call) {
  const mcp::Tool& row = tools[std::size(tools) - 2];
  server.set_enabled(row, false);
  server.set_enabled(row, true);
  return call.result().text("The list of tools has changed.");
}

mcp::Errc trigger_prompt_change(mcp::Call& call) {
  server.set_enabled(prompts[0], false);
  server.set_enabled(prompts[0], true);
  return call.result().text("The list of prompts has changed.");
}

constexpr mcp::ServerExtras server_extras{
    .description = "Shows what a server can do.", .website_url = "https://example.com/everything", .icons = icons};

constexpr mcp::Definition definition{
    .name = "everything",
    .title = "Everything",
    .version = "1.0.0",
    .instructions = "A server for tests: its tools show what the protocol can do.",
    .extras = server_extras,
    .tools = tools,
    .resources = resources,
    .resource_templates = resource_templates,
    .prompts = prompts,
    .logging = true,
    .list_changes = true,
    .subscriptions = true,
    .url_elicitations = true,
    .roots_changed = roots_changed,
    .keep_alive = {300'000, 30'000},
};

constexpr mcp::Limits limits{
    .receive_size = 1024,
    .transmit_size = transmit_size,
    .sessions = sessions,
    .own_session_idle_ms = 0,  // the official suite does not end its sessions
    .jobs = jobs,
    .tasks = tasks,
    .task_result_size = 512,
    .elicitations = 2,
    .streams = 3,  // two of one client
    .subscriptions = subscriptions,
    .log_size = 256,
};
constinit mcp::Storage<definition, limits> storage;
constinit Entropy entropy;
constinit WallClock wall_clock;
#ifdef MOTE_HMAC
constinit mcp::mbedtls::Hmac hmac;
#endif

}  // namespace

#ifdef MOTE_HMAC
constinit const mcp::Server server{storage, {.entropy = &entropy, .wall_clock = &wall_clock, .hmac = &hmac}};
#else
constinit const mcp::Server server{storage, {.entropy = &entropy, .wall_clock = &wall_clock}};
#endif

}  // namespace everything
