// SPDX-License-Identifier: Apache-2.0
// Tasks of clients that share a session, as over HTTP, which a conversation on one wire cannot show.
#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mcp/server.hpp"
#include "mcp/transport_info.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/json.hpp"

namespace {

using mcp::Channel;
using mcp::Reply;
using test::Bench;
using test::Json;

/// The headers of a request, and its sender.
class Headers final : public mcp::TransportInfo {
 public:
  Headers(std::uint64_t who, std::string_view the_method, std::string_view the_name)
      : TransportInfo(who, 0, no_param, nullptr, mcp::protocol::header_validation) {
    version = "2026-07-28";
    method = the_method;
    name = the_name;
  }

 private:
  static std::optional<std::string_view> no_param(const void*, std::string_view) { return std::nullopt; }
};

std::string stateless(std::string_view method, const std::string& params, bool declares = true) {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" + params +
         R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
         R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{})" +
         (declares ? R"(,"extensions":{"io.modelcontextprotocol/tasks":{}})" : "") + "}}}}";
}

class StatelessTasksTest : public testing::Test {
 protected:
  Json ask(std::string_view method, std::string_view name, const std::string& params, std::uint64_t who = 0,
           bool declares = true) {
    std::string message = stateless(method, params, declares);
    const Headers headers(who, method, name);
    const Reply reply = bench_.server.receive(shared_, message, bench_.server.transmit_buffer(), now_, 1, &headers);
    fault_ = reply.error;
    return test::parse_json({bench_.server.transmit_buffer().data(), reply.size}).value_or(Json{});
  }
  Json call(std::string_view tool, std::uint64_t who = 0, bool declares = true, const std::string& arguments = "{}") {
    return ask("tools/call", tool, R"("name":")" + std::string(tool) + R"(","arguments":)" + arguments, who, declares);
  }
  Json about(std::string_view method, const std::string& task, std::uint64_t who = 0) {
    return ask(method, task, R"("inputResponses":{},"taskId":")" + task + '"', who);
  }
  std::string create(std::string_view tool, std::uint64_t who = 0, const std::string& arguments = "{}") {
    const Json created = call(tool, who, true, arguments);
    EXPECT_EQ(created.text_at("result.resultType"), "task") << created.raw;
    return created.text_at("result.taskId");
  }
  std::string status(const std::string& task) { return about("tasks/get", task).text_at("result.status"); }
  // As a transport does that has no connection to send on.
  void pass(mcp::Millis ms) {
    now_ += ms;
    bench_.server.advance_tasks(now_);
  }

  Bench bench_{test::tasks, {.sessions = 2, .jobs = 2, .tasks = 2}};
  mcp::SessionId shared_ = bench_.server.open_shared(0);
  mcp::Millis now_ = 0;
  Reply::Error fault_ = Reply::Error::none;
};

TEST_F(StatelessTasksTest, TaskOutlivesTheConnectionOfItsCall) {
  const std::string task = create("work");
  EXPECT_FALSE(bench_.server.serves(shared_, 1));
  bench_.server.cancel(shared_, 1, now_);
  EXPECT_EQ(status(task), "working");
  EXPECT_EQ(bench_.server.poll(now_), 0U);
  pass(0);
  EXPECT_EQ(bench_.server.poll(now_), 100U);
  pass(100);
  EXPECT_EQ(status(task), "completed");
  EXPECT_EQ(bench_.server.poll(now_), 59'900U);
  pass(59'900);
  EXPECT_EQ(bench_.server.poll(now_), mcp::forever);
  EXPECT_FALSE(bench_.anything_left());
}

TEST_F(StatelessTasksTest, PlainCallEndsWithItsConnection) {
  EXPECT_EQ(call("never").raw, "");
  EXPECT_TRUE(bench_.server.serves(shared_, 1));
  bench_.server.cancel(shared_, 1, now_);
  EXPECT_FALSE(bench_.anything_left());
}

TEST_F(StatelessTasksTest, TasksEndWithTheSharedSession) {
  create("work");
  create("asks");
  bench_.server.close(shared_, now_);
  EXPECT_FALSE(bench_.anything_left());
}

TEST_F(StatelessTasksTest, OnlyItsPrincipalSeesATask) {
  constexpr std::uint64_t ann = 1;
  constexpr std::uint64_t bob = std::uint64_t{1} << 32U;
  const std::string task = create("asks", ann);
  pass(0);
  for (const char* const method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    EXPECT_EQ(about(method, task, bob).text_at("error.code"), "-32602") << method;
    EXPECT_EQ(about(method, task, 0).text_at("error.code"), "-32602") << method;
  }
  EXPECT_EQ(about("tasks/get", task, ann).text_at("result.status"), "input_required");
  ask("subscriptions/listen", "", R"("notifications":{"taskIds":[")" + task + R"("]})", bob);
  const Reply reply = bench_.server.transmit(shared_, bench_.server.transmit_buffer(), now_, 1);
  const Json told = test::parse_json({bench_.server.transmit_buffer().data(), reply.size}).value_or(Json{});
  EXPECT_EQ(told.at("params.notifications")->raw, "{}");
  EXPECT_EQ(about("tasks/cancel", task, ann).text_at("result.resultType"), "complete");
  bench_.server.close(shared_, now_);
}

// A new task takes the slot of one whose outcome its client has seen.
TEST_F(StatelessTasksTest, KeepsATaskWhoseStateDidNotFit) {
  const std::string task = create("work");
  pass(0);
  pass(100);
  ask("subscriptions/listen", "", R"("notifications":{"taskIds":[")" + task + R"("]})");
  const std::span<char> out = bench_.server.transmit_buffer();
  EXPECT_NE(bench_.server.transmit(shared_, out, now_, 1).size, 0U);
  EXPECT_EQ(bench_.server.transmit(shared_, out.first(200), now_, 1).size, 0U);
  bench_.server.cancel(shared_, 1, now_);
  static_cast<void>(create("asks"));
  EXPECT_NE(call("asks").text_at("error.code"), "");
  EXPECT_EQ(status(task), "completed");
  EXPECT_EQ(call("asks").text_at("result.resultType"), "task");
  bench_.server.close(shared_, now_);
}

TEST_F(StatelessTasksTest, InputBeforeTaskBelongsToThePrincipalOfTheRetry) {
  const Json asked = call("first", 7);
  EXPECT_EQ(asked.text_at("result.resultType"), "input_required") << asked.raw;
  const Json created =
      ask("tools/call", "first",
          R"("name":"first","arguments":{},"inputResponses":{"word":{"action":"accept","content":{"word":"a"}}},)"
          R"("requestState":")" +
              asked.text_at("result.requestState") + '"',
          7);
  const std::string task = created.text_at("result.taskId");
  EXPECT_EQ(created.text_at("result.resultType"), "task") << created.raw;
  bench_.server.cancel(shared_, 1, now_);
  EXPECT_EQ(about("tasks/get", task, 8).text_at("error.code"), "-32602");
  pass(100);
  EXPECT_EQ(about("tasks/get", task, 7).text_at("result.status"), "completed");
  bench_.server.close(shared_, now_);
}

// Such a job becomes a task while the transport sends, and in no request of its client.
TEST_F(StatelessTasksTest, TaskAfterAFailedInputRequestBelongsToThePrincipalOfItsCall) {
  bench_.entropy.fails = true;
  EXPECT_EQ(call("first", 7).raw, "");
  bench_.entropy.fails = false;
  const Reply reply = bench_.server.transmit(shared_, bench_.server.transmit_buffer(), now_, 1);
  const Json created = test::parse_json({bench_.server.transmit_buffer().data(), reply.size}).value_or(Json{});
  EXPECT_EQ(created.text_at("result.resultType"), "task") << created.raw;
  const std::string task = created.text_at("result.taskId");
  EXPECT_EQ(about("tasks/get", task, 0).text_at("error.code"), "-32602");
  EXPECT_EQ(about("tasks/get", task, 7).text_at("result.status"), "working");
  bench_.server.close(shared_, now_);
}

TEST_F(StatelessTasksTest, TaskAfterAFailedInputRequestIsInTheShareOfItsOwner) {
  const auto become_task = [&](std::uint64_t who) {
    bench_.entropy.fails = true;
    EXPECT_EQ(call("first", who).raw, "");
    bench_.entropy.fails = false;
    const Reply reply = bench_.server.transmit(shared_, bench_.server.transmit_buffer(), now_, 1);
    return test::parse_json({bench_.server.transmit_buffer().data(), reply.size}).value_or(Json{});
  };
  EXPECT_EQ(become_task(7).text_at("result.resultType"), "task");
  pass(100);
  EXPECT_EQ(become_task(7).text_at("error.message"),
            "All 1 task slots for one client are in use; fetch a result, then try again.");
  EXPECT_EQ(become_task(8).text_at("result.resultType"), "task");
  bench_.server.close(shared_, now_);
}

TEST_F(StatelessTasksTest, SessionsDoNotSeeStatelessTasks) {
  const std::string task = create("work");
  const mcp::SessionId session = bench_.server.open(now_);
  bench_.ask(session, R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                      R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
  const auto answer = test::parse_json(
      bench_.ask(session, R"({"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":")" + task + "\"}}"));
  EXPECT_EQ(answer->text_at("error.code"), "-32602");
  bench_.server.close(session, now_);
  EXPECT_EQ(status(task), "working");
  bench_.server.close(shared_, now_);
}

TEST_F(StatelessTasksTest, ErrorBelongsToTheRequestNotToTheTask) {
  EXPECT_EQ(call("required", 0, false).text_at("error.code"), "-32021");
  EXPECT_EQ(fault_, Reply::Error::request);
  EXPECT_EQ(ask("tasks/list", "", R"("cursor":"")").text_at("error.code"), "-32601");
  EXPECT_EQ(fault_, Reply::Error::method);
  const std::string task = create("work", 0, R"({"how":"demand"})");
  EXPECT_EQ(fault_, Reply::Error::none);
  pass(0);
  pass(100);
  const Json failed = about("tasks/get", task);
  EXPECT_EQ(failed.text_at("result.error.code"), "-32021") << failed.raw;
  EXPECT_EQ(fault_, Reply::Error::none);
  bench_.server.close(shared_, now_);
}

TEST_F(StatelessTasksTest, DescriptionSaysToClientsWithoutTasksThatATaskIsRequired) {
  const auto description_of = [&](std::string_view tool, bool declares) {
    const Json answer = ask("tools/list", "", R"("other":1)", 0, declares);
    const Json* const tools = answer.at("result.tools");
    if (tools == nullptr) return answer.raw;
    for (const Json& item : tools->items) {
      if (item.text_at("name") == tool) return item.text_at("description");
    }
    return std::string("not listed");
  };
  EXPECT_EQ(description_of("required", true), "Work.");
  EXPECT_EQ(description_of("required", false), "Work. (Needs a client with tasks.)");
  EXPECT_EQ(description_of("first", true), "");
  EXPECT_EQ(description_of("first", false), "(Needs a client with tasks.)");
  EXPECT_EQ(description_of("work", false), "");
  bench_.server.close(shared_, now_);
}

TEST_F(StatelessTasksTest, WithoutEntropyCreatesNoTask) {
  bench_.entropy.fails = true;
  const Json refused = call("quick");
  EXPECT_EQ(refused.text_at("error.code"), "-32603");
  EXPECT_NE(refused.text_at("error.message").find("random"), std::string::npos);
  EXPECT_FALSE(bench_.anything_left());
  bench_.entropy.fails = false;
  create("quick");
  bench_.server.close(shared_, now_);
}

}  // namespace
