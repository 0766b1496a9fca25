// SPDX-License-Identifier: Apache-2.0
// Tests input requests in the steps of jobs and in prompts, and the channel of a job that becomes a task.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "mcp/body_stream.hpp"
#include "mcp/coroutine.hpp"
#include "mcp/job.hpp"
#include "mcp/prompt_input.hpp"
#include "mcp/server.hpp"
#include "support/bench.hpp"
#include "support/json.hpp"

namespace {

using mcp::AskContext;
using mcp::Channel;
using mcp::JobContext;
using mcp::Millis;
using mcp::SessionId;
using mcp::Step;
using test::Bench;

struct Number {
  std::int32_t value;
};
constexpr auto form = mcp::params(mcp::param<&Number::value>("value", {.minimum = 0, .maximum = 9}));

// One row for each thing that a step may do beside its input request.
enum class Deed { reads_form, ends, fails, sleeps, repeats_key };

template <Deed deed>
struct Asks {
  Step step(AskContext& context) {
    if (context.stop_requested()) return context.done();
    static_cast<void>(context.key("a").elicit(form, "A?"));
    if constexpr (deed == Deed::reads_form) {
      Number number{};
      if (context.read_form(context.answer("b"), form, number) == mcp::Errc::ok) return context.done();
      return context.key("b").elicit(form, "B?");
    }
    if constexpr (deed == Deed::ends) return context.done(context.result().text("done"));
    if constexpr (deed == Deed::fails) return context.done(context.fail("failed"));
    if constexpr (deed == Deed::sleeps) return context.sleep(1'000);
    return context.key("a").elicit(form, "B?");
  }
};
struct AsksTooMuch {
  Step step(AskContext& context) {
    static_cast<void>(context.elicit(form, "0123456789012345678901234567890123456789012345678901234567890123456789"));
    return context.done(context.result().text("done"));
  }
};

struct TwoSteps {
  Step step(JobContext& context) { return context.done(context.result().text("plain")); }
  Step step(AskContext& context) { return context.elicit(form, "A?"); }
};

constinit mcp::FramePool<2, 1024> frames;
mcp::Coroutine run_plain(mcp::CoroutineContext& context) { co_return context.result().text("plain"); }
[[maybe_unused]] mcp::Coroutine run_plain(mcp::AskCoroutineContext& context) {
  static_cast<void>(co_await context.elicit(form, "A?"));
  co_return mcp::Errc::ok;
}
constexpr auto either = [](auto& context) -> mcp::Coroutine { return run_plain(context); };
mcp::Coroutine forgets(mcp::AskCoroutineContext& context) {
  static_cast<void>(context.elicit(form, "A?"));
  co_await context.sleep(10);
  co_return context.result().text("done");
}

struct HandlesNothing {
  Step step(AskContext& context) { return context.done(mcp::Errc::handled); }
};
mcp::Errc handle_nothing(mcp::Call&) { return mcp::Errc::handled; }

constexpr mcp::Tool tools[] = {
    mcp::job<Asks<Deed::reads_form>>({.name = "reads_form"}),
    mcp::job<Asks<Deed::ends>>({.name = "ends"}),
    mcp::job<Asks<Deed::fails>>({.name = "fails"}),
    mcp::job<Asks<Deed::sleeps>>({.name = "sleeps"}),
    mcp::job<Asks<Deed::repeats_key>>({.name = "repeats_key"}),
    mcp::job<AsksTooMuch>({.name = "asks_too_much"}),
    mcp::coroutine<forgets, frames>({.name = "forgets"}),
    mcp::job<HandlesNothing>({.name = "handles_nothing"}),
    mcp::tool<handle_nothing>({.name = "handle_nothing", .task_support = mcp::TaskSupport::optional}),
};

mcp::Errc answer_and_ask(const mcp::PromptArguments&, mcp::AskPromptResult& out) {
  static_cast<void>(out.elicit(form, "A?"));
  return out.user().text("done");
}
mcp::Errc ask_twice(const mcp::PromptArguments&, mcp::AskPromptResult& out) {
  static_cast<void>(out.elicit(form, "A?"));
  return out.elicit(form, "B?");
}
// Errc::handled without a function that has written the response.
mcp::Errc handle_no_input(const mcp::PromptArguments&, mcp::AskPromptResult&) { return mcp::Errc::handled; }
mcp::Errc handle_no_messages(const mcp::PromptArguments&, mcp::PromptResult&) { return mcp::Errc::handled; }
constexpr mcp::Prompt prompts[] = {{.name = "answer_and_ask", .get = answer_and_ask},
                                   {.name = "ask_twice", .get = ask_twice},
                                   {.name = "handle_no_input", .get = handle_no_input},
                                   {.name = "handle_no_messages", .get = handle_no_messages}};
constexpr mcp::Definition asking{.name = "d", .version = "1", .tools = tools, .prompts = prompts};

constexpr mcp::Tool plain_tools[] = {mcp::job<TwoSteps>({.name = "two_steps"}),
                                     mcp::coroutine<either, frames>({.name = "either"})};
constexpr mcp::Definition plain{.name = "d", .version = "1", .tools = plain_tools};

std::string stateless(std::string_view method, std::string_view name, std::string_view more = "") {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{"name":")" + std::string(name) +
         "\"," + std::string(more) +
         R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}})";
}

SessionId open_ready(Bench& bench) {
  const SessionId id = bench.server.open(0);
  bench.ask(
      id,
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}})");
  EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "");
  return id;
}
std::string call(std::string_view name) {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(name) + "\"}}";
}

// The client has left out the first input response, and the second one breaks the form: the step sends both again.
TEST(JobStep, ReadsAFormThatFailsAfterAnInputRequest) {
  Bench bench(asking);
  const SessionId id = bench.server.open(0);
  constexpr std::string_view wrong = R"("inputResponses":{"b":{"action":"accept","content":{"value":10}}},)";
  std::string text = bench.ask(id, stateless("tools/call", "reads_form", wrong));
  if (text.empty()) text = bench.next(id);
  const auto json = test::parse_json(text);
  ASSERT_TRUE(json) << text;
  EXPECT_EQ(json->text_at("result.inputRequests.a.params.message"), "A?");
  EXPECT_EQ(json->text_at("result.inputRequests.b.params.message"), "B?");
  EXPECT_EQ(json->at("result.inputRequests")->keys.size(), 2U);
}

TEST(JobStep, GetsTheContextThatItsTableRowWasMadeFor) {
  for (const std::string_view tool : {"two_steps", "either"}) {
    Bench bench(plain);
    const SessionId id = open_ready(bench);
    EXPECT_EQ(bench.ask(id, call(tool)), "");
    EXPECT_NE(bench.next(id).find(R"("text":"plain")"), std::string::npos) << tool;
  }
}

// The step of a session, and the step of a stateless call.
void step_session(std::string_view tool, std::size_t transmit_size) {
  Bench bench(asking, {.transmit_size = transmit_size});
  const SessionId id = open_ready(bench);
  EXPECT_EQ(bench.ask(id, call(tool)), "");
  bench.next(id);
}
void step_stateless(std::string_view tool) {
  Bench bench(asking);
  const SessionId id = bench.server.open(0);
  EXPECT_EQ(bench.ask(id, stateless("tools/call", tool)), "");
  bench.next(id);
}

TEST(JobStepDeathTest, AnInputRequestEndsTheStep) {
  for (const std::string_view tool : {"ends", "fails", "sleeps", "forgets"}) {
    EXPECT_DEATH(step_session(tool, 8192), "contract") << tool;
    EXPECT_DEATH(step_stateless(tool), "contract") << tool;
  }
  EXPECT_DEATH(step_session("asks_too_much", 240), "contract");
}

TEST(JobStepDeathTest, APromptSendsEitherMessagesOrInputRequests) {
  Bench bench(asking);
  const SessionId id = bench.server.open(0);
  EXPECT_DEATH(bench.ask(id, stateless("prompts/get", "answer_and_ask")), "contract");
}

// Otherwise the client would get half a message, or an error that hides the cause.
TEST(JobStepDeathTest, AHandlerReturnsHandledOnlyAfterAResponse) {
  EXPECT_DEATH(step_session("handles_nothing", 8192), "contract");
  EXPECT_DEATH(step_stateless("handles_nothing"), "contract");
  for (const std::string_view prompt : {"handle_no_input", "handle_no_messages"}) {
    Bench bench(asking);
    const SessionId id = bench.server.open(0);
    EXPECT_DEATH(bench.ask(id, stateless("prompts/get", prompt)), "contract") << prompt;
  }
  for (const std::string_view task : {"", R"("task":{},)"}) {
    Bench bench(asking);
    const SessionId id = open_ready(bench);
    EXPECT_DEATH(bench.ask(id, R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{)" + std::string(task) +
                                   R"("name":"handle_nothing"}})"),
                 "contract")
        << task;
  }
}

// The other one may be sent when the first one has its response, as for a session.
TEST(JobStep, SendsTheFirstOfTwoInputRequestsWithOneKey) {
  constexpr struct {
    std::string_view method;
    std::string_view name;
    std::string_view message;
  } cases[] = {{"tools/call", "repeats_key", "result.inputRequests.a.params.message"},
               {"prompts/get", "ask_twice", "result.inputRequests.answer.params.message"}};
  for (const auto& c : cases) {
    Bench bench(asking);
    const SessionId id = bench.server.open(0);
    std::string text = bench.ask(id, stateless(c.method, c.name));
    if (text.empty()) text = bench.next(id);
    const auto json = test::parse_json(text);
    ASSERT_TRUE(json) << text;
    EXPECT_EQ(json->text_at(c.message), "A?") << text;
  }
}

// ---- Channels ----------------------------------------------------------------------------------------------------

struct Reconnects {
  Step step(JobContext& context) {
    context.reconnect(5);
    return context.sleep(1'000);
  }
};
constexpr mcp::Tool task_tools[] = {
    mcp::job<Reconnects>({.name = "reconnects", .task_support = mcp::TaskSupport::optional})};

mcp::Chunk stall(std::uint32_t offset, std::span<std::uint8_t> into) {
  if (offset != 0) return mcp::Chunk::not_ready(60'000);
  into[0] = 'a';
  return mcp::Chunk::bytes(1);
}
constexpr mcp::Resource resources[] = {{.uri = "stream:slow", .name = "slow", .stream = mcp::text_stream(stall)}};
constexpr mcp::Definition tasks{.name = "d", .version = "1", .tools = task_tools, .resources = resources};

std::string tell(const Bench& bench, SessionId id, Channel channel, std::string_view message, Millis now = 0) {
  const std::unique_ptr<char[]> copy(new char[message.size()]);
  std::copy(message.begin(), message.end(), copy.get());
  const mcp::Reply reply =
      bench.server.receive(id, {copy.get(), message.size()}, bench.server.transmit_buffer(), now, channel);
  return {bench.server.transmit_buffer().data(), reply.size};
}

// The transport gives the channel of the call to another request when the call has its response, the task.
TEST(TaskChannel, IsForgottenWhenTheTaskHasBegun) {
  Bench bench(tasks);
  const SessionId id = open_ready(bench);
  const std::string begun =
      tell(bench, id, 3, R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"reconnects","task":{}}})");
  EXPECT_NE(begun.find("taskId"), std::string::npos) << begun;
  bench.server.advance_tasks(0);
  EXPECT_EQ(bench.server.take_reconnect(id, 3), 0U);
  EXPECT_EQ(tell(bench, id, 3, R"({"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"stream:slow"}})"),
            "");
  EXPECT_NE(bench.server.transmit(id, bench.server.transmit_buffer(), 0, 3).size, 0U);
  EXPECT_TRUE(bench.is_unfinished());
  EXPECT_EQ(bench.server.poll(0), 1'000U) << "the next step of the task";
  bench.server.close(id, 0);
}

}  // namespace
