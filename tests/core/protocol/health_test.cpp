// SPDX-License-Identifier: Apache-2.0
// Server::health(): each counter grows with what it counts, and with nothing else.
#include "mcp/health.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>

#include "mcp/coroutine.hpp"
#include "mcp/rpc/id_finder.hpp"
#include "support/bench.hpp"
#include "support/every_pool.hpp"

namespace {

using mcp::Health;
using mcp::SessionId;
using test::Bench;

struct Wait {
  mcp::Step step(mcp::JobContext& context) {
    return context.stop_requested() ? context.done() : context.sleep(1'000'000);
  }
};

const mcp::Definition& every() { return test::EveryPool<Wait>::definition; }

SessionId open_ready(Bench& bench) {
  const SessionId id = bench.server.open(0);
  bench.ask(
      id,
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
  bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  return id;
}

std::string request(int id, std::string_view method, std::string_view params) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + std::string(method) + R"(","params":)" +
         std::string(params) + "}";
}

/// The counters grew by exactly `grown`. largest_frame is compared as it is.
void expect_growth(const Health& before, const Health& after, const Health& grown) {
  EXPECT_EQ(after.largest_frame, grown.largest_frame);
  EXPECT_EQ(after.frames_too_large - before.frames_too_large, grown.frames_too_large);
  EXPECT_EQ(after.frames_full - before.frames_full, grown.frames_full);
  EXPECT_EQ(after.sessions_full - before.sessions_full, grown.sessions_full);
  EXPECT_EQ(after.jobs_full - before.jobs_full, grown.jobs_full);
  EXPECT_EQ(after.tasks_full - before.tasks_full, grown.tasks_full);
  EXPECT_EQ(after.streams_full - before.streams_full, grown.streams_full);
  EXPECT_EQ(after.subscriptions_full - before.subscriptions_full, grown.subscriptions_full);
  EXPECT_EQ(after.elicitations_full - before.elicitations_full, grown.elicitations_full);
  EXPECT_EQ(after.logs_lost - before.logs_lost, grown.logs_lost);
  EXPECT_EQ(after.messages_too_long - before.messages_too_long, grown.messages_too_long);
  EXPECT_EQ(after.found_rows_omitted - before.found_rows_omitted, grown.found_rows_omitted);
  EXPECT_EQ(after.mailbox_logs_lost - before.mailbox_logs_lost, grown.mailbox_logs_lost);
  EXPECT_EQ(after.stale_answers - before.stale_answers, grown.stale_answers);
}

static_assert(sizeof(Health) == 32);  // Server::health() says so

TEST(HealthTest, HasTheResetReason) {
  Bench bench(every(), {});
  EXPECT_EQ(bench.server.health().reset_reason, mcp::ResetReason::other);
  bench.server.set_reset_reason(mcp::ResetReason::watchdog);
  EXPECT_EQ(bench.server.health().reset_reason, mcp::ResetReason::watchdog);
  expect_growth({}, bench.server.health(), {});
}

TEST(HealthTest, CountsRequestsThatFindNoSlot) {
  struct Case {
    const char* name;
    std::string message;
    Health grown;
  };
  const std::string listen =
      R"({"notifications":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}})";
  const Case cases[] = {
      {"job", request(1, "tools/call", R"({"name":"work"})"), {.jobs_full = 1}},
      {"task", request(1, "tools/call", R"({"name":"work","task":{}})"), {.tasks_full = 1}},
      {"stream", request(1, "resources/read", R"({"uri":"x:a"})"), {.streams_full = 1}},
      {"subscription", request(1, "subscriptions/listen", listen), {.subscriptions_full = 1}},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    Bench bench(every(), {.jobs = 1, .streams = 1, .subscriptions = 1, .tasks = 1, .reserved_for_others = 0});
    const SessionId id = open_ready(bench);
    bench.ask(id, test.message);
    expect_growth({}, bench.server.health(), {});
    std::string again = test.message;
    again.replace(again.find("\"id\":1"), 6, "\"id\":2");
    EXPECT_NE(bench.ask(id, again).find("in use"), std::string::npos);
    expect_growth({}, bench.server.health(), test.grown);
  }
}

TEST(HealthTest, CountsClientsWithoutASession) {
  Bench bench(every(), {.sessions = 1});
  const SessionId id = open_ready(bench);
  bench.ask(id, request(1, "tools/call", R"({"name":"work"})"));  // its session stays
  EXPECT_EQ(bench.server.open(0), SessionId{});
  expect_growth({}, bench.server.health(), {.sessions_full = 1});
  SessionId none;
  std::string initialize = request(
      0, "initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}})");
  const mcp::Reply reply = bench.server.receive_first(none, initialize, bench.server.transmit_buffer(), 0);
  EXPECT_EQ(reply.error, mcp::Reply::Error::slot);
  expect_growth({}, bench.server.health(), {.sessions_full = 2});
}

TEST(HealthTest, CountsElicitationsMessagesAndAnswers) {
  Bench bench(every());
  const SessionId id = open_ready(bench);
  EXPECT_TRUE(bench.server.elicitation_completed(id, "a"));
  EXPECT_FALSE(bench.server.elicitation_completed(id, std::string(37, 'a')));  // too long an id uses no slot
  expect_growth({}, bench.server.health(), {});
  EXPECT_FALSE(bench.server.elicitation_completed(id, "b"));
  expect_growth({}, bench.server.health(), {.elicitations_full = 1});
  mcp::rpc::IdFinder message;
  static_cast<void>(bench.server.receive_oversized(id, message, bench.server.transmit_buffer(), 0));
  bench.ask(id, R"({"jsonrpc":"2.0","id":1000000009,"result":{}})");
  const Health health = bench.server.health();
  expect_growth({}, health,
                {.elicitations_full = 1, .messages_too_long = 1, .stale_answers = bench.server.stale_answers()});
}

TEST(HealthTest, CountsEachMessageThatAClientDidNotGet) {
  Bench bench(every(), {.log = 64});
  const std::string text(40, 'x');
  bench.server.log(mcp::LogLevel::info, "", text);
  bench.server.log(mcp::LogLevel::info, "", text);  // no client wants it
  expect_growth({}, bench.server.health(), {});
  const SessionId id = open_ready(bench);
  bench.ask(id, request(1, "logging/setLevel", R"({"level":"info"})"));
  for (int i = 0; i != 3; ++i) bench.server.log(mcp::LogLevel::info, "", text);
  expect_growth({}, bench.server.health(), {.logs_lost = 2});
  EXPECT_NE(bench.next(id).find("2 messages were lost."), std::string::npos);
  EXPECT_NE(bench.next(id).find(text), std::string::npos);
  // A message that is too long after escaping is lost, too.
  Bench narrow(every(), {.transmit_size = 600, .log = 400});
  const SessionId other = open_ready(narrow);
  narrow.ask(other, request(1, "logging/setLevel", R"({"level":"info"})"));
  narrow.server.log(mcp::LogLevel::info, "", std::string(300, '\x01'));
  EXPECT_NE(narrow.next(other).find("1 messages were lost."), std::string::npos);
  expect_growth({}, narrow.server.health(), {.logs_lost = 1});
}

// ---- Frames -------------------------------------------------------------------------------------------------------

constinit mcp::FramePool<1, 1> small;
constinit mcp::FramePool<1, 2048> large;

mcp::Coroutine waits(mcp::CoroutineContext& context) {
  char kept[64];
  std::memset(kept, 'k', sizeof kept);
  co_await context.sleep(1'000'000);
  co_return context.result().text(std::string_view(kept, sizeof kept));
}
constexpr mcp::Tool frame_tools[] = {mcp::coroutine<waits, small>({.name = "small"}),
                                     mcp::coroutine<waits, large>({.name = "large"})};
constexpr mcp::Definition frames{.name = "frames", .version = "1", .tools = frame_tools};

TEST(HealthTest, CountsFramesThatDoNotFit) {
  Bench bench(frames, {.jobs = 4, .reserved_for_others = 0});
  const SessionId id = open_ready(bench);
  for (const std::uint16_t calls : {std::uint16_t{1}, std::uint16_t{2}}) {
    bench.ask(id, request(1, "tools/call", R"({"name":"small"})"));
    EXPECT_NE(bench.next(id).find("This call needs a frame of "), std::string::npos);
    // The size differs between compilers; the number is that of the pool.
    EXPECT_GT(small.largest_wanted(), 64U);
    expect_growth({}, bench.server.health(),
                  {.largest_frame = static_cast<std::uint32_t>(small.largest_wanted()), .frames_too_large = calls});
  }
  const Health before = bench.server.health();
  bench.ask(id, request(1, "tools/call", R"({"name":"large"})"));
  EXPECT_EQ(bench.next(id), "");
  expect_growth(before, bench.server.health(), {.largest_frame = before.largest_frame});
  bench.ask(id, request(2, "tools/call", R"({"name":"large"})"));
  EXPECT_NE(bench.next(id).find("All 1 frames are in use"), std::string::npos);
  expect_growth(before, bench.server.health(), {.largest_frame = before.largest_frame, .frames_full = 1});
  bench.server.close(id, 0);
}

TEST(HealthTest, CountersStayAtTheirLargestValue) {
  std::uint16_t counter = 0xFFFE;
  mcp::detail::count(counter);
  EXPECT_EQ(counter, 0xFFFFU);
  mcp::detail::count(counter);
  EXPECT_EQ(counter, 0xFFFFU);
}

}  // namespace
