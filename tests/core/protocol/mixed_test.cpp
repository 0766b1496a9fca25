// SPDX-License-Identifier: Apache-2.0
// A device with all features: combinations of features, transmit sizes and times that no conversation has.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "mcp/server.hpp"
#include "mcp/transport_info.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/json.hpp"

namespace {

using mcp::Channel;
using mcp::Millis;
using mcp::Reply;
using mcp::SessionId;
using test::Bench;
using test::Json;

// ---- The device --------------------------------------------------------------------------------------------------

// Reports its step, and then sleeps for 100 ms.
struct MixedWork {
  std::uint32_t at;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return context.done();
    if (at == 3) return context.done(context.result().text("worked"));
    context.progress(++at, 3);
    return context.sleep(100);
  }
};

struct MixedForm {
  mcp::FixedString<16> word;
};
constexpr auto mixed_form = mcp::params(mcp::param<&MixedForm::word>("word"));

std::string_view mixed_word(const mcp::Answer& answer) {
  if (answer.outcome() == mcp::Outcome::unsupported) return "unsupported";
  return answer.outcome() == mcp::Outcome::accepted ? "accepted" : "none";
}

struct MixedAsks {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (asked || context.stop_requested()) return context.done(context.result().text(mixed_word(context.answer())));
    asked = true;
    return context.elicit(mixed_form, "Well?");
  }
};

// More input requests than a client can get at a time.
struct MixedAsksTooMuch {
  mcp::Step step(mcp::AskContext& context) {
    static constexpr std::string_view keys[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    mcp::Step next = context.again();
    for (const std::string_view key : keys) next = context.key(key).elicit(mixed_form, "Well?");
    return next;
  }
};

struct MixedOpensNothing {
  mcp::Step step(mcp::AskContext& context) {
    return context.elicit_url({.message = "Open.", .url = "no address", .id = "one"});
  }
};

mcp::Errc mixed_meta(mcp::Call& call) {
  if (const mcp::Errc errc = call.result().text("with meta"); errc != mcp::Errc::ok) return errc;
  return call.meta([](mcp::json::Writer& out) { out.member("com.example/bus", 2); });
}
mcp::Errc mixed_fails(mcp::Call& call) { return call.fail(std::string(1000, 'x')); }
// Asks for the roots, and where its client has none with a form, under the same key.
struct MixedAsksElse {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (asked || context.stop_requested()) return context.done(context.result().text(mixed_word(context.answer())));
    asked = true;
    static_cast<void>(context.list_roots());
    return context.elicit(mixed_form, "Where?");
  }
};
struct MixedBounds {
  std::int32_t most;
  double least;
  double from;
  std::string_view text;
};
mcp::Errc mixed_bounds(const MixedBounds&, mcp::Call& call) { return call.result().text("in bounds"); }
constexpr auto mixed_bounds_params =
    mcp::params(mcp::param<&MixedBounds::most>("most", {.maximum = 5, .default_value = 0}),
                mcp::param<&MixedBounds::least>("least", {.maximum = 1.5, .default_value = 0}),
                mcp::param<&MixedBounds::from>("from", {.minimum = 0.5, .default_value = 1}),
                mcp::param<&MixedBounds::text>("text", {.min_length = 2, .default_value = "ab"}));

constexpr auto mixed_may = mcp::TaskSupport::optional;
constexpr mcp::Tool mixed_tools[] = {
    mcp::job<MixedWork>({.name = "work", .task_support = mixed_may}),
    mcp::job<MixedAsks>({.name = "asks", .task_support = mixed_may}),
    mcp::job<MixedAsksTooMuch>({.name = "asks_too_much"}),
    mcp::job<MixedAsksElse>({.name = "asks_else", .task_support = mixed_may}),
    mcp::job<MixedOpensNothing>({.name = "opens_nothing"}),
    mcp::tool<mixed_meta>({.name = "meta", .task_support = mixed_may}),
    mcp::tool<mixed_fails>({.name = "fails"}),
    mcp::tool<mixed_bounds>({.name = "bounds"}, mixed_bounds_params),
};

std::size_t mixed_there = 0;  // bytes of the body that are there
mcp::Chunk mixed_read(std::uint32_t offset, std::span<std::uint8_t> into) {
  if (offset == 200) return mcp::Chunk::end();
  if (offset >= mixed_there) return mcp::Chunk::not_ready(100);
  into[0] = 'x';
  return mcp::Chunk::bytes(1);
}
constexpr mcp::Resource mixed_resources[] = {
    {.uri = "test://body", .name = "body", .stream = mcp::text_stream(mixed_read)}};

constexpr mcp::Definition mixed{.name = "mixed",
                                .version = "1",
                                .tools = mixed_tools,
                                .resources = mixed_resources,
                                .logging = true,
                                .list_changes = true,
                                .subscriptions = true};
constexpr mcp::Definition mixed_tools_alone{
    .name = "tools", .version = "1", .tools = mixed_tools, .list_changes = true, .subscriptions = true};
mcp::Errc mixed_read_one(const mcp::UriVariables&, mcp::ReadResult& out) { return out.text("one"); }
constexpr mcp::ResourceTemplate mixed_templates[] = {
    {.uri_template = "test://one/{x}", .name = "one", .read = mixed_read_one}};
constexpr mcp::Definition mixed_templates_alone{.name = "templates",
                                                .version = "1",
                                                .resource_templates = mixed_templates,
                                                .list_changes = true,
                                                .subscriptions = true};
constexpr mcp::Definition mixed_modern{.name = "modern", .version = "1", .eras = mcp::modern_era};

// ---- Messages of clients --------------------------------------------------------------------------------------------

constexpr std::string_view mixed_initialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{)"
    R"("elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"c","version":"1"}}})";

SessionId open_mixed(Bench& bench, Millis now = 0) {
  mixed_there = 200;
  const SessionId id = bench.server.open(now);
  EXPECT_NE(bench.ask(id, mixed_initialize, now), "");
  EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})", now), "");
  return id;
}

std::string mixed_request(std::string_view id, std::string_view method, std::string_view params) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) + R"(","params":{)" +
         std::string(params) + "}}";
}
std::string mixed_call(std::string_view id, std::string_view tool, std::string_view more = "") {
  return mixed_request(id, "tools/call", R"("name":")" + std::string(tool) + '"' + std::string(more));
}
std::string mixed_stateless(std::string_view id, std::string_view method, std::string_view params) {
  return mixed_request(
      id, method,
      std::string(params) +
          R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{)"
          R"("elicitation":{"form":{},"url":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}})");
}

Json mixed_json(std::string_view text) {
  const std::optional<Json> json = test::parse_json(text);
  EXPECT_TRUE(json) << text;
  return json.value_or(Json{});
}

// The next message of the server on this channel.
std::string mixed_next(Bench& bench, SessionId id, Channel channel, Millis now = 0) {
  const Reply reply = bench.server.transmit(id, bench.server.transmit_buffer(), now, channel);
  return {bench.server.transmit_buffer().data(), reply.size};
}
std::string mixed_tell(Bench& bench, SessionId id, Channel channel, std::string message, Millis now = 0) {
  const Reply reply = bench.server.receive(id, message, bench.server.transmit_buffer(), now, channel);
  return {bench.server.transmit_buffer().data(), reply.size};
}

std::string mixed_task(Bench& bench, SessionId id, std::string_view tool, std::string_view more = ",\"task\":{}") {
  const Json created = mixed_json(bench.ask(id, mixed_call("1", tool, more)));
  EXPECT_NE(created.at("result.task"), nullptr) << created.raw;
  return created.text_at("result.task.taskId");
}
std::string mixed_about(std::string_view id, std::string_view method, std::string_view task) {
  return mixed_request(id, method, R"("taskId":")" + std::string(task) + '"');
}

// ---- Tasks -------------------------------------------------------------------------------------------------------

// poll() reports pending messages of a task: a status, a result that a request waits for, a cancellation of an input
// request.
TEST(Mixed, PollReportsPendingTaskMessages) {
  Bench bench(mixed);
  const SessionId id = open_mixed(bench);
  const std::string task = mixed_task(bench, id, "meta");
  EXPECT_EQ(bench.server.poll(0), 0U) << "its state";
  EXPECT_EQ(mixed_json(bench.next(id)).text_at("params.status"), "completed");
  EXPECT_EQ(bench.server.poll(0), 60'000U) << "its end";
  EXPECT_EQ(bench.ask(id, mixed_about("2", "tasks/result", task)), "");
  EXPECT_EQ(bench.server.poll(0), 0U) << "its result";
  EXPECT_NE(bench.next(id), "");
  EXPECT_EQ(bench.server.poll(0), 60'000U);

  const std::string asks = mixed_task(bench, id, "asks");
  EXPECT_NE(bench.next(id), "");
  EXPECT_EQ(bench.ask(id, mixed_about("3", "tasks/result", asks)), "");
  EXPECT_EQ(bench.server.poll(0), 0U) << "its question";
  EXPECT_EQ(mixed_json(bench.next(id)).text_at("method"), "elicitation/create");
  EXPECT_NE(mixed_json(bench.ask(id, mixed_about("4", "tasks/cancel", asks))).at("result"), nullptr);
  EXPECT_EQ(bench.server.poll(0), 0U) << "its question is not to be answered any more";
  bench.server.set_listening(id, false);
  EXPECT_EQ(bench.server.poll(0), 0U) << "the result that is waited for";
  bench.server.close(id, 0);
  EXPECT_FALSE(bench.anything_left());
}

// The cancellation of an input request belongs to the session, and goes out on its channel.
TEST(Mixed, CancelsATaskInputRequestOnTheSessionChannel) {
  Bench bench(mixed, {.tasks = 1});
  const SessionId id = open_mixed(bench);
  const std::string task = mixed_task(bench, id, "asks");
  EXPECT_NE(bench.next(id), "");
  EXPECT_EQ(mixed_tell(bench, id, 5, mixed_about("3", "tasks/result", task)), "");
  EXPECT_NE(mixed_next(bench, id, 5), "");
  EXPECT_NE(mixed_tell(bench, id, 6, mixed_about("4", "tasks/cancel", task)), "");
  EXPECT_EQ(mixed_json(mixed_next(bench, id, 5)).text_at("id"), "3") << "the result that is waited for";
  EXPECT_EQ(mixed_next(bench, id, 5), "");
  const Json another = mixed_json(mixed_tell(bench, id, 6, mixed_call("5", "meta", ",\"task\":{}")));
  EXPECT_EQ(another.text_at("error.code"), "-32603") << "the slot is not free before that is said";
  EXPECT_EQ(mixed_json(mixed_next(bench, id, mcp::session_channel)).text_at("method"), "notifications/cancelled");
}

// The only slot stays in use while messages of its task are pending.
TEST(Mixed, TaskKeepsItsSlotUntilItsMessagesAreSent) {
  for (const std::string_view tool : {"work", "asks"}) {
    Bench bench(mixed, {.tasks = 1});
    const SessionId id = open_mixed(bench);
    const std::string task = mixed_task(bench, id, tool);
    EXPECT_EQ(bench.next(id).empty(), tool == "work") << "its state";
    EXPECT_EQ(bench.ask(id, mixed_about("2", "tasks/result", task)), "");
    if (tool == "asks") {
      EXPECT_EQ(mixed_json(bench.next(id)).text_at("method"), "elicitation/create");
    }
    EXPECT_NE(mixed_json(bench.ask(id, mixed_about("3", "tasks/cancel", task))).at("result"), nullptr);
    const auto another = [&] { return mixed_json(bench.ask(id, mixed_call("4", "meta", ",\"task\":{}"))); };
    EXPECT_EQ(another().text_at("error.code"), "-32603");
    for (int i = 0; i < 4 && !bench.next(id).empty(); ++i) continue;
    EXPECT_NE(another().at("result.task"), nullptr);
    bench.server.close(id, 0);
    EXPECT_FALSE(bench.anything_left());
  }
}

// Of two tasks/result on their own channels, the older one gets an error, also if the newer one has the result, and if
// the task has expired.
TEST(Mixed, TaskKeepsItsSlotUntilAReplacedRequestHasItsError) {
  Bench bench(mixed, {.tasks = 1});
  const SessionId id = open_mixed(bench);
  const std::string task = mixed_task(bench, id, "meta");
  EXPECT_NE(bench.next(id), "") << "its state";
  EXPECT_EQ(mixed_tell(bench, id, 5, mixed_about("2", "tasks/result", task)), "");
  EXPECT_EQ(mixed_tell(bench, id, 6, mixed_about("3", "tasks/result", task)), "");
  EXPECT_EQ(bench.server.poll(0), 0U);
  EXPECT_EQ(mixed_json(mixed_next(bench, id, 6)).text_at("id"), "3");
  EXPECT_TRUE(bench.server.serves(id, 5));
  EXPECT_FALSE(bench.server.serves(id, 6));
  const Json another = mixed_json(mixed_tell(bench, id, 7, mixed_call("4", "meta", ",\"task\":{}")));
  EXPECT_EQ(another.text_at("error.code"), "-32603") << "the slot is not free";
  EXPECT_EQ(mixed_next(bench, id, 7, 60'000), "");
  EXPECT_EQ(bench.server.poll(60'000), 0U);
  const Json replaced = mixed_json(mixed_next(bench, id, 5, 60'000));
  EXPECT_EQ(replaced.text_at("id"), "2");
  EXPECT_EQ(replaced.text_at("error.code"), "-32600");
  EXPECT_FALSE(bench.server.serves(id, 5));
  EXPECT_EQ(mixed_next(bench, id, 5, 60'000), "");
  EXPECT_FALSE(bench.anything_left());
}

// A transport gives the channel to another request, which must not get the response.
TEST(Mixed, ForgetsATasksResultRequestWithItsChannel) {
  Bench bench(mixed);
  const SessionId id = open_mixed(bench);
  const std::string task = mixed_task(bench, id, "meta");
  EXPECT_NE(bench.next(id), "") << "its state";
  EXPECT_EQ(mixed_tell(bench, id, 5, mixed_about("2", "tasks/result", task)), "");
  EXPECT_EQ(mixed_tell(bench, id, 6, mixed_about("3", "tasks/result", task)), "");
  for (const mcp::Channel channel : {mcp::Channel{5}, mcp::Channel{6}}) {
    bench.server.cancel(id, channel, 0);
    EXPECT_FALSE(bench.server.serves(id, channel));
    EXPECT_EQ(mixed_next(bench, id, channel), "");
  }
}

// A request that is cancelled after another one replaced it gets no response.
TEST(Mixed, SendsNoErrorToACancelledReplacedRequest) {
  Bench bench(mixed);
  const SessionId id = open_mixed(bench);
  const std::string task = mixed_task(bench, id, "work");
  EXPECT_EQ(mixed_tell(bench, id, 5, mixed_about("2", "tasks/result", task)), "");
  EXPECT_EQ(mixed_tell(bench, id, 6, mixed_about("3", "tasks/result", task)), "");
  EXPECT_EQ(
      mixed_tell(bench, id, 7, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})"), "");
  EXPECT_FALSE(bench.server.serves(id, 5));
  EXPECT_TRUE(bench.server.serves(id, 6));
  EXPECT_EQ(mixed_next(bench, id, 5), "");
  bench.server.close(id, 0);
}

// A channel of one request that brings another one has lost the first: no error is sent for it there.
TEST(Mixed, RequestOnTheSameChannelReplacesTheLostOne) {
  Bench bench(mixed);
  const SessionId id = open_mixed(bench);
  const std::string task = mixed_task(bench, id, "work");
  for (const char* const number : {"2", "3", "4"}) {
    EXPECT_EQ(mixed_tell(bench, id, 5, mixed_about(number, "tasks/result", task)), "") << number;
    EXPECT_EQ(mixed_next(bench, id, 5), "") << number;
  }
  EXPECT_NE(mixed_tell(bench, id, 6, mixed_about("5", "tasks/cancel", task)), "");
  EXPECT_EQ(mixed_json(mixed_next(bench, id, 5)).text_at("id"), "4");
  bench.server.close(id, 0);
}

// If two input requests used one key, a response under it belongs to the one that the client got.
TEST(Mixed, AcceptsAnInputResponseUnderAKeyUsedTwice) {
  Bench bench(mixed, {.sessions = 2});
  const SessionId shared = bench.server.open_shared(0);
  const Json created =
      mixed_json(mixed_tell(bench, shared, 3, mixed_stateless("1", "tools/call", R"("name":"asks_else",)")));
  const std::string task = R"("taskId":")" + created.text_at("result.taskId") + "\",";
  bench.server.advance_tasks(0);
  const auto status = [&] {
    return mixed_json(mixed_tell(bench, shared, 4, mixed_stateless("3", "tasks/get", task))).text_at("result.status");
  };
  const auto update = [&](std::string_view response) {
    const std::string params = task + R"("inputResponses":{"answer":)" + std::string(response) + "},";
    EXPECT_NE(mixed_json(mixed_tell(bench, shared, 4, mixed_stateless("2", "tasks/update", params))).at("result"),
              nullptr);
  };
  EXPECT_EQ(status(), "input_required");
  update(R"({"action":"accept","content":{"word":"there"}})");
  EXPECT_EQ(status(), "completed");
  bench.server.close(shared, 0);
}

// The server reads the content of a form in a copy, or in place if the copy does not fit. Both check it against the
// form.
TEST(Mixed, ChecksFormsOfEverySizeAgainstTheirSchema) {
  const std::string longest = "\\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9";  // 8 characters, 16 bytes
  struct Case {
    std::string word;
    std::string_view outcome;
  };
  const Case cases[] = {{"y\\u0065s", "accepted"}, {longest, "accepted"}, {longest + "x", "none"}};
  for (const Case& c : cases) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1000}}) {
      SCOPED_TRACE(c.word + " " + std::to_string(size));
      Bench bench(mixed, {.tasks = 1, .task_result = 512});
      const SessionId id = open_mixed(bench);
      const std::string task = mixed_task(bench, id, "asks");
      EXPECT_NE(bench.next(id), "") << "its state";
      EXPECT_EQ(bench.ask(id, mixed_about("2", "tasks/result", task)), "");
      EXPECT_EQ(mixed_json(bench.next(id)).text_at("method"), "elicitation/create");
      EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","id":1000000001,"result":{"action":"accept","content":{"word":")" +
                                  c.word + R"(","more":")" + std::string(size, 'x') + "\"}}}"),
                "");
      std::string text;
      for (int i = 0; i < 4 && text.empty(); ++i) text = mixed_json(bench.next(id)).text_at("result.content.0.text");
      EXPECT_EQ(text, c.outcome);
    }
  }
}

// The time to live of a task is at most the limit of the device.
TEST(Mixed, LimitsTheTimeToLiveToTheMaximumOfTheDevice) {
  Bench bench(mixed);
  const SessionId id = open_mixed(bench);
  for (const auto& [asked, given] : {std::pair{"1", "1"},
                                     {"59999", "59999"},
                                     {"60000", "60000"},
                                     {"60001", "60000"},
                                     {"4294967297", "60000"},
                                     {"18446744073709551615", "60000"}}) {
    const Json created =
        mixed_json(bench.ask(id, mixed_call("1", "meta", R"(,"task":{"ttl":)" + std::string(asked) + "}")));
    EXPECT_EQ(created.text_at("result.task.ttl"), given);
    for (int i = 0; i < 4 && !bench.next(id).empty(); ++i) continue;
    EXPECT_NE(bench.ask(id, mixed_about("2", "tasks/cancel", created.text_at("result.task.taskId"))), "");
    const std::string task = created.text_at("result.task.taskId");
    EXPECT_EQ(bench.ask(id, mixed_about("3", "tasks/result", task)), "");
    EXPECT_NE(bench.next(id), "");
  }
}

// The _meta of a result and of its task are one member.
TEST(Mixed, MergesTheMetaOfAResultAndItsTask) {
  Bench bench(mixed);
  const SessionId id = open_mixed(bench);
  const std::string task = mixed_task(bench, id, "meta");
  EXPECT_NE(bench.next(id), "");
  EXPECT_EQ(bench.ask(id, mixed_about("2", "tasks/result", task)), "");
  EXPECT_EQ(bench.next(id),
            R"({"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"with meta"}],"_meta":)"
            R"({"com.example/bus":2,"io.modelcontextprotocol/related-task":{"taskId":")" +
                task + R"("}}}})");
}

// A stored result that does not fit into the transmit buffer is an error, for every size in which the error fits.
TEST(Mixed, SendsAnErrorIfATaskResultDoesNotFit) {
  std::size_t least = 0;  // in which it fits
  for (std::size_t transmit_buffer = 160; transmit_buffer < 260; ++transmit_buffer) {
    Bench bench(mixed);
    const SessionId id = open_mixed(bench);
    const std::string task = mixed_task(bench, id, "meta");
    EXPECT_NE(bench.next(id), "");
    EXPECT_EQ(bench.ask(id, mixed_about("2", "tasks/result", task)), "");
    const std::unique_ptr<char[]> bytes(new char[transmit_buffer]);
    const Reply reply = bench.server.transmit(id, {bytes.get(), transmit_buffer}, 0);
    const Json answer = mixed_json({bytes.get(), reply.size});
    EXPECT_EQ(answer.text_at("id"), "2");
    EXPECT_NE(answer.at("result") == nullptr, answer.at("error") == nullptr);
    if (answer.at("result") != nullptr && least == 0) least = transmit_buffer;
    if (least != 0) {
      EXPECT_EQ(reply.size, least) << transmit_buffer;
    }
  }
  EXPECT_GT(least, 160U);
}

// Progress of a task waits until a stream is open. Then the newest value is sent, if it fits.
TEST(Mixed, KeepsTaskProgressUntilAListenerConnects) {
  for (const std::size_t token_size : {10U, 380U}) {
    Bench bench(mixed, {.transmit_size = 440, .id = 400, .task_result = 300});
    const SessionId id = open_mixed(bench);
    const std::string token(token_size, 't');
    static_cast<void>(mixed_task(bench, id, "work", R"(,"task":{},"_meta":{"progressToken":")" + token + "\"}"));
    bench.server.advance_tasks(0);
    EXPECT_EQ(bench.server.poll(0), 0U);
    bench.server.set_listening(id, false);
    EXPECT_EQ(bench.server.poll(0), 100U) << "nobody hears of it";
    bench.server.set_listening(id, true);
    bench.server.advance_tasks(100);
    const std::string said = bench.next(id, 100);
    if (token_size == 10) {
      EXPECT_EQ(mixed_json(said).text_at("params.progress"), "2");
    } else {
      EXPECT_EQ(said, "");
    }
    bench.server.close(id, 100);
    EXPECT_FALSE(bench.anything_left());
  }
}

// A list of tasks has no rows that could be switched off.
TEST(Mixed, ListsTasksWithDisabledRows) {
  Bench bench(mixed);
  const SessionId id = open_mixed(bench);
  bench.server.set_enabled(mixed_tools[0], false);
  EXPECT_NE(bench.next(id), "");
  const std::string task = mixed_task(bench, id, "meta");
  const Json list = mixed_json(bench.ask(id, mixed_request("2", "tasks/list", "")));
  EXPECT_EQ(list.text_at("result.tasks.0.taskId"), task);
}

// ---- Without a session -------------------------------------------------------------------------------------------

// A server without random bytes sends no input request and makes no task.
TEST(Mixed, WithoutEntropyCreatesNoTaskAndNoInputRequest) {
  Bench bench(mixed, {.sessions = 2, .random = false});
  const SessionId shared = bench.server.open_shared(0);
  EXPECT_EQ(mixed_json(mixed_tell(bench, shared, 3, mixed_stateless("1", "tools/call", R"("name":"asks",)")))
                .text_at("error.code"),
            "-32603")
      << "it would be a task";
  Bench asking(test::mrtr, {.sessions = 2, .random = false});
  const SessionId other = asking.server.open_shared(0);
  EXPECT_EQ(mixed_tell(asking, other, 3, mixed_stateless("1", "tools/call", R"("name":"hold",)")), "");
  EXPECT_EQ(mixed_next(asking, other, 3), "") << "its question";
  EXPECT_EQ(mixed_json(mixed_next(asking, other, 3)).text_at("result.content.0.text"), "unsupported");
  EXPECT_EQ(asking.server.poll(0), mcp::forever);
}

// The transmit buffer is the work memory for input responses. A response that does not fit is rejected, and the task
// continues as if it had not come.
TEST(Mixed, RejectsTaskInputResponsesThatDoNotFit) {
  bool refused = false;
  bool taken = false;
  for (std::size_t transmit_buffer = 150; transmit_buffer < 700; transmit_buffer += 5) {
    Bench bench(test::tasks, {.sessions = 2});
    const SessionId shared = bench.server.open_shared(0);
    const Json created =
        mixed_json(mixed_tell(bench, shared, 3, mixed_stateless("1", "tools/call", R"("name":"both",)")));
    const std::string task = created.text_at("result.taskId");
    bench.server.advance_tasks(0);
    std::string update = mixed_stateless(
        "2", "tasks/update",
        R"("taskId":")" + task + R"(","inputResponses":{"a":{"action":"accept","content":{"word":"yes","more":")" +
            std::string(100, 'y') + R"("}}},)");
    const std::unique_ptr<char[]> bytes(new char[transmit_buffer]);
    const Reply reply = bench.server.receive(shared, update, {bytes.get(), transmit_buffer}, 0, 4);
    const Json answer = mixed_json({bytes.get(), reply.size});
    (answer.at("error") != nullptr ? refused : taken) = true;
    EXPECT_FALSE(answer.at("error") != nullptr && taken) << "a larger window is too small: " << transmit_buffer;
    const Json state =
        mixed_json(mixed_tell(bench, shared, 4, mixed_stateless("3", "tasks/get", R"("taskId":")" + task + "\",")));
    EXPECT_EQ(state.text_at("result.status"), "input_required") << transmit_buffer;
    EXPECT_EQ(state.at("result.inputRequests.a") == nullptr, taken);
    bench.server.close(shared, 0);
    EXPECT_FALSE(bench.anything_left());
  }
  EXPECT_TRUE(refused && taken);
}

// The error for a request that was replaced waits for the body that has been begun on its channel, and poll() knows it.
TEST(Mixed, ErrorOfAReplacedRequestFollowsAPausedBody) {
  Bench bench(mixed, {.transmit_size = 500});
  const SessionId id = open_mixed(bench);
  const std::string task = mixed_task(bench, id, "meta");
  EXPECT_NE(bench.next(id), "") << "its state";
  mixed_there = 100;
  EXPECT_EQ(mixed_tell(bench, id, 5, mixed_stateless("4", "resources/read", R"("uri":"test://body",)")), "");
  EXPECT_NE(mixed_next(bench, id, 5), "");
  ASSERT_TRUE(bench.is_unfinished());
  EXPECT_EQ(mixed_tell(bench, id, 5, mixed_about("2", "tasks/result", task)), "");
  EXPECT_EQ(mixed_tell(bench, id, 6, mixed_about("3", "tasks/result", task)), "");
  EXPECT_EQ(mixed_json(mixed_next(bench, id, 6)).text_at("id"), "3");
  EXPECT_EQ(bench.server.poll(0), 100U);
  mixed_there = 200;
  while (bench.is_unfinished()) EXPECT_NE(mixed_next(bench, id, 5, 100), "");
  EXPECT_EQ(bench.server.poll(100), 0U);
  EXPECT_EQ(mixed_json(mixed_next(bench, id, 5, 100)).text_at("id"), "2");
  EXPECT_EQ(bench.server.poll(100), 59'900U);
  bench.server.close(id, 100);
}

// A started message on a wire delays all others, and poll() knows it.
TEST(Mixed, TaskMessagesFollowAPausedBody) {
  Bench bench(mixed, {.transmit_size = 500});
  const SessionId id = open_mixed(bench);
  mixed_there = 100;
  EXPECT_EQ(bench.ask(id, mixed_stateless("1", "resources/read", R"("uri":"test://body",)")), "");
  EXPECT_NE(mixed_next(bench, id, mcp::only_channel), "");
  ASSERT_TRUE(bench.is_unfinished());
  static_cast<void>(bench.ask(id, mixed_stateless("2", "tools/call", R"("name":"work",)")));
  static_cast<void>(bench.ask(id, mixed_call("4", "meta", ",\"task\":{}")));
  EXPECT_EQ(bench.ask(id, mixed_request("3", "resources/read", R"("uri":"test://body")")), "");
  EXPECT_EQ(mixed_next(bench, id, mcp::only_channel), "") << "neither the other body nor anything else";
  EXPECT_EQ(bench.server.poll(0), 100U);
  mixed_there = 200;
  EXPECT_NE(mixed_next(bench, id, mcp::only_channel, 100), "");
  bench.server.close(id, 100);
  EXPECT_FALSE(bench.anything_left());
}

// Each request has its channel: a started message on one delays no other, a cancelled one ends no other, and a
// notification without a session cancels nothing.
TEST(Mixed, BodiesOnSeparateChannelsAreIndependent) {
  Bench bench(mixed, {.sessions = 2});
  const SessionId shared = bench.server.open_shared(0);
  mixed_there = 100;
  const auto read = [](std::string_view id) {
    return mixed_stateless(id, "resources/read", R"("uri":"test://body",)");
  };
  EXPECT_EQ(mixed_tell(bench, shared, 3, read("1")), "");
  EXPECT_EQ(mixed_tell(bench, shared, 4, read("2")), "");
  EXPECT_EQ(
      mixed_tell(bench, shared, 3, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"),
      "");
  EXPECT_TRUE(bench.server.serves(shared, 3) && bench.server.serves(shared, 4));
  EXPECT_FALSE(bench.server.serves(shared, 5));
  EXPECT_NE(mixed_next(bench, shared, 3), "");
  ASSERT_TRUE(bench.is_unfinished());
  EXPECT_NE(mixed_next(bench, shared, 4), "") << "its own message is begun";
  bench.server.cancel(shared, 3, 0);
  EXPECT_FALSE(bench.server.serves(shared, 3));
  EXPECT_TRUE(bench.server.serves(shared, 4));
  mixed_there = 200;
  std::string rest;
  for (int i = 0; i < 10 && bench.server.serves(shared, 4); ++i) rest += mixed_next(bench, shared, 4, 100);
  EXPECT_TRUE(rest.ends_with("}")) << rest;
  bench.server.close(shared, 100);
  EXPECT_FALSE(bench.anything_left());
}

// One that has taken the slot of another before the one that is begun waits as well.
TEST(Mixed, CompletesAStartedBodyBeforeOthers) {
  Bench bench(mixed, {.transmit_size = 600});
  const SessionId id = open_mixed(bench);
  const auto read = [](std::string_view its_id) {
    return mixed_request(its_id, "resources/read", R"("uri":"test://body")");
  };
  EXPECT_EQ(bench.ask(id, read("1")), "");
  EXPECT_EQ(bench.ask(id, read("2")), "");
  EXPECT_EQ(mixed_json(bench.next(id)).text_at("id"), "1");
  mixed_there = 100;
  std::string second = bench.next(id);
  EXPECT_NE(second.find(R"("id":2)"), std::string::npos);
  ASSERT_TRUE(bench.is_unfinished());
  EXPECT_EQ(bench.ask(id, read("3")), "");
  EXPECT_EQ(bench.next(id), "");
  mixed_there = 200;
  second += bench.next(id, 100);
  EXPECT_EQ(mixed_json(second).text_at("id"), "2");
  EXPECT_EQ(mixed_json(bench.next(id, 100)).text_at("id"), "3");
  EXPECT_FALSE(bench.anything_left());
}

// Lists of existing tables can change. poll() reports a change.
TEST(Mixed, AcknowledgesOnlyListsThatExist) {
  Bench bench(mixed_tools_alone);
  const SessionId id = bench.server.open(0);
  EXPECT_EQ(bench.ask(id, mixed_stateless("1", "subscriptions/listen",
                                          R"("notifications":{"toolsListChanged":true,"resourcesListChanged":true,)"
                                          R"("promptsListChanged":true},)")),
            "");
  const Json told = mixed_json(bench.next(id));
  EXPECT_EQ(told.at("params.notifications")->raw, R"({"toolsListChanged":true})");
  EXPECT_EQ(bench.server.poll(0), mcp::forever);
  bench.server.set_enabled(mixed_tools[0], false);
  EXPECT_EQ(bench.server.poll(0), 0U);
  EXPECT_EQ(mixed_json(bench.next(id)).text_at("method"), "notifications/tools/list_changed");
  EXPECT_EQ(bench.server.poll(0), mcp::forever);
  bench.server.end_subscriptions();
  bench.server.set_enabled(mixed_tools[0], true);
  EXPECT_EQ(mixed_json(bench.next(id)).text_at("id"), "1") << "which have ended";
  EXPECT_EQ(bench.next(id), "");
  EXPECT_FALSE(bench.anything_left());
}

TEST(Mixed, TemplatesChangeTheListOfResources) {
  Bench bench(mixed_templates_alone);
  const SessionId id = bench.server.open(0);
  EXPECT_EQ(bench.ask(id, mixed_stateless("1", "subscriptions/listen",
                                          R"("notifications":{"toolsListChanged":true,"resourcesListChanged":true},)")),
            "");
  EXPECT_EQ(mixed_json(bench.next(id)).at("params.notifications")->raw, R"({"resourcesListChanged":true})");
  bench.server.set_enabled(mixed_templates[0], false);
  EXPECT_EQ(mixed_json(bench.next(id)).text_at("method"), "notifications/resources/list_changed");
}

// The rejection of a version, for every transmit size in which an error fits.
TEST(Mixed, RejectsAVersionWithEveryTransmitSize) {
  std::string message = mixed_stateless("1", "tools/list", "");
  message.replace(message.find("2026-07-28"), 10, "2099-01-01");
  for (std::size_t transmit_buffer = 160; transmit_buffer < 400; ++transmit_buffer) {
    Bench bench(mixed, {.transmit_size = transmit_buffer});
    const Json answer = mixed_json(bench.ask(bench.server.open(0), message));
    EXPECT_EQ(answer.text_at("id"), "1");
    EXPECT_NE(answer.at("error.code"), nullptr) << answer.raw;
    if (transmit_buffer >= 300) {
      EXPECT_EQ(answer.text_at("error.code"), "-32022") << transmit_buffer;
    }
  }
}

// ---- Which session a message is of -------------------------------------------------------------------------------

// As a transport calls it that has no session yet.
TEST(Mixed, FirstMessageStartsASessionOrGetsAnError) {
  const auto first = [](Bench& bench, SessionId& session, std::string message) {
    const Reply reply = bench.server.receive_first(session, message, bench.server.transmit_buffer(), 0, 1, nullptr);
    return mixed_json({bench.server.transmit_buffer().data(), reply.size});
  };
  Bench modern(mixed_modern, {.sessions = 2});
  SessionId session = modern.server.open_shared(0);
  EXPECT_NE(first(modern, session, std::string(mixed_initialize)).at("error"), nullptr);
  EXPECT_EQ(modern.open_sessions(), 0U);

  Bench both(mixed, {.sessions = 2});
  const SessionId shared = both.server.open_shared(0);
  session = shared;
  std::string claimed(mixed_initialize);
  claimed.insert(claimed.size() - 2, R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                     R"("io.modelcontextprotocol/clientCapabilities":{}})");
  EXPECT_EQ(first(both, session, claimed).text_at("error.code"), "-32601") << "initialize is no method there";
  EXPECT_EQ(both.open_sessions(), 0U);
  session = shared;
  EXPECT_NE(first(both, session, std::string(mixed_initialize)).at("result"), nullptr);
  EXPECT_EQ(both.open_sessions(), 1U);
  EXPECT_NE(session, shared);
  // The request names no client, so it gets the error that a session is required.
  std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  EXPECT_EQ(both.server.receive(shared, ping, both.server.transmit_buffer(), 0, 1).status, Reply::Status::no_session);

  Bench none(mixed);
  for (const auto& [message, says] : {std::pair<std::string, std::string>{"{\"jsonrpc\":\"2.0\"}", "Invalid request"},
                                      {R"({"jsonrpc":"2.0","id":1,"method":"ping"})", "initialize first"},
                                      {R"({"jsonrpc":"2.0","id":1,"result":{}})", "initialize first"}}) {
    session = {};
    EXPECT_NE(first(none, session, message).text_at("error.message"), "");
    EXPECT_EQ(session, SessionId{});
  }
}

// ---- Tools -------------------------------------------------------------------------------------------------------

// A tool error that does not fit becomes an error of the call.
TEST(Mixed, SendsAnErrorIfATextOfAFailureDoesNotFit) {
  Bench bench(mixed, {.transmit_size = 600});
  const SessionId id = open_mixed(bench);
  const Json answer = mixed_json(bench.ask(id, mixed_call("1", "fails")));
  EXPECT_EQ(answer.at("result.content"), nullptr);
  EXPECT_EQ(answer.text_at("error.code"), "-32603");
  for (std::size_t transmit_buffer = 160; transmit_buffer < 220; ++transmit_buffer) {
    std::string message = mixed_call("1", "meta");
    const std::unique_ptr<char[]> bytes(new char[transmit_buffer]);
    const Reply reply = bench.server.receive(id, message, {bytes.get(), transmit_buffer}, 0);
    EXPECT_NE(mixed_json({bytes.get(), reply.size}).at(transmit_buffer < 103 ? "error" : "result"), nullptr)
        << transmit_buffer;
  }
  std::string message = mixed_call("1", "meta");
  const std::unique_ptr<char[]> bytes(new char[90]);
  const Reply reply = bench.server.receive(id, message, {bytes.get(), 90}, 0);
  EXPECT_NE(mixed_json({bytes.get(), reply.size}).at("error"), nullptr);
}

// URLs that do not fit into the result are an error.
TEST(Mixed, SendsAnErrorIfUrlsDoNotFit) {
  Bench bench(test::input_requests);
  const SessionId id = bench.server.open(0);
  const std::string call = mixed_stateless("1", "tools/call", R"("name":"needs_urls",)");
  const std::size_t whole = bench.ask(id, call).size();
  for (std::size_t transmit_buffer = 120; transmit_buffer <= whole; ++transmit_buffer) {
    std::string message = call;
    const std::unique_ptr<char[]> bytes(new char[transmit_buffer]);
    const Reply reply = bench.server.receive(id, message, {bytes.get(), transmit_buffer}, 0);
    const Json answer = mixed_json({bytes.get(), reply.size});
    EXPECT_EQ(answer.text_at("error.code"), transmit_buffer == whole ? "" : "-32603") << transmit_buffer;
    EXPECT_EQ(answer.at("result.inputRequests.url1") != nullptr, transmit_buffer == whole) << transmit_buffer;
  }
}

// An id that is running is in use for every request, also on a device without jobs.
TEST(Mixed, RejectsACallUnderTheIdOfABodyInProgress) {
  for (const std::size_t jobs : {0U, 2U}) {
    Bench bench(mixed, {.jobs = jobs});
    const SessionId id = open_mixed(bench);
    EXPECT_EQ(bench.ask(id, mixed_request("7", "resources/read", R"("uri":"test://body")")), "");
    EXPECT_EQ(mixed_json(bench.ask(id, mixed_call("7", "meta"))).text_at("error.code"), "-32600") << jobs;
    EXPECT_NE(mixed_json(bench.ask(id, mixed_call("8", "meta"))).at("result"), nullptr) << jobs;
    bench.server.close(id, 0);
  }
}

// Where nothing runs, each call is served, whatever its id.
TEST(Mixed, ServesCallsWithoutJobsAndStreams) {
  Bench bench(mixed, {.jobs = 0, .streams = 0});
  const SessionId id = open_mixed(bench);
  for (int i = 0; i < 2; ++i) EXPECT_NE(mixed_json(bench.ask(id, mixed_call("7", "meta"))).at("result"), nullptr);
  bench.server.close(id, 0);
}

// A bound on one side is said alone. For a number beyond the range of its type, the error has both.
TEST(Mixed, NamesAOneSidedBoundInTheError) {
  Bench bench(mixed);
  const SessionId id = open_mixed(bench);
  const auto said = [&](std::string_view arguments) {
    return mixed_json(bench.ask(id, mixed_call("1", "bounds", R"(,"arguments":)" + std::string(arguments))))
        .text_at("result.content.0.text");
  };
  EXPECT_EQ(said(R"({"most":5,"least":1.5,"text":"ab"})"), "in bounds");
  EXPECT_EQ(said(R"({"least":"x"})"), "Argument \"least\" must be a number of at most 1.5.");
  EXPECT_EQ(said(R"({"most":"x"})"), "Argument \"most\" must be an integer of at most 5.");
  EXPECT_EQ(said(R"({"most":-3000000000})"), "Argument \"most\" must be an integer from -2147483648 to 5.");
  EXPECT_EQ(said(R"({"from":"x"})"), "Argument \"from\" must be a number of at least 0.5.");
  EXPECT_EQ(said(R"({"text":"a"})"), "Argument \"text\" must be a string of at least 2 characters.");
}

// ---- Contracts ---------------------------------------------------------------------------------------------------

TEST(MixedDeathTest, AbortsForInvalidInputRequests) {
  Bench bench(mixed, {.sessions = 2});
  const SessionId shared = bench.server.open_shared(0);
  EXPECT_EQ(mixed_tell(bench, shared, 3, mixed_stateless("1", "tools/call", R"("name":"asks_too_much",)")), "");
  EXPECT_DEATH(mixed_next(bench, shared, 3), "contract");
  Bench other(mixed);
  const SessionId id = open_mixed(other);
  EXPECT_EQ(other.ask(id, mixed_call("1", "opens_nothing")), "");
  EXPECT_DEATH(other.next(id), "contract");
}

// The transmit buffer of a notification must be the checked one, or as large.
TEST(MixedDeathTest, AbortsIfTheTransmitBufferShrinks) {
  test::reset_device();
  Bench bench(*test::find_definition("full"));
  const SessionId id = bench.server.open(0);
  EXPECT_NE(bench.ask(id, mixed_initialize), "");
  EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "");
  EXPECT_NE(bench.ask(id, mixed_request("1", "resources/subscribe", R"("uri":"test://counter")")), "");
  bench.server.resource_updated(*test::find_resource("test://counter"));
  EXPECT_DEATH(bench.server.transmit(id, bench.server.transmit_buffer().first(40), 0), "contract");
  Bench listens(mixed_tools_alone);
  const SessionId listener = listens.server.open(0);
  EXPECT_EQ(listens.ask(listener, mixed_stateless("1", "subscriptions/listen", R"("notifications":{},)")), "");
  EXPECT_DEATH(listens.server.transmit(listener, listens.server.transmit_buffer().first(40), 0), "contract");
}

}  // namespace
