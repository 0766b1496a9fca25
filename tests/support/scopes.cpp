// SPDX-License-Identifier: Apache-2.0
// A pump with scopes: each table has rows with and without one.
#include <cstdint>
#include <string_view>

#include "mcp/server.hpp"
#include "support/device.hpp"

namespace test {
namespace {

mcp::Errc status(mcp::Call& call) { return call.result().text("The pump is off."); }
mcp::Errc start(mcp::Call& call) {
  ++device.calls;
  return call.result().text("The pump runs.");
}
constexpr mcp::Tool tools[] = {
    mcp::tool<status>({.name = "status"}),
    mcp::tool<start>({.name = "start", .scope = "pump:write"}),
};

mcp::Errc read_level(mcp::ReadResult& out) { return out.text("half full"); }
mcp::Errc read_key(mcp::ReadResult& out) {
  ++device.calls;
  return out.text("secret");
}
constexpr mcp::Resource resources[] = {
    {.uri = "pump://level", .name = "level", .read = read_level, .subscribable = true},
    {.uri = "pump://key", .name = "key", .read = read_key, .subscribable = true, .scope = "pump:admin"},
    {.uri = "part://?a=1&b=2", .name = "part", .read = read_key, .scope = "pump:admin"},
};

mcp::Errc read_any(const mcp::UriVariables&, mcp::ReadResult& out) {
  ++device.calls;
  return out.text("any");
}
mcp::Errc suggest(const mcp::CompletionRequest&, mcp::Completions& completions) {
  completions.offer("valve");
  return mcp::Errc::ok;
}
constexpr mcp::ResourceTemplate resource_templates[] = {
    {.uri_template = "log://{day}", .name = "log", .read = read_any, .complete = suggest, .scope = "pump:admin"},
    {.uri_template = "part://{?a,b}", .name = "parts", .read = read_any},
};

mcp::Errc say(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("said"); }
constexpr mcp::PromptArgument arguments[] = {{.name = "part"}};
constexpr mcp::Prompt prompts[] = {
    {.name = "explain", .arguments = arguments, .get = say, .complete = suggest},
    {.name = "repair", .arguments = arguments, .get = say, .complete = suggest, .scope = "pump:write"},
};

constexpr std::string_view scopes[] = {"pump:read", "pump:write", "pump:admin"};

}  // namespace

constexpr mcp::Definition scoped{.name = "scoped",
                                 .version = "0",
                                 .tools = tools,
                                 .resources = resources,
                                 .resource_templates = resource_templates,
                                 .prompts = prompts,
                                 .subscriptions = true,
                                 .scopes = scopes};
constexpr mcp::Definition hiding{.name = "hiding",
                                 .version = "0",
                                 .tools = tools,
                                 .resources = resources,
                                 .resource_templates = resource_templates,
                                 .prompts = prompts,
                                 .subscriptions = true,
                                 .scopes = scopes,
                                 .hide_out_of_scope = true};

// ---- Tasks ----------------------------------------------------------------------------------------------------------

namespace {

// Pumps for 100 ms.
struct Pump {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested() || slept) return context.done(context.result().text("Pumped."));
    slept = true;
    return context.sleep(100);
  }
};

struct Consent {
  bool yes;
};
constexpr auto consent = mcp::params(mcp::param<&Consent::yes>("yes"));

// Pumps after its user agrees.
struct Agreed {
  mcp::Step step(mcp::AskContext& context) {
    if (context.stop_requested()) return context.done();
    const mcp::Answer answer = context.answer("yes");
    if (answer.outcome() == mcp::Outcome::accepted) return context.done(context.result().text("Agreed."));
    if (answer.outcome() != mcp::Outcome::none) return context.done(context.fail_input(answer));
    return context.timeout(1000).key("yes").elicit(consent, "Pump?");
  }
};

constexpr auto may = mcp::TaskSupport::optional;
constexpr mcp::Tool task_tools[] = {
    mcp::job<Pump>({.name = "pump", .task_support = may, .task_outlives_session = true, .scope = "pump:write"}),
    mcp::job<Agreed>({.name = "agreed", .task_support = may, .scope = "pump:write"}),
    mcp::job<Pump>({.name = "rinse", .task_support = may, .task_outlives_session = true}),
    mcp::job<Agreed>({.name = "asks", .task_support = may}),
};
// Without a task that outlives its session.
constexpr mcp::Tool short_task_tools[] = {
    mcp::job<Pump>({.name = "pump", .task_support = may, .scope = "pump:write"}),
    mcp::job<Pump>({.name = "rinse", .task_support = may}),
};

}  // namespace

constexpr mcp::Definition scoped_tasks{
    .name = "scoped_tasks", .version = "0", .tools = task_tools, .subscriptions = true, .scopes = scopes};
constexpr mcp::Definition hiding_tasks{.name = "hiding_tasks",
                                       .version = "0",
                                       .tools = task_tools,
                                       .subscriptions = true,
                                       .scopes = scopes,
                                       .hide_out_of_scope = true};
constexpr mcp::Definition short_scoped_tasks{
    .name = "short_scoped_tasks", .version = "0", .tools = short_task_tools, .scopes = scopes};

}  // namespace test
