// SPDX-License-Identifier: Apache-2.0
// Tasks and input requests of rows with scopes: a token of the same principal without the scope cannot use them.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/server.hpp"
#include "mcp/transport_info.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/json.hpp"

namespace {

using mcp::Reply;
using mcp::SessionId;
using test::Bench;
using test::Json;

constexpr std::string_view strong = "pump:write";
constexpr std::string_view weak = "pump:read";
constexpr std::string_view unknown = "taskId is unknown or expired.";

/// One principal with two tokens.
class TaskScopesTest : public testing::Test {
 protected:
  void use(const mcp::Definition& definition) {
    bench_.emplace(definition, test::Sizes{.sessions = 4, .jobs = 4, .subscriptions = 3, .tasks = 4});
    shared_ = bench_->server.open_shared(now_);
  }
  std::string send(SessionId session, std::string message, std::string_view scopes) {
    mcp::TransportInfo info(principal_);
    info.scopes = test::scoped_tasks.scopes.named(scopes);
    const std::span<char> out = bench_->server.transmit_buffer();
    const Reply reply = bench_->server.receive(session, message, out, now_, channel_, &info);
    lacks_ = reply.lacks_scope() ? test::scoped_tasks.scopes.names()[reply.missing_scope()] : std::string_view();
    return {out.data(), reply.size};
  }
  SessionId open() {
    mcp::TransportInfo info(principal_);
    const SessionId session = bench_->server.open(now_, &info);
    send(session,
         R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
         R"("capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"0"}}})",
         weak);
    send(session, R"({"jsonrpc":"2.0","method":"notifications/initialized"})", weak);
    return session;
  }
  std::string ask(SessionId session, std::string_view method, const std::string& params, std::string_view scopes) {
    constexpr std::string_view meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                      R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{},)"
                                      R"("extensions":{"io.modelcontextprotocol/tasks":{}}}})";
    const std::string more = session == shared_ ? (params.empty() ? "" : ",") + std::string(meta) : std::string();
    return send(session,
                R"({"jsonrpc":"2.0","id":)" + std::to_string(++id_) + R"(,"method":")" + std::string(method) +
                    R"(","params":{)" + params + more + "}}",
                scopes);
  }
  // The begin of the response to an input request.
  static std::string response_begin(const std::string& question) {
    return R"({"jsonrpc":"2.0","id":)" + test::parse_json(question).value_or(Json{}).text_at("id");
  }
  std::string create(SessionId session, std::string_view tool, std::string_view scopes = strong) {
    const Json response =
        test::parse_json(ask(session, "tools/call", R"("name":")" + std::string(tool) + R"(","task":{})", scopes))
            .value_or(Json{});
    return response.text_at(session == shared_ ? "result.taskId" : "result.task.taskId");
  }
  std::string about(SessionId session, std::string_view method, const std::string& task, std::string_view scopes,
                    const std::string& more = "") {
    return ask(session, method, R"("taskId":")" + task + '"' + more, scopes);
  }
  void expect_refused(const std::string& response, std::string_view method) {
    EXPECT_NE(response.find("The scope pump:write is required; use a token that has it."), std::string::npos)
        << method << response;
    EXPECT_EQ(lacks_, "pump:write") << method;
  }
  // What transmit() has to say on a channel, until it is silent.
  std::string messages(SessionId session, mcp::Channel channel) {
    std::string all;
    for (;;) {
      const std::span<char> out = bench_->server.transmit_buffer();
      const Reply reply = bench_->server.transmit(session, out, now_, channel);
      if (reply.status != Reply::Status::message) return all;
      all.append(out.data(), reply.size);
    }
  }

  std::optional<Bench> bench_;
  SessionId shared_;
  std::uint64_t principal_ = 1;  // of the next request
  mcp::Millis now_ = 1000;
  int id_ = 10;
  mcp::Channel channel_ = 1;  // of the next request
  std::string_view lacks_;
};

TEST_F(TaskScopesTest, TaskOfASessionNeedsTheScopeOfItsRow) {
  for (const mcp::Definition* const definition : {&test::scoped_tasks, &test::short_scoped_tasks}) {
    use(*definition);
    const SessionId session = open();
    const std::string task = create(session, "pump");
    ASSERT_NE(task, "");
    for (const char* const method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
      expect_refused(about(session, method, task, weak), method);
    }
    EXPECT_FALSE(bench_->server.serves(session, 1));  // no tasks/result waits
    EXPECT_NE(about(session, "tasks/get", task, strong).find(R"("status":"working")"), std::string::npos);
    EXPECT_NE(about(session, "tasks/cancel", task, strong).find(R"("status":"cancelled")"), std::string::npos);
  }
}

TEST_F(TaskScopesTest, ServerWithoutSessionsHasTheSameGuards) {
  static mcp::Definition modern = test::scoped_tasks;
  modern.eras = mcp::modern_era;
  use(modern);
  const std::string task = create(shared_, "pump");
  ASSERT_NE(task, "");
  for (const char* const method : {"tasks/get", "tasks/cancel"}) {
    expect_refused(about(shared_, method, task, weak), method);
  }
}

TEST_F(TaskScopesTest, TaskWithoutAScopeIsForEachToken) {
  use(test::scoped_tasks);
  const SessionId session = open();
  const std::string task = create(session, "rinse", weak);
  EXPECT_NE(about(session, "tasks/get", task, weak).find(R"("status":"working")"), std::string::npos);
  EXPECT_NE(about(session, "tasks/get", "00", weak).find(unknown), std::string::npos);
  const std::string stateless = create(shared_, "rinse", weak);
  EXPECT_NE(about(shared_, "tasks/cancel", stateless, weak).find(R"("result":)"), std::string::npos);
  EXPECT_NE(about(shared_, "tasks/get", "00", weak).find(unknown), std::string::npos);
}

// Its tool is a kind, which is in no table.
TEST_F(TaskScopesTest, TaskOfAFoundToolNeedsTheScopeOfItsRow) {
  for (const char* const definition : {"kinds_scoped", "kinds_hidden", "kinds_of_scoped_table"}) {
    use(*test::find_definition(definition));
    ASSERT_TRUE(test::act(bench_->server, "find tool 3 fill.3"));
    const SessionId session = open();
    for (const SessionId& client : {session, shared_}) {
      const std::string task = create(client, "fill.3");
      ASSERT_NE(task, "");
      for (const char* const method : {"tasks/get", "tasks/cancel"}) {
        const std::string response = about(client, method, task, weak);
        if (std::string_view(definition) == "kinds_hidden") {
          EXPECT_NE(response.find(unknown), std::string::npos) << response;
        } else {
          expect_refused(response, method);
        }
      }
      EXPECT_NE(about(client, "tasks/get", task, strong).find(R"("status":"working")"), std::string::npos);
      if (client != session) continue;
      const bool hides = ask(session, "tasks/list", "", weak).find(task) == std::string::npos;
      EXPECT_EQ(hides, std::string_view(definition) == "kinds_hidden");
      EXPECT_NE(ask(session, "tasks/list", "", strong).find(task), std::string::npos);
    }
  }
}

TEST_F(TaskScopesTest, ResponseToTheInputRequestOfAFoundToolNeedsTheScopeOfItsKind) {
  use(*test::find_definition("kinds_scoped"));
  ASSERT_TRUE(test::act(bench_->server, "find tool 2 confirm.2"));
  const SessionId session = open();
  const std::string all = "pump:read pump:write pump:admin";
  ask(session, "tools/call", R"("name":"confirm.2","arguments":{"to":1})", all);
  const std::string question = messages(session, 1);
  ASSERT_NE(question.find("Set row 2?"), std::string::npos) << question;
  const std::string response = response_begin(question) + R"(,"result":{"action":"accept","content":{}}})";
  EXPECT_NE(send(session, response, strong).find("The scope pump:admin is required"), std::string::npos);
  EXPECT_EQ(messages(session, 1), "");
  EXPECT_NE(send(session, response, all).find("row 2 is 1"), std::string::npos);
}

TEST_F(TaskScopesTest, ListOfTasksHasTheRowsOfTheTokenAlone) {
  for (const mcp::Definition* const definition :
       {&test::scoped_tasks, &test::hiding_tasks, &test::short_scoped_tasks}) {
    use(*definition);
    const SessionId session = open();
    const std::string pump = create(session, "pump");
    const std::string rinse = create(session, "rinse");
    const std::string few = ask(session, "tasks/list", "", weak);
    EXPECT_EQ(few.find(pump), std::string::npos) << few;
    EXPECT_NE(few.find(rinse), std::string::npos) << few;
    const std::string all = ask(session, "tasks/list", "", strong);
    EXPECT_NE(all.find(pump), std::string::npos) << all;
    EXPECT_NE(all.find(rinse), std::string::npos) << all;
  }
}

// The client lost its session and comes with a weaker token: the task stays where it is.
TEST_F(TaskScopesTest, DetachedTaskIsTakenOverWithTheScopeOfItsRowAlone) {
  use(test::scoped_tasks);
  const SessionId first = open();
  const std::string task = create(first, "pump");
  bench_->server.close(first, now_);
  const SessionId second = open();
  for (const char* const method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
    expect_refused(about(second, method, task, weak), method);
  }
  EXPECT_EQ(ask(second, "tasks/list", "", weak).find(task), std::string::npos);
  EXPECT_EQ(messages(second, mcp::session_channel), "");
  EXPECT_NE(ask(second, "tasks/list", "", strong).find(task), std::string::npos);
  EXPECT_NE(about(second, "tasks/get", task, strong).find(R"("status":"working")"), std::string::npos);
}

TEST_F(TaskScopesTest, StatelessTaskNeedsTheScopeOfItsRow) {
  use(test::scoped_tasks);
  const std::string task = create(shared_, "agreed");
  ASSERT_NE(task, "");
  messages(shared_, mcp::session_channel);
  const std::string answer = R"(,"inputResponses":{"yes":{"action":"accept","content":{"yes":true}}})";
  expect_refused(about(shared_, "tasks/get", task, weak), "tasks/get");
  expect_refused(about(shared_, "tasks/update", task, weak, answer), "tasks/update");
  expect_refused(about(shared_, "tasks/cancel", task, weak), "tasks/cancel");
  EXPECT_NE(about(shared_, "tasks/get", task, strong).find(R"("status":"input_required")"), std::string::npos);
  about(shared_, "tasks/update", task, strong, answer);
  EXPECT_EQ(lacks_, "");
  EXPECT_NE(about(shared_, "tasks/get", task, strong).find("Agreed."), std::string::npos);
}

TEST_F(TaskScopesTest, SubscriptionToATaskNeedsTheScopeOfItsRow) {
  use(test::scoped_tasks);
  const std::string pump = create(shared_, "pump");
  const std::string rinse = create(shared_, "rinse");
  const auto listen = [&](const std::string& task, std::string_view scopes) {
    return ask(shared_, "subscriptions/listen", R"("notifications":{"taskIds":["00",")" + task + R"("]})", scopes);
  };
  expect_refused(listen(pump, weak), "subscriptions/listen");
  EXPECT_FALSE(bench_->server.serves(shared_, 1));
  EXPECT_EQ(listen(rinse, weak), "");
  EXPECT_NE(messages(shared_, 1).find(rinse), std::string::npos);
  EXPECT_EQ(listen(pump, strong), "");
  EXPECT_NE(messages(shared_, 1).find(pump), std::string::npos);
}

TEST_F(TaskScopesTest, TaskOfAHiddenRowIsUnknown) {
  use(test::hiding_tasks);
  const SessionId session = open();
  const std::string task = create(session, "pump");
  for (const char* const method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
    EXPECT_NE(about(session, method, task, weak).find(unknown), std::string::npos) << method;
    EXPECT_EQ(lacks_, "");
  }
  EXPECT_NE(about(session, "tasks/get", task, strong).find("working"), std::string::npos);
  const std::string stateless = create(shared_, "pump");
  for (const char* const method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    EXPECT_NE(about(shared_, method, stateless, weak, R"(,"inputResponses":{})").find(unknown), std::string::npos);
  }
  ask(shared_, "subscriptions/listen", R"("notifications":{"taskIds":[")" + stateless + R"("]})", weak);
  EXPECT_EQ(messages(shared_, 1).find(stateless), std::string::npos);
}

// An id is a secret of its principal: who learns one gets the same bytes as for an id that does not exist.
TEST_F(TaskScopesTest, TaskOfAnotherPrincipalIsUnknown) {
  for (const mcp::Definition* const definition : {&test::scoped_tasks, &test::hiding_tasks}) {
    for (const std::string_view scopes : {weak, strong}) {
      use(*definition);
      principal_ = 1;
      const std::string tasks[] = {create(open(), "pump"), create(shared_, "pump")};
      principal_ = 2;
      const SessionId session = open();
      const auto about_same_id = [&](SessionId place, std::string_view method, const std::string& task) {
        id_ = 20;
        const std::string more = R"(,"inputResponses":{})";
        std::string response = about(place, method, task, scopes, method == "tasks/update" ? more : "");
        return response + ' ' + std::string(lacks_);
      };
      for (const std::string& task : tasks) {
        ASSERT_EQ(task.size(), 32U);
        const std::string none(32, '0');
        for (const char* const method : {"tasks/get", "tasks/result", "tasks/cancel", "tasks/update"}) {
          EXPECT_EQ(about_same_id(session, method, task), about_same_id(session, method, none)) << method;
          EXPECT_EQ(about_same_id(shared_, method, task), about_same_id(shared_, method, none)) << method;
        }
        EXPECT_NE(about_same_id(session, "tasks/get", task).find(unknown), std::string::npos);
        EXPECT_NE(about_same_id(shared_, "tasks/get", task).find(unknown), std::string::npos);
        EXPECT_EQ(bench_->server.serves(session, 1), false);
      }
    }
  }
}

// Without `task_outlives_session`, a task belongs to its session, and each other session gets what an unknown id gets.
TEST_F(TaskScopesTest, TaskThatEndsWithItsSessionIsUnknownToAnotherSessionOfItsPrincipal) {
  for (const std::string_view scopes : {weak, strong}) {
    use(test::scoped_tasks);
    const SessionId first = open();
    const std::string task = create(first, "agreed");
    ASSERT_EQ(task.size(), 32U);
    const SessionId second = open();
    for (const char* const method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
      id_ = 20;
      const std::string response = about(second, method, task, scopes);
      EXPECT_EQ(lacks_, "") << method;
      EXPECT_NE(response.find(unknown), std::string::npos) << method << response;
      id_ = 20;
      EXPECT_EQ(response, about(second, method, std::string(32, '0'), scopes)) << method;
    }
    expect_refused(about(first, "tasks/get", task, weak), "tasks/get");
  }
}

// A wire has no principal, as a client without a token has none.
TEST_F(TaskScopesTest, TaskOfAWireIsUnknownToAClientWithoutAToken) {
  use(test::scoped_tasks);
  const SessionId wire = bench_->server.open(now_);
  bench_->ask(wire, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                    R"("capabilities":{},"clientInfo":{"name":"c","version":"0"}}})");
  bench_->ask(wire, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  const auto ask_wire = [&](std::string_view method, const std::string& params) {
    return bench_->ask(
        wire, R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" + params + "}}");
  };
  const std::string task = test::parse_json(ask_wire("tools/call", R"("name":"pump","task":{})"))
                               .value_or(Json{})
                               .text_at("result.task.taskId");
  ASSERT_EQ(task.size(), 32U);
  principal_ = 0;
  const SessionId session = open();
  for (const char* const method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
    const std::string response = about(session, method, task, weak);
    EXPECT_NE(response.find(unknown), std::string::npos) << method << response;
    EXPECT_EQ(lacks_, "") << method;
  }
  EXPECT_NE(ask_wire("tasks/get", R"("taskId":")" + task + '"').find(R"("status":"working")"), std::string::npos);
}

// ---- Input requests -------------------------------------------------------------------------------------------------

constexpr std::string_view accepted = R"(,"result":{"action":"accept","content":{"yes":true}}})";

TEST_F(TaskScopesTest, InputResponseOfASessionNeedsTheScopeOfItsRow) {
  use(test::scoped_tasks);
  const SessionId session = open();
  ask(session, "tools/call", R"("name":"agreed")", strong);
  const std::string question = messages(session, 1);
  const std::string begin = response_begin(question);
  EXPECT_EQ(send(session, begin + std::string(accepted), weak),
            R"({"jsonrpc":"2.0","error":{"code":-32600,"message":)"
            R"("The scope pump:write is required; use a token that has it."}})");
  EXPECT_EQ(lacks_, "pump:write");
  expect_refused(send(session, begin + R"(,"error":{"code":1,"message":""}})", weak), "error");
  expect_refused(send(session, begin + R"(,"result":[})", weak), "malformed");
  EXPECT_NE(send(session, begin + std::string(accepted), strong).find("Agreed."), std::string::npos);
  EXPECT_EQ(bench_->server.health().stale_answers, 0U);
}

TEST_F(TaskScopesTest, InputResponseToATaskOfASessionNeedsTheScopeOfItsRow) {
  use(test::scoped_tasks);
  const SessionId session = open();
  const std::string task = create(session, "agreed");
  messages(session, mcp::session_channel);
  about(session, "tasks/result", task, strong);
  const std::string begin = response_begin(messages(session, 1));
  channel_ = 2;
  expect_refused(send(session, begin + std::string(accepted), weak), "response");
  EXPECT_EQ(send(session, begin + std::string(accepted), strong), "");
  const std::string result = messages(session, 1);
  EXPECT_NE(result.find("Agreed."), std::string::npos) << result;
}

TEST_F(TaskScopesTest, InputResponseToARowWithoutAScopeIsForEachToken) {
  use(test::scoped_tasks);
  const SessionId session = open();
  ask(session, "tools/call", R"("name":"asks")", weak);
  const std::string begin = response_begin(messages(session, 1));
  EXPECT_EQ(send(session, R"({"jsonrpc":"2.0","id":"other")" + std::string(accepted), weak), "");
  EXPECT_EQ(send(session, R"({"jsonrpc":"2.0","id":1004000000)" + std::string(accepted), weak), "");
  EXPECT_EQ(bench_->server.health().stale_answers, 2U);
  EXPECT_NE(send(session, begin + std::string(accepted), weak).find("Agreed."), std::string::npos);
}

TEST_F(TaskScopesTest, InputResponseToAHiddenRowIsStale) {
  use(test::hiding_tasks);
  const SessionId session = open();
  ask(session, "tools/call", R"("name":"agreed")", strong);
  const std::string begin = response_begin(messages(session, 1));
  EXPECT_EQ(send(session, begin + std::string(accepted), weak), "");
  EXPECT_EQ(bench_->server.health().stale_answers, 1U);
  EXPECT_NE(send(session, begin + std::string(accepted), strong).find("Agreed."), std::string::npos);
}

// The retry is a call, so it needs the scope as the first call did.
TEST_F(TaskScopesTest, RetryWithInputResponsesNeedsTheScopeOfItsRow) {
  use(test::scoped_tasks);
  const auto call = [&](const std::string& more, std::string_view scopes) {
    return send(shared_,
                R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"agreed")" + more +
                    R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                    R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}})",
                scopes);
  };
  EXPECT_EQ(call("", strong), "");
  const std::string first = messages(shared_, 1);
  const std::string state = test::parse_json(first).value_or(Json{}).text_at("result.requestState");
  ASSERT_NE(state, "") << first;
  const std::string retry =
      R"(,"requestState":")" + state + R"(","inputResponses":{"yes":{"action":"accept","content":{"yes":true}}})";
  expect_refused(call(retry, weak), "retry");
  EXPECT_NE(call(retry, strong).find("Agreed."), std::string::npos);
}

}  // namespace
