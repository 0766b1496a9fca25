// SPDX-License-Identifier: Apache-2.0
// Messages of the log that one client on one wire does not show: windows too small for them, several clients, tasks.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mcp/schedule.hpp"
#include "mcp/server.hpp"
#include "mcp/transport_info.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/json.hpp"

namespace {

using mcp::Channel;
using mcp::LogLevel;
using mcp::Reply;
using mcp::SessionId;
using mcp::TransportInfo;
using test::Bench;
using Messages = std::vector<std::string>;

constexpr std::string_view initialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})";
constexpr std::string_view set_debug =
    R"({"jsonrpc":"2.0","id":0,"method":"logging/setLevel","params":{"level":"debug"}})";

class Logging : public testing::Test {
 protected:
  ~Logging() override { test::reset_device(); }

  // A session that is ready, and has set the level debug if it should.
  static SessionId open_session(Bench& bench, bool sets_level = true) {
    const SessionId id = bench.server.open(0);
    EXPECT_NE(bench.ask(id, std::string(initialize)), "");
    EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "");
    if (sets_level) {
      EXPECT_NE(bench.ask(id, std::string(set_debug)), "");
    }
    return id;
  }
  static void take_log(Bench& bench) { EXPECT_TRUE(test::act(bench.server, "take the log")); }

  static std::string call(std::string_view tool, std::string_view arguments = "{}") {
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) +
           R"(","arguments":)" + std::string(arguments) + "}}";
  }
  static std::string stateless(std::string_view tool, std::string_view arguments, std::string_view level = "debug",
                               std::string_view declares = "") {
    std::string text =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) + R"(","arguments":)";
    text.append(arguments).append(R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)");
    if (!level.empty()) text.append(R"("io.modelcontextprotocol/logLevel":")").append(level).append(R"(",)");
    return text.append(R"("io.modelcontextprotocol/clientCapabilities":{)").append(declares) + "}}}}";
  }
  static std::string work(std::string_view name) { return R"({"name":")" + std::string(name) + R"(","times":9})"; }

  static Reply ask(Bench& bench, SessionId session, std::string message, std::uint64_t principal, Channel channel) {
    const TransportInfo info(principal);
    return bench.server.receive(session, message, bench.server.transmit_buffer(), 0, channel, &info);
  }
  // All that is sent on this channel now: `logger text` of each message of the log, and anything else as it is. A step
  // of a job that sends nothing may have logged.
  static Messages sent(Bench& bench, SessionId session, Channel channel = mcp::only_channel, mcp::Millis now = 0) {
    Messages all;
    for (int silent = 0; silent < 2;) {
      const Reply reply = bench.server.transmit(session, bench.server.transmit_buffer(), now, channel);
      if (reply.status != Reply::Status::message) {
        ++silent;
        continue;
      }
      const std::string text(bench.server.transmit_buffer().data(), reply.size);
      const auto json = test::parse_json(text).value_or(test::Json{});
      const bool is_log = json.text_at("method") == "notifications/message";
      all.push_back(is_log ? json.text_at("params.logger") + " " + json.text_at("params.data") : text);
    }
    return all;
  }
};

TEST_F(Logging, CountsAMessageAsLostIfItDoesNotFitEscaped) {
  Bench bench(test::logs, {.transmit_size = 600, .log = 512});
  const SessionId id = open_session(bench);
  bench.server.log(LogLevel::error, "motor", std::string(300, '\x01'));
  bench.server.log(LogLevel::error, "motor", "hot");
  EXPECT_EQ(sent(bench, id), (Messages{"log 1 messages were lost.", "motor hot"}));
}

// ---- Several clients ---------------------------------------------------------------------------------------------

// Log messages of one principal's call go to no other principal, and to no other request of the same principal.
TEST_F(Logging, SendsAStatelessCallOnlyItsOwnMessages) {
  Bench bench(test::logs, {.sessions = 2});
  take_log(bench);
  const SessionId shared = bench.server.open_shared(0);
  EXPECT_EQ(ask(bench, shared, stateless("work", work("ada")), 1, 3).status, Reply::Status::none);
  EXPECT_EQ(sent(bench, shared, 3), (Messages{"ada begins", "ada begins"}));
  EXPECT_EQ(ask(bench, shared, stateless("tell", "{}"), 2, 4).status, Reply::Status::logged);
  EXPECT_EQ(ask(bench, shared, stateless("work", work("eve")), 2, 5).status, Reply::Status::none);
  EXPECT_EQ(sent(bench, shared, 3), Messages{});
  bench.server.log(LogLevel::emergency, "motor", "burns");
  EXPECT_EQ(sent(bench, shared, 3), Messages{});
  EXPECT_EQ(sent(bench, shared, 4), Messages{});
  EXPECT_EQ(sent(bench, shared, 5), (Messages{"eve begins", "eve begins"}));
  EXPECT_EQ(sent(bench, shared, 3, 100), (Messages{"ada works", "ada works"}));
  EXPECT_EQ(sent(bench, shared, 5, 100), (Messages{"eve works", "eve works"}));
  bench.server.close(shared, 100);
  EXPECT_FALSE(bench.anything_left());
}

TEST_F(Logging, SendsASessionOnlyItsOwnMessages) {
  Bench bench(test::logs, {.sessions = 3});
  take_log(bench);
  const SessionId shared = bench.server.open_shared(0);
  const SessionId ada = open_session(bench);
  const SessionId eve = open_session(bench, false);
  EXPECT_NE(bench.ask(eve, call("tell")), "");
  EXPECT_EQ(ask(bench, shared, stateless("tell", "{}"), 3, 4).status, Reply::Status::logged);
  EXPECT_EQ(sent(bench, ada), Messages{});
  EXPECT_EQ(sent(bench, eve), Messages{"tell called"}) << "the warning: it has not set a level";
  bench.server.log(LogLevel::error, "motor", "hot");
  EXPECT_EQ(sent(bench, ada), Messages{"motor hot"});
  EXPECT_EQ(sent(bench, eve), Messages{}) << "it has not set a level";
}

// Slots are reused. A new session must not get log messages of the previous one in its slot.
TEST_F(Logging, SendsANewSessionNoMessageOfThePreviousOne) {
  Bench bench(test::logs, {.sessions = 1});
  take_log(bench);
  const SessionId ada = open_session(bench);
  EXPECT_NE(bench.ask(ada, call("tell")), "");
  EXPECT_EQ(bench.ask(ada, call("work", work("ada"))), "");
  bench.server.close(ada, 0);  // the job logs that it ends
  const SessionId eve = open_session(bench);
  EXPECT_EQ(sent(bench, eve), Messages{});

  EXPECT_EQ(bench.ask(eve, call("work", work("eve"))), "");
  EXPECT_NE(bench.ask(eve, std::string(initialize)), "") << "another client on the same wire";
  EXPECT_EQ(bench.ask(eve, R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "");
  EXPECT_EQ(sent(bench, eve), Messages{});
}

TEST_F(Logging, SendsANewJobNoMessageOfThePreviousOne) {
  Bench bench(test::logs, {.sessions = 2, .jobs = 1});
  take_log(bench);
  const SessionId shared = bench.server.open_shared(0);
  EXPECT_EQ(ask(bench, shared, stateless("work", work("ada")), 1, 3).status, Reply::Status::none);
  std::vector<char> transmit_buffer(4096);
  EXPECT_EQ(bench.server.transmit(shared, transmit_buffer, 0, 3).status, Reply::Status::none) << "its step logs";
  bench.server.cancel(shared, 3, 0);
  EXPECT_EQ(ask(bench, shared, stateless("work", work("eve")), 2, 4).status, Reply::Status::none);
  EXPECT_EQ(sent(bench, shared, 4), (Messages{"eve begins", "eve begins"}));
}

// Over HTTP a session gets its slot after initialize has succeeded. Its audit must not log into the current session of
// the slot.
mcp::Server* audited = nullptr;
void log_request(const mcp::AuditRecord& record) {
  if (audited != nullptr) audited->log(LogLevel::error, "audit", record.method);
}
constexpr mcp::Definition logs_requests{.name = "logs", .version = "0", .logging = true, .audit = log_request};

TEST_F(Logging, InitializeSendsNoMessageToOtherSessions) {
  Bench bench(logs_requests, {.sessions = 2});
  const TransportInfo info(1);
  SessionId sessions[3];
  for (SessionId& session : sessions) {
    audited = &bench.server;
    std::string message(initialize);
    static_cast<void>(bench.server.receive_first(session, message, bench.server.transmit_buffer(), 0, 1, &info));
    audited = nullptr;
    if (session == SessionId{}) continue;
    EXPECT_EQ(bench.ask(session, R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "");
  }
  for (const SessionId session : sessions) EXPECT_EQ(sent(bench, session), Messages{});
}

// ---- A full ring -------------------------------------------------------------------------------------------------

TEST_F(Logging, CountsOnlyLostMessagesOfTheSession) {
  Bench bench(test::logs, {.sessions = 4, .log = 256});
  take_log(bench);
  const SessionId shared = bench.server.open_shared(0);
  const SessionId ada = open_session(bench, false);
  const SessionId bob = open_session(bench, false);
  const SessionId eve = open_session(bench, false);
  EXPECT_NE(bench.ask(ada, call("tell")), "");
  EXPECT_EQ(ask(bench, shared, stateless("work", work("job"), "warning"), 1, 3).status, Reply::Status::none);
  std::vector<char> transmit_buffer(4096);
  EXPECT_EQ(bench.server.transmit(shared, transmit_buffer, 0, 3).status, Reply::Status::none) << "its step logs";
  for (int i = 0; i < 50; ++i) EXPECT_NE(bench.ask(eve, call("tell")), "");
  EXPECT_EQ(sent(bench, ada), Messages{"log 1 messages were lost."}) << "the warning";
  EXPECT_EQ(sent(bench, bob), Messages{});
  EXPECT_EQ(sent(bench, shared, 3), Messages{"log 1 messages were lost."}) << "of the level that it asked for";
  const Messages rest = sent(bench, eve);
  ASSERT_FALSE(rest.empty());
  EXPECT_EQ(rest[0], "log " + std::to_string(50 - (rest.size() - 1)) + " messages were lost.");
}

// The number of lost messages stays at its highest value.
TEST_F(Logging, CountOfLostMessagesDoesNotWrap) {
  Bench bench(test::logs, {.sessions = 2, .log = 256});
  take_log(bench);
  const SessionId ada = open_session(bench, false);
  for (int i = 0; i < 50; ++i) EXPECT_NE(bench.ask(ada, call("tell")), "");
  bench.storage().find_session(ada)->log.lost = 0xFFFE;
  for (int i = 0; i < 50; ++i) EXPECT_NE(bench.ask(ada, call("tell")), "");
  EXPECT_EQ(sent(bench, ada).at(0), "log 65535 messages were lost.");
}

// The messages of a plain handler are sent after it, so the ring loses those that it has no space for.
const mcp::Server* talker = nullptr;
mcp::Errc talk(mcp::Call& call) {
  for (const char* const text : {"1", "2", "3", "4", "5", "6", "7", "8", "9"})
    talker->log(LogLevel::info, "talk", text);
  return call.result().text("talked");
}
constexpr mcp::Tool talking_tools[] = {mcp::tool<talk>({.name = "talk"})};
constexpr mcp::Definition talks{.name = "talks", .version = "0", .tools = talking_tools, .logging = true};

TEST_F(Logging, StatelessRequestLearnsHowManyOfItsMessagesWereLost) {
  Bench bench(talks, {.sessions = 2, .log = 64});
  talker = &bench.server;
  const SessionId shared = bench.server.open_shared(0);
  for (const auto& [level, lost] : {std::pair{"debug", true}, {"warning", false}}) {
    const std::uint64_t before = bench.server.health().logs_lost;
    const Reply reply = ask(bench, shared, stateless("talk", "{}", level), 1, 3);
    std::string text(bench.server.transmit_buffer().data(), reply.size);
    if (!lost) {
      EXPECT_EQ(reply.status, Reply::Status::message);
      EXPECT_EQ(bench.server.health().logs_lost, before) << "it has not asked for them";
      continue;
    }
    ASSERT_EQ(reply.status, Reply::Status::logged);
    Messages all;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      all.push_back(test::parse_json(text.substr(0, end)).value_or(test::Json{}).text_at("params.data"));
      text.erase(0, end + 1);
    }
    EXPECT_NE(text.find("talked"), std::string::npos);
    const std::size_t kept = all.size() - 1;
    ASSERT_TRUE(kept > 0 && kept < 9) << kept;
    EXPECT_EQ(all[0], std::to_string(9 - kept) + " messages were lost.");
    for (std::size_t i = 1; i <= kept; ++i) EXPECT_EQ(all[i], std::to_string(9 - kept + i));
    EXPECT_EQ(bench.server.health().logs_lost, before + 9 - kept);
  }
}

// ---- Scheduled calls ---------------------------------------------------------------------------------------------

// Logs its begin and its end.
struct Nap {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    talker->log(LogLevel::emergency, "nap", slept ? "ends" : "begins");
    if (slept) return context.done(context.result().text("slept"));
    slept = true;
    return context.sleep(100);
  }
};
constexpr auto later = mcp::schedulable();
constexpr mcp::Tool later_tools[] = {mcp::tool<talk>({.name = "talk"}, later), mcp::job<Nap>({.name = "nap"}, later)};
std::string ended;
void keep_ended(const mcp::AuditRecord& record) {
  if (record.client != SessionId{}) return;  // of a request
  ended += std::string(record.subject) + (record.outcome == mcp::AuditRecord::Outcome::ok ? " ok; " : " not ok; ");
}
constexpr mcp::Definition logs_later{
    .name = "later", .version = "0", .tools = later_tools, .logging = true, .audit = keep_ended};

TEST_F(Logging, SendsNoMessageOfAScheduledCall) {
  Bench bench(logs_later, {.sessions = 2, .log = 1024});
  talker = &bench.server;
  ended.clear();
  const SessionId shared = bench.server.open_shared(0);
  const SessionId ada = open_session(bench);
  EXPECT_EQ(ask(bench, shared, stateless("nap", "{}"), 1, 3).status, Reply::Status::none);
  EXPECT_EQ(sent(bench, shared, 3), Messages{"nap begins"});
  for (const char* const tool : {"talk", "nap"})
    EXPECT_NE(bench.ask(ada, call(tool, R"({"after":0})")).find("Scheduled as call"), std::string::npos);
  static_cast<void>(bench.server.poll(0));
  EXPECT_EQ(ended, "talk ok; ");
  static_cast<void>(bench.server.run_scheduled(100));
  EXPECT_EQ(ended, "talk ok; nap ok; ");
  EXPECT_EQ(sent(bench, ada), Messages{});
  EXPECT_EQ(sent(bench, shared, 3), Messages{}) << "the job in a slot has its own messages alone";
}

// ---- Tasks -------------------------------------------------------------------------------------------------------

// A task of a stateless client has no request without a response, so the log messages of its job are not sent.
TEST_F(Logging, SendsNoMessageForAStatelessTask) {
  Bench bench(test::logs, {.sessions = 2});
  take_log(bench);
  const SessionId shared = bench.server.open_shared(0);
  constexpr std::string_view declares = R"("extensions":{"io.modelcontextprotocol/tasks":{}})";
  const Reply created = ask(bench, shared, stateless("work", R"({"name":"task","times":1})", "debug", declares), 1, 3);
  const std::string text(bench.server.transmit_buffer().data(), created.size);
  EXPECT_NE(text.find(R"("taskId")"), std::string::npos);
  for (const mcp::Millis now : {0U, 100U}) {
    bench.server.advance_tasks(now);
    for (const Channel channel : {Channel{3}, mcp::only_channel, mcp::session_channel})
      EXPECT_EQ(sent(bench, shared, channel, now), Messages{});
  }
  const std::string task = test::parse_json(text).value_or(test::Json{}).text_at("result.taskId");
  std::string get =
      R"({"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":")" + task + R"(","_meta":{)" +
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{)" +
      R"("extensions":{"io.modelcontextprotocol/tasks":{}}}}}})";
  const Reply state = ask(bench, shared, get, 1, 4);
  const std::string said(bench.server.transmit_buffer().data(), state.size);
  EXPECT_NE(said.find(R"("status":"completed")"), std::string::npos) << said;
  bench.server.close(shared, 100);
  EXPECT_FALSE(bench.anything_left());
}

TEST_F(Logging, SendsMessagesOfASessionTaskToItsSession) {
  Bench bench(test::logs, {.sessions = 1});
  take_log(bench);
  const SessionId ada = open_session(bench);
  EXPECT_NE(
      bench.ask(
          ada,
          R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work","arguments":{"name":"task"},"task":{}}})"),
      "");
  EXPECT_EQ(sent(bench, ada), (Messages{"task begins", "task begins"}));
}

mcp::Server* chatty_server = nullptr;

/// Logs so much in its only step that the messages have more than 64 KiB on the wire. It may send input requests, so
/// the step is taken while the request is answered.
struct Chatty {
  mcp::Step step(mcp::AskContext& context) {
    chatty_server->log(LogLevel::error, "job", std::string(12'000, '\x01'));
    return context.done(context.result().text("done"));
  }
};
bool is_ready() {
  chatty_server->log(LogLevel::error, "interlock", "ready");
  return true;
}
constexpr mcp::Interlock ready{.holds = is_ready, .refusal = "Not ready."};
constexpr mcp::Tool chatty_tools[] = {mcp::job<Chatty, 60'000>({.name = "chatty", .needs = ready})};
constexpr mcp::Definition chatty{.name = "chatty", .version = "0", .tools = chatty_tools, .logging = true};

TEST_F(Logging, SendsMoreMessagesThan64KiBBeforeAResponse) {
  Bench bench(chatty, {.transmit_size = 200'000, .sessions = 2, .log = 60'000});
  chatty_server = &bench.server;
  const SessionId shared = bench.server.open_shared(0);
  const Reply reply = ask(bench, shared, stateless("chatty", R"({},"inputResponses":{})"), 1, 3);
  ASSERT_EQ(reply.status, Reply::Status::logged);
  std::string_view rest(bench.server.transmit_buffer().data(), reply.size);
  std::vector<std::string> all;
  for (std::size_t end = 0; end != std::string_view::npos; rest = rest.substr(std::min(end, rest.size() - 1) + 1)) {
    end = rest.find('\n');
    const auto json = test::parse_json(rest.substr(0, end));
    ASSERT_TRUE(json) << rest.substr(0, 200);
    all.push_back(json->text_at("params.logger"));
  }
  EXPECT_EQ(all, (Messages{"job", "interlock", ""}));
}

/// Begins, and never ends by itself.
struct Begun {
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return context.done();
    chatty_server->log(LogLevel::info, "job", "begins");
    return context.sleep(1'000'000);
  }
};
constexpr mcp::Tool begun_tools[] = {mcp::job<Begun>({.name = "begun"})};
void audit_of_begun(const mcp::AuditRecord& record) { chatty_server->log(LogLevel::info, "audit", record.subject); }
constexpr mcp::Definition begun{
    .name = "begun", .version = "0", .tools = begun_tools, .logging = true, .audit = audit_of_begun};

TEST_F(Logging, SendsTheAuditOfACallThatHasBegunToItsStatelessRequest) {
  Bench bench(begun, {.sessions = 2, .jobs = 4});
  chatty_server = &bench.server;
  const SessionId shared = bench.server.open_shared(0);
  EXPECT_EQ(ask(bench, shared, stateless("begun", "{}"), 1, 3).status, Reply::Status::none);
  EXPECT_EQ(ask(bench, shared, stateless("begun", "{}", ""), 1, 4).status, Reply::Status::none);
  EXPECT_EQ(sent(bench, shared, 3), (Messages{"audit begun", "job begins"}));
  EXPECT_EQ(sent(bench, shared, 4), Messages{}) << "it has asked for none";
}

// A server without `.logging` has no ring. The type of a server does not name its definition, so this is no error of
// the compiler.
TEST(LoggingOff, LogReturnsFalseAndCountsTheMessage) {
  static constexpr mcp::Definition quiet{.name = "quiet", .version = "1"};
  static constinit mcp::Storage<quiet> storage;
  static constinit const mcp::Server server{storage};
  EXPECT_FALSE(server.log(mcp::LogLevel::info, "", "text"));
  EXPECT_EQ(server.health().logs_lost, 1U);
  struct Reading {
    std::int32_t value;
  };
  static constexpr auto reading = mcp::output(mcp::param<&Reading::value>("value"));
  EXPECT_EQ(server.log(mcp::LogLevel::info, "", reading, {.value = 1}), mcp::Errc::unavailable);
  EXPECT_EQ(server.health().logs_lost, 2U);
}

}  // namespace
