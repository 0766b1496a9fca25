// SPDX-License-Identifier: Apache-2.0
// Devices whose handlers say who is calling.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "mcp/coroutine.hpp"
#include "mcp/prompt_input.hpp"
#include "mcp/read_input.hpp"
#include "mcp/read_job.hpp"
#include "mcp/schedule.hpp"
#include "mcp/server.hpp"
#include "support/device.hpp"

namespace test {

constinit CallerHook caller_hook = nullptr;

namespace {

std::string trail;

// All that a caller tells, except its scopes.
std::string say(const mcp::Caller& caller) {
  const mcp::json::Value room = caller.meta("com.example/room");
  return std::to_string(caller.principal()) + " of " + std::string(caller.client_name()) + " " +
         std::string(caller.client_version()) + " in " + std::string(caller.revision()) + " asks " +
         std::string(caller.request_id()) + " for " + (room.present() ? std::string(room.raw()) : "nothing");
}

std::string say_all(const mcp::Caller& caller) {
  return say(caller) + (caller.has_scope("read") ? " may read" : "") + (caller.has_scope("write") ? " may write" : "") +
         (caller.has_scope("other") ? " may do other things" : "");
}

// ---- Tools ---------------------------------------------------------------------------------------------------------

mcp::Errc who(mcp::Call& call) { return call.result().text(say_all(call.caller())); }

// For a Call of any kind.
mcp::Errc answer(mcp::Call& call) { return call.result().text(say_all(call.caller())); }

struct Work {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) {
      trail += say_all(context.caller()) + " stops; ";
      return context.done();
    }
    if (slept) return context.done(answer(context));
    return slept = true, context.sleep(100);
  }
};

// Without has_scope(), which needs Limits::job_scopes.
struct Plain {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept || context.stop_requested()) return context.done(context.result().text(say(context.caller())));
    return slept = true, context.sleep(100);
  }
};

struct Ask {
  mcp::Step step(mcp::AskContext& context) {
    if (context.answer("roots").outcome() == mcp::Outcome::accepted || context.stop_requested()) {
      return context.done(answer(context));
    }
    return context.key("roots").list_roots();
  }
};

constinit mcp::FramePool<2, 1000> caller_frames;
mcp::Coroutine flow(mcp::CoroutineContext& context) {
  const std::string first = say_all(context.caller());
  co_await context.sleep(100);
  co_return context.result().text(first == say_all(context.caller()) ? first : "another one");
}

constexpr auto later = mcp::schedulable();

constexpr mcp::Tool tools[] = {
    mcp::tool<who>({.name = "who"}),
    mcp::job<Work>({.name = "work", .task_support = mcp::TaskSupport::optional}),
    mcp::job<Plain>({.name = "plain"}),
    mcp::job<Ask>({.name = "ask"}),
    mcp::coroutine<flow, caller_frames>({.name = "flow"}),
    mcp::tool<who>({.name = "later"}, later),
    mcp::job<Work>({.name = "later_work"}, later),
};
constexpr mcp::Tool few_tools[] = {
    mcp::tool<who>({.name = "who"}),
    mcp::job<Work>({.name = "work"}),
    mcp::job<Plain>({.name = "plain"}),
};

// ---- Reads ---------------------------------------------------------------------------------------------------------

// Of a read at once, and of the body of a job.
mcp::Errc read_who(mcp::ReadResult& out) { return out.text(say_all(out.caller())); }
mcp::Errc read_who_of(const mcp::UriVariables&, mcp::ReadResult& out) { return read_who(out); }

struct SlowRead {
  bool slept;
  mcp::Step step(mcp::ReadContext& context) {
    if (context.stop_requested()) {
      trail += say_all(context.body().caller()) + " stops reading; ";
      return context.done();
    }
    if (!slept) return slept = true, context.sleep(100);
    if (caller_hook != nullptr) trail += caller_hook();
    if (say_all(context.caller()) != say_all(context.body().caller())) return context.done(mcp::Errc::internal);
    return context.done(read_who(context.body()));
  }
};

mcp::Errc read_first(mcp::AskReadResult& out) {
  if (out.answer("roots").outcome() != mcp::Outcome::accepted) return out.key("roots").list_roots();
  return out.text(say_all(out.caller()));
}

constexpr mcp::Resource resources[] = {
    {.uri = "who:now", .name = "now", .read = read_who},
    mcp::read_job<SlowRead>({.uri = "who:slow", .name = "slow"}),
    mcp::ask_read<read_first>({.uri = "who:first", .name = "first"}),
    mcp::scheduled_calls({.uri = "who:later", .name = "later"}),
};
constexpr mcp::ResourceTemplate templates[] = {
    {.uri_template = "who:{part}/part", .name = "part", .read = read_who_of},
};

// ---- Prompts -------------------------------------------------------------------------------------------------------

mcp::Errc greet(const mcp::PromptArguments& arguments, mcp::PromptResult& out, const mcp::Caller& caller) {
  if (arguments["how"] == "badly") return mcp::Errc::not_found;
  return out.user().text(say_all(caller));
}
mcp::Errc ask_and_greet(const mcp::PromptArguments&, mcp::AskPromptResult& out) {
  if (out.answer("roots").outcome() != mcp::Outcome::accepted) return out.key("roots").list_roots();
  return out.user().text(say_all(out.caller()));
}
mcp::Errc say_nothing(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("nothing"); }
constexpr mcp::PromptArgument arguments[] = {{.name = "how"}};
constexpr mcp::Prompt prompts[] = {
    {.name = "greet", .arguments = arguments, .get = mcp::with_caller<greet>},
    {.name = "ask", .get = ask_and_greet},
    {.name = "nothing", .get = say_nothing},
};
constexpr mcp::Prompt few_prompts[] = {{.name = "greet", .arguments = arguments, .get = mcp::with_caller<greet>},
                                       {.name = "nothing", .get = say_nothing}};

// ---- Methods and the audit -----------------------------------------------------------------------------------------

mcp::Errc call_who(mcp::MethodCall& call) {
  call.result().member("who", std::string_view(say_all(call.caller())));
  return mcp::Errc::ok;
}
mcp::Errc hear(mcp::MethodCall& call) {
  trail += say_all(call.caller()) + " tells; ";
  return mcp::Errc::ok;
}
constexpr mcp::Method methods[] = {mcp::method<call_who>({.name = "x-acme/who"}),
                                   mcp::notification<hear>({.name = "x-acme/told"})};

// Without has_scope(), so that it may be used with any limits.
void keep_trail(const mcp::AuditRecord& record, const mcp::Caller& caller) {
  constexpr std::string_view names[] = {"ok", "failed", "error", "later", "cancelled", "asks", "rejected"};
  trail.append(names[static_cast<std::size_t>(record.outcome)]).append(" ").append(record.method).append(": ");
  trail.append(say(caller)).append(record.principal == caller.principal() ? "; " : " by another; ");
}

constexpr std::string_view scopes[] = {"read", "write"};

}  // namespace

constexpr mcp::Definition callers{.name = "callers",
                                  .version = "0",
                                  .tools = tools,
                                  .resources = resources,
                                  .resource_templates = templates,
                                  .prompts = prompts,
                                  .methods = methods,
                                  .audit = mcp::with_caller<keep_trail>,
                                  .scopes = scopes};

constexpr mcp::Definition few_callers{
    .name = "few_callers", .version = "0", .tools = few_tools, .prompts = few_prompts, .scopes = scopes};

std::string take_callers() { return std::exchange(trail, std::string()); }

bool act_on_callers(std::string_view action) {
  constexpr std::string_view told = "callers trail ";
  if (action == "forget callers") return take_callers(), true;
  if (!action.starts_with(told)) return false;
  EXPECT_EQ(take_callers(), std::string(action.substr(told.size())) + " ");
  return true;
}

namespace {

// As in an application: the compiler checks the limits against all tables.
constexpr mcp::Limits callers_limits{
    .transmit_size = 2048, .jobs = 2, .job_scopes = true, .client_info_size = 24, .tasks = 1, .scheduled_calls = 1};
constinit mcp::Storage<few_callers, callers_limits> callers_storage;
[[maybe_unused]] constinit mcp::Server server_with_callers{callers_storage};
static_assert(sizeof(mcp::Storage<few_callers, mcp::Limits{.jobs = 2, .job_scopes = true}>) ==
              sizeof(mcp::Storage<few_callers, mcp::Limits{.jobs = 2}>) + 2 * 8);
static_assert(sizeof(mcp::Storage<few_callers, mcp::Limits{.sessions = 3, .jobs = 2, .client_info_size = 25}>) ==
              sizeof(mcp::Storage<few_callers, mcp::Limits{.sessions = 3, .jobs = 2}>) + 5 * 40);

}  // namespace
}  // namespace test
