// SPDX-License-Identifier: Apache-2.0
// Who may see a task that has outlived its session: clients with tokens and without, on several wires, and attackers
// that know its id.
#include <gtest/gtest.h>

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
using mcp::SessionId;
using test::Bench;
using test::Json;

constexpr std::uint64_t ann = 1;
constexpr std::uint64_t bob = std::uint64_t{1} << 32U;
constexpr std::uint64_t no_token = 0;

enum class Way : std::uint8_t { http, sse, wire };

/// A session of a client over HTTP, over HTTP+SSE of 2024-11-05, or on a wire. Only the first one has a channel.
class Client {
 public:
  Client(Bench& bench, mcp::Millis now, std::uint64_t principal, Way way = Way::http,
         const std::string& capabilities = R"("elicitation":{})")
      : bench_(bench),
        info_(principal),
        way_(way),
        channel_(way == Way::http ? Channel{1} : mcp::only_channel),
        now_(now),
        session(bench.server.open(now, info())) {
    request("initialize", R"("protocolVersion":"2025-11-25","capabilities":{)" + capabilities +
                              R"(},"clientInfo":{"name":"c","version":"0"})");
    std::string ready = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
    bench_.server.receive(session, ready, bench_.server.transmit_buffer(), now, channel_, info());
  }

  Json request(std::string_view method, const std::string& params) {
    std::string message =
        R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" + params + "}}";
    const Reply reply =
        bench_.server.receive(session, message, bench_.server.transmit_buffer(), now_, channel_, info());
    return test::parse_json({bench_.server.transmit_buffer().data(), reply.size}).value_or(Json{});
  }
  Json about(std::string_view method, const std::string& task) { return request(method, R"("taskId":")" + task + '"'); }
  std::string status(const std::string& task) { return about("tasks/get", task).text_at("result.status"); }
  std::string create(std::string_view tool) {
    return request("tools/call", R"("name":")" + std::string(tool) + R"(","task":{})").text_at("result.task.taskId");
  }
  std::string tasks() { return request("tasks/list", "").at("result.tasks")->raw; }
  void end() { bench_.server.close(session, now_); }
  void expect_blind(const std::string& task) {
    for (const char* const method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
      EXPECT_EQ(about(method, task).text_at("error.code"), "-32602") << method;
    }
    EXPECT_EQ(tasks(), "[]");
  }

 private:
  const mcp::TransportInfo* info() { return way_ == Way::wire ? nullptr : &info_; }

  Bench& bench_;
  mcp::TransportInfo info_;
  Way way_;
  Channel channel_;
  mcp::Millis now_;

 public:
  SessionId session;
};

// A task that asks the model of its client, with a tool that the model may use.
mcp::Errc handle_helper(mcp::Call& call) { return call.result().text("helped"); }
constexpr mcp::Tool helpers[] = {mcp::tool<handle_helper>({.name = "helper"})};
struct Talk {
  bool begun;
  mcp::Step step(mcp::AskContext& context) {
    if (context.stop_requested()) return context.done();
    if (context.answer().outcome() == mcp::Outcome::unsupported) return context.done(context.fail("No model."));
    static constexpr mcp::Sampling sampling{.max_tokens = 9, .tools = helpers};
    return context.timeout(60'000).sample(sampling, [](mcp::SampleMessages& messages) {
      messages.user([](mcp::SampleContent& content) { static_cast<void>(content.text("Hello")); });
    });
  }
};
constexpr mcp::Tool talking_tools[] = {
    mcp::job<Talk>({.name = "talk", .task_support = mcp::TaskSupport::optional, .task_outlives_session = true})};
constexpr mcp::Definition talking{.name = "talking", .version = "1", .tools = talking_tools};

class DetachedTasksTest : public testing::Test {
 protected:
  void SetUp() override { test::act_on_detached_tasks("forget ended"); }
  // A task whose input request waits, and a client that waits for its result.
  std::string create_that_asks(Client& client) {
    const std::string task = client.create("consent");
    bench_.server.transmit(client.session, bench_.server.transmit_buffer(), now_, mcp::session_channel);
    now_ += 100;
    bench_.server.transmit(client.session, bench_.server.transmit_buffer(), now_, mcp::session_channel);
    EXPECT_EQ(client.about("tasks/result", task).raw, "");
    return task;
  }
  void pass(mcp::Millis ms) {
    now_ += ms;
    static_cast<void>(bench_.server.poll(now_));
  }

  Bench bench_{test::detached_tasks, {.sessions = 4, .jobs = 3, .tasks = 3}};
  mcp::Millis now_ = 1000;
};

TEST_F(DetachedTasksTest, OnlyItsPrincipalTakesOverATask) {
  Client first(bench_, now_, ann);
  const std::string task = first.create("water");
  first.end();
  Client other(bench_, now_, bob);
  other.expect_blind(task);
  Client stranger(bench_, now_, no_token);
  stranger.expect_blind(task);
  Client wire(bench_, now_, no_token, Way::wire);
  wire.expect_blind(task);
  other.end();
  Client second(bench_, now_, ann);
  EXPECT_NE(second.tasks(), "[]");
  EXPECT_EQ(second.status(task), "working");
  stranger.expect_blind(task);
  EXPECT_EQ(second.about("tasks/cancel", task).text_at("result.statusMessage"), "The client cancelled the task.");
}

TEST_F(DetachedTasksTest, JobContinuesWithoutAnySession) {
  Client first(bench_, now_, ann);
  const std::string task = first.create("water");
  first.end();
  pass(0);
  EXPECT_EQ(bench_.server.poll(now_), 100U);
  pass(100);
  pass(100);
  EXPECT_EQ(bench_.server.poll(now_), 59'800U);
  Client second(bench_, now_, ann);
  EXPECT_EQ(second.status(task), "completed");
  pass(59'800);
  EXPECT_EQ(second.status(task), "completed");  // until the transport has called transmit()
  bench_.server.advance_tasks(now_);
  second.expect_blind(task);
}

TEST_F(DetachedTasksTest, TaskOfAClientWithoutTokenEndsWithItsSession) {
  for (const Way way : {Way::http, Way::sse}) {
    test::act_on_detached_tasks("forget ended");
    Client first(bench_, now_, no_token, way);
    const std::string task = first.create("forever");
    first.end();
    EXPECT_FALSE(bench_.anything_left());
    Client second(bench_, now_, no_token, way);
    EXPECT_EQ(second.session.index, 0U);
    second.expect_blind(task);
    EXPECT_EQ(second.request("tools/call", R"("name":"ended")").text_at("result.content.0.text"), "1");
    second.end();
  }
}

// The session of a client of a network may get the slot that the wire had.
TEST_F(DetachedTasksTest, TaskOfAWireIsForNoClientOfANetwork) {
  for (const std::uint64_t principal : {no_token, ann}) {
    Client wire(bench_, now_, no_token, Way::wire);
    const std::string task = wire.create("forever");
    wire.end();
    Client client(bench_, now_, principal, Way::sse);
    EXPECT_EQ(client.session.index, 0U);
    client.expect_blind(task);
    client.end();
    Client again(bench_, now_, no_token, Way::wire);
    EXPECT_EQ(again.about("tasks/cancel", task).text_at("result.status"), "cancelled");
    again.end();
  }
}

TEST_F(DetachedTasksTest, TaskIsNotTakenOverBeforeARequestForItsResultHasItsError) {
  Client first(bench_, now_, ann);
  const std::string task = create_that_asks(first);
  // A second request replaces the first one, whose error is not sent yet, and is cancelled.
  const mcp::TransportInfo info(ann);
  std::string again = R"({"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":")" + task + "\"}}";
  bench_.server.receive(first.session, again, bench_.server.transmit_buffer(), now_, 2, &info);
  bench_.server.cancel(first.session, 2, now_);
  Client second(bench_, now_, ann);
  EXPECT_EQ(second.about("tasks/get", task).text_at("error.code"), "-32600");
  const Reply reply = bench_.server.transmit(first.session, bench_.server.transmit_buffer(), now_, 1);
  const std::string error(bench_.server.transmit_buffer().data(), reply.size);
  EXPECT_NE(error.find(R"("id":1,"error")"), std::string::npos) << error;
  EXPECT_EQ(second.status(task), "input_required");
}

// Its client may have lost a session that still exists.
TEST_F(DetachedTasksTest, SessionTakesOverATaskFromALivingSession) {
  Client first(bench_, now_, ann);
  const std::string task = create_that_asks(first);
  Client second(bench_, now_, ann);
  EXPECT_EQ(second.about("tasks/get", task).text_at("error.code"), "-32600");
  bench_.server.cancel(first.session, 1, now_);  // its connection is lost
  EXPECT_EQ(second.status(task), "input_required");
  first.end();
  EXPECT_EQ(second.status(task), "input_required");
  second.end();
  pass(60'000);
  EXPECT_FALSE(bench_.anything_left());
}

// A transport over HTTP lets the tasks of a session continue before it writes to a stream.
TEST_F(DetachedTasksTest, CancellationOfAnInputRequestWaitsForTheStreamOfItsSession) {
  Client client(bench_, now_, ann);
  const std::string task = create_that_asks(client);
  const auto sent = [&](Channel channel) {
    const Reply reply = bench_.server.transmit(client.session, bench_.server.transmit_buffer(), now_, channel);
    return std::string(bench_.server.transmit_buffer().data(), reply.size);
  };
  EXPECT_NE(sent(1).find("elicitation/create"), std::string::npos);
  now_ += 1000;
  bench_.server.advance_tasks(now_);
  const std::string cancelled = sent(mcp::session_channel);
  EXPECT_NE(cancelled.find(R"("method":"notifications/cancelled")"), std::string::npos) << cancelled;
  EXPECT_EQ(sent(mcp::session_channel).find("notifications/cancelled"), std::string::npos);
}

// The client that takes over the task may have declared less than the one that it began with.
TEST_F(DetachedTasksTest, InputRequestWithToolsIsForAClientThatDeclaresThemAlone) {
  for (const std::string& declared : {std::string("{}"), std::string(R"({"tools":{}})")}) {
    Bench bench(talking, {.sessions = 2, .task_result = 900});
    Client first(bench, now_, ann, Way::http, R"("sampling":{"tools":{}})");
    const std::string task = first.create("talk");
    bench.server.advance_tasks(now_);
    first.end();
    Client second(bench, now_, ann, Way::http, R"("sampling":)" + declared);
    second.about("tasks/result", task);
    const Reply reply = bench.server.transmit(second.session, bench.server.transmit_buffer(), now_, 1);
    const std::string sent(bench.server.transmit_buffer().data(), reply.size);
    EXPECT_NE(sent.find(declared == "{}" ? "No model." : R"("tools":[)"), std::string::npos) << sent;
  }
}

// Its end is not said, because the client does not listen. The next task gets its slot.
TEST_F(DetachedTasksTest, EndedTaskLeavesItsSlotAlsoIfAnInputRequestTimedOutUnheard) {
  Bench bench(test::detached_tasks, {.sessions = 2, .jobs = 3, .tasks = 2});
  Client client(bench, now_, ann);
  bench.server.set_listening(client.session, false);
  const std::string task = client.create("consent");
  bench.server.advance_tasks(now_);
  now_ += 100;
  bench.server.advance_tasks(now_);
  EXPECT_EQ(client.about("tasks/result", task).raw, "");
  const auto sent = [&] {
    const Reply reply = bench.server.transmit(client.session, bench.server.transmit_buffer(), now_, 1);
    return std::string(bench.server.transmit_buffer().data(), reply.size);
  };
  EXPECT_NE(sent().find("elicitation/create"), std::string::npos);
  now_ += 1000;
  bench.server.advance_tasks(now_);
  bench.server.advance_tasks(now_);
  EXPECT_NE(sent().find("The client sent no input response in time."), std::string::npos);
  EXPECT_NE(client.create("consent"), "");
}

// Its input request has timed out at the moment at which its session ends.
TEST_F(DetachedTasksTest, InputRequestIsSentAgainAlsoWithoutTimeLeft) {
  Client first(bench_, now_, ann);
  const std::string task = create_that_asks(first);
  const Reply asked = bench_.server.transmit(first.session, bench_.server.transmit_buffer(), now_, 1);
  EXPECT_NE(std::string_view(bench_.server.transmit_buffer().data(), asked.size).find("elicitation/create"),
            std::string_view::npos);
  now_ += 1000;
  bench_.server.close(first.session, now_);
  Client second(bench_, now_, ann);
  EXPECT_EQ(second.about("tasks/result", task).raw, "");
  const Reply again = bench_.server.transmit(second.session, bench_.server.transmit_buffer(), now_, 1);
  EXPECT_NE(std::string_view(bench_.server.transmit_buffer().data(), again.size).find("elicitation/create"),
            std::string_view::npos);
}

TEST_F(DetachedTasksTest, TimeToLiveEndsATaskThatNobodyHasSeen) {
  Client first(bench_, now_, ann);
  const std::string ended = first.create("water");
  const std::string running = first.create("forever");
  EXPECT_NE(first.tasks().find(ended), std::string::npos);
  first.end();
  for (int i = 0; i < 3; ++i) pass(100);
  now_ += 60'000;
  Client second(bench_, now_, ann);  // before the next poll()
  second.expect_blind(ended);
  second.expect_blind(running);
  pass(0);
  EXPECT_FALSE(bench_.anything_left());
}

// The transport ends the sessions of a principal.
TEST_F(DetachedTasksTest, EndOfItsPrincipalEndsNoTaskOfASession) {
  Client first(bench_, now_, ann);
  const std::string task = first.create("forever");
  bench_.server.end_principal(ann, now_);
  pass(0);
  EXPECT_EQ(first.status(task), "working");
}

TEST_F(DetachedTasksTest, EndOfItsPrincipalEndsATask) {
  Client first(bench_, now_, ann);
  const std::string task = first.create("forever");
  Client other(bench_, now_, bob);
  const std::string kept = other.create("forever");
  first.end();
  other.end();
  bench_.server.end_principal(ann, now_);
  Client second(bench_, now_, ann);
  second.expect_blind(task);
  pass(0);
  EXPECT_EQ(second.request("tools/call", R"("name":"ended")").text_at("result.content.0.text"), "1");
  Client third(bench_, now_, bob);
  EXPECT_EQ(third.status(kept), "working");
}

TEST_F(DetachedTasksTest, SessionListsNoTaskOfStatelessRequests) {
  Client first(bench_, now_, ann);
  const std::string task =
      first
          .request(
              "tools/call",
              R"("name":"forever","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
              R"("io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}})")
          .text_at("result.taskId");
  EXPECT_NE(task, "");
  EXPECT_EQ(first.tasks(), "[]");
  bench_.server.end_principal(ann, now_);
  EXPECT_FALSE(bench_.anything_left());
}

TEST_F(DetachedTasksTest, TaskStaysOnItsWire) {
  Client first(bench_, now_, no_token, Way::wire);
  Client other(bench_, now_, no_token, Way::wire);
  Client stranger(bench_, now_, no_token);
  const std::string of_other = other.create("forever");
  first.expect_blind(of_other);
  EXPECT_EQ(other.about("tasks/cancel", of_other).text_at("result.status"), "cancelled");
  other.end();
  Client next(bench_, now_, no_token, Way::wire);
  const std::string task = first.create("forever");
  next.expect_blind(task);
  first.end();
  next.expect_blind(task);
  stranger.expect_blind(task);
  Client second(bench_, now_, no_token, Way::wire);
  EXPECT_EQ(second.session.index, 0U);
  EXPECT_EQ(second.status(task), "working");
}

TEST_F(DetachedTasksTest, TaskWithoutSessionCountsForItsOwner) {
  Client first(bench_, now_, ann);
  static_cast<void>(first.create("forever"));
  static_cast<void>(first.create("forever"));
  first.end();
  Client second(bench_, now_, ann);
  const Json refused = second.request("tools/call", R"("name":"forever","task":{})");
  EXPECT_NE(refused.text_at("error.message").find("for one client"), std::string::npos) << refused.raw;
  Client other(bench_, now_, bob);
  EXPECT_NE(other.create("forever"), "");
}

// A literal of escapes can be longer in JSON than the transmit buffer.
TEST_F(DetachedTasksTest, StatusWithAMessageThatDoesNotFitIsNotSent) {
  Bench small(test::detached_tasks, {.transmit_size = 480});
  Client first(small, now_, ann);
  EXPECT_NE(first.create("noise"), "");
  const auto transmit = [&] {
    return small.server.transmit(first.session, small.server.transmit_buffer(), now_, mcp::session_channel);
  };
  EXPECT_EQ(transmit().status, Reply::Status::none);
  EXPECT_EQ(transmit().status, Reply::Status::none);
  EXPECT_EQ(first.request("ping", "").at("result")->raw, "{}");
  first.end();
  EXPECT_FALSE(small.anything_left());
}

TEST_F(DetachedTasksTest, MessageWithoutACharacterIsEmpty) {
  Client first(bench_, now_, ann);
  const std::string task = first.create("mumble");
  pass(0);
  bench_.server.advance_tasks(now_);
  const Json state = first.about("tasks/get", task);
  EXPECT_EQ(state.text_at("result.status"), "working");
  EXPECT_EQ(state.at("result.statusMessage"), nullptr) << state.raw;
}

// The next object in a slot has another name: the task does not take the job of another one for its own.
TEST_F(DetachedTasksTest, EndedTaskNamesNoLaterJob) {
  Client first(bench_, now_, ann);
  const std::string task = first.create("water");
  first.end();
  for (int i = 0; i < 3; ++i) pass(100);
  Client other(bench_, now_, bob);
  const std::string later = other.create("forever");
  Client second(bench_, now_, ann);
  EXPECT_EQ(second.status(task), "completed");
  EXPECT_EQ(other.status(later), "working");
  EXPECT_EQ(second.about("tasks/cancel", task).text_at("error.code"), "-32602");
  EXPECT_EQ(other.status(later), "working");
}

}  // namespace
