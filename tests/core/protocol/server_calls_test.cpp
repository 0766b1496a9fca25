// SPDX-License-Identifier: Apache-2.0
// The server with tasks, input requests and rates of several clients.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "server_test.hpp"
#include "support/json.hpp"

namespace {

using mcp::Millis;
using mcp::SessionId;
using test::Bench;
using test::ServerTest;
using test::call;
using test::open_asked;
using test::ping;
using test::pong;

// ---- Tasks -------------------------------------------------------------------------------------------------------

class SetWallClock : public mcp::WallClock {
 public:
  std::uint64_t shown = 1'772'323'199'999;  // 2026-02-28T23:59:59.999Z

 private:
  std::uint64_t do_utc_ms() override { return shown; }
};

// A clock that is set while a task runs moves neither of its dates.
TEST_F(ServerTest, TaskDatesStayWhenTheClockIsSet) {
  SetWallClock clock;
  Bench bench(test::input_requests, {.wall_clock = &clock});
  const SessionId id = open_ready(bench, 5000);
  const auto expect_dates = [](const std::string& message, const std::string& updated) {
    const std::string dates = R"("createdAt":"2026-02-28T23:59:59.999Z","lastUpdatedAt":")" + updated + '"';
    EXPECT_NE(message.find(dates), std::string::npos) << message;
  };
  expect_dates(bench.ask(id,
                         R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow",)"
                         R"("arguments":{"how":"x"},"task":{}}})",
                         5000),
               "2026-02-28T23:59:59.999Z");
  EXPECT_EQ(bench.next(id, 5000), "");
  clock.shown -= 3'600'000;
  expect_dates(bench.ask(id, R"({"jsonrpc":"2.0","id":2,"method":"tasks/list"})", 5050), "2026-02-28T23:59:59.999Z");
  expect_dates(bench.next(id, 5100), "2026-03-01T00:00:00.099Z");
  bench.server.close(id, 5200);
}

TEST_F(ServerTest, HidesTasksOfOtherSessions) {
  Bench bench(test::input_requests, {.sessions = 2});
  const SessionId a = open_asked(bench);
  const SessionId b = open_asked(bench);
  const auto created = test::parse_json(bench.ask(a, call("1", "slow", R"(,"arguments":{"how":"x"},"task":{})")));
  const std::string id = created->text_at("result.task.taskId");
  EXPECT_EQ(id.size(), 32U);
  for (const char* const method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
    const std::string request =
        std::string(R"({"jsonrpc":"2.0","id":2,"method":")") + method + R"(","params":{"taskId":")" + id + "\"}}";
    EXPECT_EQ(test::parse_json(bench.ask(b, request))->text_at("error.code"), "-32602") << method;
  }
  EXPECT_EQ(bench.ask(b, R"({"jsonrpc":"2.0","id":3,"method":"tasks/list"})"),
            R"({"jsonrpc":"2.0","id":3,"result":{"tasks":[]}})");
  EXPECT_EQ(bench.next(b, 1000), "");
  bench.server.close(a, 1000);
  EXPECT_EQ(bench.next(b, 1000), "");
  bench.server.close(b, 1000);
  EXPECT_FALSE(bench.anything_left());
}

TEST_F(ServerTest, WithoutEntropyCreatesNoTask) {
  Bench bench(test::input_requests);
  const SessionId id = open_asked(bench);
  bench.entropy.fails = true;
  const auto answer = test::parse_json(bench.ask(id, call("1", "quick", R"(,"task":{})")));
  EXPECT_EQ(answer->text_at("error.code"), "-32603");
  bench.entropy.fails = false;
  EXPECT_NE(test::parse_json(bench.ask(id, call("2", "quick", R"(,"task":{})")))->at("result.task"), nullptr);
}

// ---- Input requests ----------------------------------------------------------------------------------------------

TEST_F(ServerTest, AcceptsAResponseOnlyInTheSessionOfItsRequest) {
  Bench bench(test::input_requests, {.sessions = 2});
  const SessionId a = open_asked(bench);
  const SessionId b = open_asked(bench);
  EXPECT_EQ(bench.ask(a, call("7", "hand")), "");
  EXPECT_EQ(test::parse_json(bench.next(a))->text_at("method"), "elicitation/create");
  constexpr std::string_view answer = R"({"jsonrpc":"2.0","id":1000000001,"result":{"action":"decline"}})";
  EXPECT_EQ(bench.ask(b, answer), "");
  EXPECT_EQ(bench.server.stale_answers(), 1U);
  EXPECT_EQ(test::parse_json(bench.ask(a, answer))->text_at("id"), "7");
  EXPECT_EQ(bench.server.stale_answers(), 1U);
  EXPECT_EQ(bench.ask(a, answer), "");
  EXPECT_EQ(bench.server.stale_answers(), 2U);
}

TEST_F(ServerTest, CompletedElicitationsUseTheirSlots) {
  Bench bench(test::input_requests, {.sessions = 2, .elicitations = 1});
  const SessionId a = open_asked(bench);
  const SessionId b = open_asked(bench);
  EXPECT_TRUE(bench.server.elicitation_completed(a, "one"));
  EXPECT_FALSE(bench.server.elicitation_completed(b, "two"));
  EXPECT_EQ(bench.next(b), "");
  EXPECT_EQ(test::parse_json(bench.next(a))->text_at("params.elicitationId"), "one");
  EXPECT_TRUE(bench.server.elicitation_completed(b, "two"));
  bench.server.close(b, 0);
  EXPECT_FALSE(bench.server.elicitation_completed(b, "three"));
  EXPECT_TRUE(bench.server.elicitation_completed(a, "four"));
}

// The notification is for the session, and a channel that ends is of one request.
TEST_F(ServerTest, KeepsACompletedElicitationWhenAChannelEnds) {
  Bench bench(test::input_requests);
  const SessionId id = open_asked(bench);
  EXPECT_TRUE(bench.server.elicitation_completed(id, "one"));
  bench.server.cancel(id, 3, 0);
  EXPECT_EQ(test::parse_json(bench.next(id)).value_or(test::Json{}).text_at("params.elicitationId"), "one");
}

// The ids of ends of elicitations may be empty, as an application likes.
TEST_F(ServerTest, AcceptsAnEmptyElicitationId) {
  Bench bench(test::input_requests);
  const SessionId id = open_asked(bench);
  EXPECT_TRUE(bench.server.elicitation_completed(id, ""));
  EXPECT_EQ(test::parse_json(bench.next(id))->text_at("params.elicitationId"), "");
}

// ---- Rates -------------------------------------------------------------------------------------------------------

TEST_F(ServerTest, RejectsCallsBeyondTheRateLimit) {
  Bench bench(test::input_requests, {.sessions = 2, .call_burst = 2, .call_interval_ms = 100});
  const SessionId id = open_asked(bench, 1000);
  const auto fails = [&](Millis now) {
    const auto answer = test::parse_json(bench.ask(id, call("1", "quick"), now));
    if (answer->text_at("result.isError") != "true") return std::string();
    const std::string text = answer->at("result.content")->items[0].text_at("text");
    const test::Json* const retry = answer->at("result._meta")->find("mote/retryAfterMs");
    EXPECT_NE(text.find(" in " + (retry != nullptr ? retry->raw : "?") + " ms"), std::string::npos) << answer->raw;
    return text;
  };
  EXPECT_EQ(fails(1000), "");
  EXPECT_EQ(fails(1000), "");
  EXPECT_EQ(fails(1000), "Too many calls: try again in 100 ms.");
  EXPECT_EQ(fails(1099), "Too many calls: try again in 1 ms.");
  EXPECT_EQ(fails(1100), "");
  EXPECT_EQ(fails(1150), "Too many calls: try again in 50 ms.");
  // Rejected calls do not count, and the bucket holds at most the burst.
  EXPECT_EQ(fails(9000), "");
  EXPECT_EQ(fails(9000), "");
  EXPECT_NE(fails(9000), "");
  // As a task it is one that failed; other methods are served. A further session of the same owner has no more calls.
  const auto task = test::parse_json(bench.ask(id, call("2", "quick", R"(,"task":{})"), 9000));
  EXPECT_EQ(task->text_at("result.task.status"), "working");
  EXPECT_EQ(test::parse_json(bench.next(id, 9000))->text_at("params.status"), "failed");
  EXPECT_EQ(bench.ask(id, ping, 9000), pong);
  const SessionId other = open_asked(bench, 9000);
  EXPECT_EQ(test::parse_json(bench.ask(other, call("1", "quick"), 9000))->text_at("result.isError"), "true");
}

TEST_F(ServerTest, CompletionsCountForTheRateLimit) {
  Bench bench(test::features, {.call_burst = 1, .call_interval_ms = 100});
  const SessionId id = open_ready(bench);
  constexpr std::string_view request =
      R"({"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"look"},"argument":{"name":"what","value":"r"}}})";
  EXPECT_NE(test::parse_json(bench.ask(id, request))->at("result.completion"), nullptr);
  const auto refused = test::parse_json(bench.ask(id, request, 40));
  EXPECT_EQ(refused->text_at("error.message"), "Too many calls: try again in 60 ms.");
  EXPECT_EQ(refused->at("error.data")->raw, R"({"mote/retryAfterMs":60})");
  EXPECT_NE(test::parse_json(bench.ask(id, request, 100))->at("result.completion"), nullptr);
}

}  // namespace
