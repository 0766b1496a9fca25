// SPDX-License-Identifier: Apache-2.0
// Scheduled calls: who sees and cancels them, the clocks, the share of an owner, and full memory.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "mcp/schedule.hpp"
#include "mcp/server.hpp"
#include "mcp/transport_info.hpp"
#include "support/bench.hpp"
#include "support/json.hpp"

namespace {

using mcp::Millis;
using mcp::SessionId;
using test::Bench;
using test::Json;

std::string journal;
std::string trail;
const mcp::Server* polled = nullptr;  // by the handler
std::function<void()> in_step;        // once, by a step of the job

mcp::Errc run(mcp::Call& call) {
  journal += "run; ";
  if (polled != nullptr) static_cast<void>(polled->poll(0));
  return call.result().text("ran");
}
mcp::Errc talk(mcp::Call& call) { return call.result().text("01234567890123456789012345678901234567890123456789"); }
struct Endless {
  mcp::Step step(mcp::JobContext& context) {
    if (const auto act = std::exchange(in_step, nullptr)) act();
    if (!context.stop_requested()) return context.sleep(1'000);
    journal += "stop; ";
    return context.done();
  }
};

constexpr auto at_params = mcp::schedulable_at();
constexpr auto both_params = mcp::schedulable_at(mcp::with_dry_run());
constexpr mcp::Tool tools[] = {
    mcp::tool<run>({.name = "run"}, at_params),
    mcp::tool<run, run>({.name = "try"}, both_params),
    mcp::tool<talk>({.name = "talk", .task_support = mcp::TaskSupport::optional}, at_params),
    mcp::job<Endless>({.name = "endless"}, at_params),
    mcp::cancel_scheduled({.name = "cancel"}),
};
mcp::Errc read_other(mcp::ReadResult& out) { return out.text("other"); }
constexpr mcp::Resource resources[] = {
    {.uri = "later://other", .name = "other", .read = read_other},
    mcp::scheduled_calls({.uri = "schedule://calls", .name = "calls", .mime_type = "text/plain"})};

void keep_trail(const mcp::AuditRecord& record) {
  constexpr std::string_view names[] = {"ok", "failed", "error", "later", "cancelled"};
  if (record.client != SessionId{}) return;  // of a request
  trail += std::string(record.subject) + ' ' + std::to_string(record.principal) + ' ' +
           std::string(names[static_cast<std::size_t>(record.outcome)]) + ' ' + std::to_string(record.duration_ms) +
           "; ";
}
constexpr mcp::Definition definition{
    .name = "later", .version = "1", .tools = tools, .resources = resources, .audit = keep_trail};

class Clock final : public mcp::WallClock {
 public:
  std::uint64_t utc_ms = 1'777'593'600'000;  // 2026-05-01T00:00:00Z

 private:
  std::uint64_t do_utc_ms() override { return utc_ms; }
};

class ScheduledTest : public testing::Test {
 protected:
  void SetUp() override {
    journal.clear();
    trail.clear();
    polled = nullptr;
    in_step = nullptr;
  }

  // Over a network, without a token.
  static constexpr std::uint64_t no_token = ~std::uint64_t{0};

  /// The response to a request of this principal over a network, or of a wire (0).
  Json ask(std::uint64_t principal, std::string_view method, std::string_view params, Millis now = 0) {
    std::string line = R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" +
                       std::string(params) +
                       R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                       R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
    const mcp::TransportInfo info(principal != no_token ? principal : 0);
    const mcp::Reply reply = bench_.server.receive(session_, line, bench_.server.transmit_buffer(), now,
                                                   mcp::only_channel, principal != 0 ? &info : nullptr);
    return test::parse_json({bench_.server.transmit_buffer().data(), reply.size}).value_or(Json{});
  }
  std::string call(std::uint64_t principal, std::string_view tool, std::string_view arguments, Millis now = 0) {
    const Json answer =
        ask(principal, "tools/call",
            R"("name":")" + std::string(tool) + R"(","arguments":{)" + std::string(arguments) + "}", now);
    const Json* const content = answer.at("result.content");
    return content != nullptr && !content->items.empty() ? content->items[0].text_at("text") : answer.raw;
  }
  std::string list(std::uint64_t principal, Millis now = 0) {
    const Json answer = ask(principal, "resources/read", R"("uri":"schedule://calls")", now);
    const Json* const contents = answer.at("result.contents");
    return contents != nullptr ? contents->items[0].text_at("text") : answer.text_at("error.code");
  }
  static std::string scheduled(int id) {
    return "Scheduled as call " + std::to_string(id) + ". A reset of the device loses it.";
  }

  Clock clock_;
  Bench bench_{definition, {.transmit_size = 700, .scheduled = 4, .wall_clock = &clock_}};
  SessionId session_ = bench_.server.open(0);
};

TEST_F(ScheduledTest, HidesCallsFromOtherPrincipals) {
  EXPECT_EQ(call(1, "run", R"("after":1)"), scheduled(1));
  EXPECT_EQ(call(0, "run", R"("after":1)"), scheduled(2));
  EXPECT_EQ(list(2), R"({"calls":[]})");
  EXPECT_EQ(call(2, "cancel", R"("id":1)"), "No scheduled call has the id 1.");
  EXPECT_EQ(call(2, "cancel", R"("id":2)"), "No scheduled call has the id 2.");
  EXPECT_EQ(list(1), R"({"calls":[{"id":1,"tool":"run","status":"scheduled","inSeconds":1}]})");
  EXPECT_EQ(call(1, "cancel", R"("id":2)"), "No scheduled call has the id 2.");
  // The wire is the credential.
  EXPECT_NE(list(0).find("\"id\":1"), std::string::npos);
  EXPECT_EQ(call(0, "cancel", R"("id":1)"), "Cancelled call 1.");
  static_cast<void>(bench_.server.poll(1'000));
  EXPECT_EQ(journal, "run; ");
  EXPECT_EQ(trail, "run 1 cancelled 0; run 0 ok 0; ");
}

// Without a token, stateless clients of peers that the port does not know cannot be told apart.
TEST_F(ScheduledTest, ShowsTheCallsOfUnknownPeersWithoutATokenToEachOfThem) {
  EXPECT_EQ(call(1, "run", R"("after":1)"), scheduled(1));
  EXPECT_EQ(call(no_token, "run", R"("after":1)"), scheduled(2));
  EXPECT_EQ(list(no_token), R"({"calls":[{"id":2,"tool":"run","status":"scheduled","inSeconds":1}]})");
  EXPECT_EQ(call(no_token, "cancel", R"("id":1)"), "No scheduled call has the id 1.");
  EXPECT_EQ(call(no_token, "cancel", R"("id":2)"), "Cancelled call 2.");
}

// The peer of a wire is unknown, too, but the wire is a credential.
TEST_F(ScheduledTest, HidesCallsOfAWireFromClientsWithoutAToken) {
  EXPECT_EQ(call(0, "run", R"("after":1)"), scheduled(1));
  EXPECT_EQ(list(no_token), R"({"calls":[]})");
  EXPECT_EQ(call(no_token, "cancel", R"("id":1)"), "No scheduled call has the id 1.");
  static_cast<void>(bench_.server.poll(1'000));
  EXPECT_EQ(journal, "run; ");
}

TEST_F(ScheduledTest, GivesOneOwnerItsShare) {
  for (int i = 1; i <= 3; ++i) EXPECT_EQ(call(1, "run", R"("after":5)"), scheduled(i));
  EXPECT_EQ(call(1, "run", R"("after":5)"),
            "All 3 slots of scheduled calls for one client are in use; cancel one, or try again later.");
  EXPECT_EQ(call(2, "run", R"("after":9)"), scheduled(4));
  EXPECT_EQ(call(2, "run", R"("after":9)"),
            "All 4 slots of scheduled calls are in use; cancel one, or try again later.");
  EXPECT_EQ(call(2, "cancel", R"("id":4)"), "Cancelled call 4.");
  // An owner that has used its share gets no slot of another owner.
  EXPECT_EQ(call(1, "run", R"("after":5)"),
            "All 3 slots of scheduled calls for one client are in use; cancel one, or try again later.");
  EXPECT_EQ(call(1, "cancel", R"("id":2)"), "Cancelled call 2.");
  EXPECT_EQ(call(1, "run", R"("after":5)"), scheduled(5));
  EXPECT_EQ(list(2), R"({"calls":[{"id":4,"tool":"run","status":"cancelled"}]})");
  EXPECT_EQ(call(2, "run", R"("after":9)"), scheduled(6));
}

TEST_F(ScheduledTest, ReplacesOldestEndedCall) {
  for (int i = 1; i <= 4; ++i) EXPECT_EQ(call(0, "run", R"("after":5)"), scheduled(i));
  for (const char* const id : {"3", "2", "4"}) {
    static_cast<void>(call(0, "cancel", R"("id":)" + std::string(id)));
  }
  EXPECT_EQ(call(0, "run", R"("after":5)"), scheduled(5));
  EXPECT_EQ(list(0).find("\"id\":2"), std::string::npos);
  EXPECT_NE(list(0).find("\"id\":3"), std::string::npos);
}

TEST_F(ScheduledTest, RunsAtTimeOfWallClock) {
  EXPECT_EQ(call(0, "run", R"("at":"2026-05-01T02:00:10+02:00")"), scheduled(1));
  EXPECT_EQ(list(0), R"({"calls":[{"id":1,"tool":"run","status":"scheduled","inSeconds":10}]})");
  EXPECT_EQ(bench_.server.poll(0), 10'000U);
  // Time passes on the clock of the server alone.
  EXPECT_EQ(bench_.server.poll(60'000), 10'000U);
  EXPECT_EQ(journal, "");
  clock_.utc_ms += 10'000;
  EXPECT_EQ(bench_.server.run_scheduled(60'001), 0U);
  EXPECT_EQ(journal, "run; ");
  EXPECT_EQ(bench_.server.run_scheduled(60'002), mcp::forever);
}

TEST_F(ScheduledTest, LooksAtWallClockOnceAMinute) {
  EXPECT_EQ(call(0, "run", R"("at":"2099-12-31T23:59:59Z")"), scheduled(1));
  EXPECT_EQ(bench_.server.poll(0), 60'000U);
  EXPECT_EQ(list(0), R"({"calls":[{"id":1,"tool":"run","status":"scheduled","inSeconds":4294967}]})");
  clock_.utc_ms = 4'102'444'799'000;
  EXPECT_EQ(bench_.server.poll(1), 0U);
  EXPECT_EQ(journal, "run; ");
}

TEST_F(ScheduledTest, RejectsTimes) {
  EXPECT_EQ(call(0, "run", R"("at":"2026-05-01T00:00:00Z")"),
            "Argument \"at\" is in the past by the clock of the device; use after.");
  EXPECT_EQ(call(0, "run", R"("at":"2027-01-01T00:00:00Z","after":1)"), "Give after or at, and not both.");
  for (const char* const text : {"",
                                 "2027",
                                 "2027-13-01T00:00:00Z",
                                 "2027-00-01T00:00:00Z",
                                 "2027-02-29T00:00:00Z",
                                 "2027-01-32T00:00:00Z",
                                 "2027-01-00T00:00:00Z",
                                 "2027-01-01 00:00:00Z",
                                 "2027-01-01T24:00:00Z",
                                 "2027-01-01T00:60:00Z",
                                 "2027-01-01T00:00:61Z",
                                 "2027-01-01T00:00:00",
                                 "2027-01-01T00:00:00.Z",
                                 "2027-01-01T00:00:00.5",
                                 "202a-01-01T00:00:00.5Z",
                                 "2027-01-01T00:00:00Zx",
                                 "2027-01-01T00:00:00+24:00",
                                 "2027-01-01T00:00:00+0000",
                                 "2027-01-01T00:00:00+00:60",
                                 "2100-01-01T00:00:00Z",
                                 "1969-12-31T23:59:59Z",
                                 "1970-01-01T00:00:00+01:00",
                                 "2027/01-01T00:00:00Z",
                                 "2027-01/01T00:00:00Z",
                                 "2027-01-01T00.00:00Z",
                                 "2027-01-01T00:00.00Z",
                                 "202a-01-01T00:00:00Z",
                                 "2027-01-01T00:00:00+01.00"}) {
    EXPECT_EQ(call(0, "run", R"("at":")" + std::string(text) + '"'),
              "Argument \"at\" must be a time such as 2026-05-01T06:00:00Z, before the year 2100.")
        << text;
  }
}

TEST_F(ScheduledTest, ReadsTimes) {
  const auto wait_of = [&](const char* text) {
    EXPECT_EQ(call(0, "run", R"("at":")" + std::string(text) + '"').substr(0, 9), "Scheduled") << text;
    const Millis wait_ms = bench_.server.poll(0);
    for (int id = 1; id < 40; ++id) static_cast<void>(call(0, "cancel", R"("id":)" + std::to_string(id)));
    return wait_ms;
  };
  EXPECT_EQ(wait_of("2026-05-01T00:00:01Z"), 1'000U);
  EXPECT_EQ(wait_of("2026-05-01t00:00:01z"), 1'000U);
  EXPECT_EQ(wait_of("2026-05-01T00:00:01.5Z"), 1'500U);
  EXPECT_EQ(wait_of("2026-05-01T00:00:01.0239Z"), 1'023U);
  EXPECT_EQ(wait_of("2026-04-30T23:30:30-00:30"), 30'000U);
  EXPECT_EQ(wait_of("2026-05-01T05:30:30+05:30"), 30'000U);
  clock_.utc_ms = 1'709'164'790'000;  // 2024-02-28T23:59:50Z
  EXPECT_EQ(wait_of("2024-02-29T00:00:00Z"), 10'000U);
  clock_.utc_ms = 1'709'251'190'000;  // 2024-02-29T23:59:50Z
  EXPECT_EQ(wait_of("2024-03-01T00:00:00Z"), 10'000U);
  EXPECT_EQ(wait_of("2024-02-29T23:59:60Z"), 10'000U);
  clock_.utc_ms = 0;
  EXPECT_EQ(wait_of("1970-01-01T00:00:01Z"), 1'000U);
}

TEST_F(ScheduledTest, RunsAfterWrapOfTheClock) {
  EXPECT_EQ(call(0, "run", R"("after":2)", 0xFFFF'FF00), scheduled(1));
  EXPECT_EQ(bench_.server.poll(0xFFFF'FF00), 2'000U);
  EXPECT_EQ(bench_.server.poll(0), 2'000U - 0x100U);
  EXPECT_EQ(journal, "");
  EXPECT_EQ(bench_.server.poll(2'000 - 0x100), 0U);
  EXPECT_EQ(journal, "run; ");
}

TEST_F(ScheduledTest, EndsCallsOfPrincipal) {
  EXPECT_EQ(call(1, "run", R"("after":5)"), scheduled(1));
  EXPECT_EQ(call(1, "endless", R"("after":0)"), scheduled(2));
  EXPECT_EQ(call(2, "run", R"("after":5)"), scheduled(3));
  EXPECT_EQ(call(0, "run", R"("after":5)"), scheduled(4));
  static_cast<void>(bench_.server.poll(0));
  bench_.server.end_principal(1, 0);
  EXPECT_EQ(list(1), R"({"calls":[]})");
  EXPECT_EQ(bench_.server.poll(0), 0U);
  EXPECT_EQ(journal, "stop; ");
  EXPECT_EQ(trail, "run 1 cancelled 0; endless 1 cancelled 0; ");
  static_cast<void>(bench_.server.poll(1));
  EXPECT_EQ(list(0), R"({"calls":[{"id":3,"tool":"run","status":"scheduled","inSeconds":5},)"
                     R"({"id":4,"tool":"run","status":"scheduled","inSeconds":5}]})");
  static_cast<void>(bench_.server.poll(5'000));
  EXPECT_EQ(journal, "stop; run; run; ");
}

TEST_F(ScheduledTest, ListsCallsWithoutResultsThatDoNotFit) {
  for (int i = 1; i <= 4; ++i) EXPECT_EQ(call(0, "talk", R"("after":0)"), scheduled(i));
  static_cast<void>(bench_.server.poll(0));
  EXPECT_EQ(list(0), R"({"calls":[{"id":1,"tool":"talk","status":"done"},{"id":2,"tool":"talk","status":"done"},)"
                     R"({"id":3,"tool":"talk","status":"done"},{"id":4,"tool":"talk","status":"done"}]})");
}

TEST_F(ScheduledTest, RejectsListThatDoesNotFit) {
  Bench bench(definition, {.transmit_size = 300, .scheduled = 4, .wall_clock = &clock_});
  const SessionId session = bench.server.open(0);
  const auto ask_bench = [&](std::string_view method, std::string_view params) {
    return bench.ask(session, R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" +
                                  std::string(params) + "}}");
  };
  static_cast<void>(ask_bench("initialize", R"("protocolVersion":"2025-11-25","capabilities":{},)"
                                            R"("clientInfo":{"name":"c","version":"1"})"));
  for (int i = 0; i < 4; ++i) static_cast<void>(ask_bench("tools/call", R"("name":"talk","arguments":{"after":9})"));
  EXPECT_NE(ask_bench("resources/read", R"("uri":"schedule://calls")").find("-32603"), std::string::npos);
}

TEST_F(ScheduledTest, TakesHandlerThatPolls) {
  EXPECT_EQ(call(0, "run", R"("after":0)"), scheduled(1));
  polled = &bench_.server;
  EXPECT_EQ(bench_.server.poll(0), 0U);
  EXPECT_EQ(journal, "run; ");
}

TEST_F(ScheduledTest, CallWithoutATimeTakesASlotOfJobs) {
  Bench bench(definition, {.sessions = 2, .jobs = 1, .wall_clock = &clock_});
  const std::string_view request =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"endless","_meta":)"
      R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
  EXPECT_EQ(bench.ask(bench.server.open(0), request), "");
  const std::string second = bench.ask(bench.server.open(0), request);
  EXPECT_NE(second.find("All 1 job slots are in use"), std::string::npos) << second;
}

using ScheduledDeathTest = ScheduledTest;

TEST_F(ScheduledDeathTest, AbortsIfAStepCancelsItsOwnCall) {
  EXPECT_EQ(call(0, "endless", R"("after":0)"), scheduled(1));
  in_step = [this] { static_cast<void>(call(0, "cancel", R"("id":1)")); };
  EXPECT_DEATH(static_cast<void>(bench_.server.poll(0)), "contract");
}

TEST_F(ScheduledTest, RunsDryRunAtOnce) {
  EXPECT_EQ(call(0, "try", R"("dry_run":true,"at":"2030-01-01T00:00:00Z")"), "ran");
  EXPECT_EQ(call(0, "try", R"("at":"2030-01-01T00:00:00Z")"), scheduled(1));
}

TEST_F(ScheduledTest, StoresAnswerThatDoesNotFit) {
  EXPECT_EQ(call(0, "talk", R"("after":0)"), scheduled(1));
  Bench bench(definition, {.scheduled = 1, .scheduled_result = 96, .wall_clock = &clock_});
  const SessionId session = bench.server.open(0);
  static_cast<void>(
      bench.ask(session, R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                         R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})"));
  static_cast<void>(bench.ask(
      session, R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"talk","arguments":{"after":0}}})"));
  static_cast<void>(bench.server.poll(0));
  const std::string text =
      bench.ask(session, R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"schedule://calls"}})");
  EXPECT_NE(text.find(R"(\"status\":\"failed\",\"error\":{\"code\":-32603,)"), std::string::npos) << text;
  EXPECT_EQ(trail, "talk 0 error 0; ");
}

TEST(ScheduledStorage, HasMemoryOfEachCall) {
  static constexpr mcp::Limits limits{.jobs = 1, .tasks = 1, .scheduled_calls = 3};
  static constinit mcp::Storage<definition, limits> storage;
  const mcp::detail::StorageView view = storage.view();
  EXPECT_EQ(view.scheduled.capacity(), 3U);
  EXPECT_EQ(view.scheduled_state_size, 8U);
  EXPECT_EQ(view.scheduled.slot_size(), sizeof(mcp::detail::ScheduledCall) + 8 + limits.scheduled_result_size);
}

// ---- Scopes and callers without a token
// ------------------------------------------------------------------------------

constexpr std::string_view scope_names[] = {"pump:read", "pump:write"};
constexpr std::string_view other_scope_names[] = {"pump:write", "pump:read"};

mcp::Errc tell_scopes(mcp::Call& call) {
  const mcp::Caller caller = call.caller();
  return call.result().text(caller.principal(), caller.has_scope("pump:read") ? " reads" : " reads not",
                            caller.has_scope("pump:write") ? " writes" : " writes not");
}
struct TellScopesLater {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (!std::exchange(slept, true)) return context.sleep(10);
    return context.done(tell_scopes(context));
  }
};
constexpr auto schedule_alone = mcp::schedulable();
constexpr mcp::Tool scoped_tools[] = {
    mcp::tool<tell_scopes>({.name = "pump", .scope = "pump:write"}, schedule_alone),
    mcp::tool<tell_scopes>({.name = "plain"}, schedule_alone),
    mcp::job<TellScopesLater>({.name = "later"}, schedule_alone),
    mcp::cancel_scheduled({.name = "cancel"}),
};
constexpr mcp::Resource scoped_resources[] = {mcp::scheduled_calls({.uri = "schedule://calls", .name = "calls"})};
constexpr mcp::Definition scoped_definition{
    .name = "later", .version = "1", .tools = scoped_tools, .resources = scoped_resources, .scopes = scope_names};

/// A caller of a network.
struct From {
  std::uint64_t principal = 0;
  std::uint64_t peer = 0;
  std::string_view scopes = "pump:read pump:write";
};

class ScheduledCallersTest : public testing::Test {
 protected:
  std::string send(SessionId session, const From& from, std::string line, Millis now = 0) {
    mcp::TransportInfo info(from.principal, from.peer);
    info.scopes = scoped_definition.scopes.named(from.scopes);
    const mcp::Reply reply =
        bench_.server.receive(session, line, bench_.server.transmit_buffer(), now, mcp::only_channel, &info);
    return {bench_.server.transmit_buffer().data(), reply.size};
  }
  SessionId open(const From& from) {
    const mcp::TransportInfo info(from.principal, from.peer);
    const SessionId session = bench_.server.open(0, &info);
    send(session, from,
         R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
         R"("clientInfo":{"name":"c","version":"0"}}})");
    send(session, from, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    return session;
  }
  std::string ask(SessionId session, const From& from, std::string_view method, std::string_view params, Millis now) {
    constexpr std::string_view meta = R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                      R"("io.modelcontextprotocol/clientCapabilities":{}})";
    return send(session, from,
                R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" +
                    std::string(params) + std::string(session == shared_ ? meta : std::string_view()) + "}}",
                now);
  }
  std::string call(SessionId session, const From& from, std::string_view tool, std::string_view arguments) {
    const std::string response =
        ask(session, from, "tools/call",
            R"("name":")" + std::string(tool) + R"(","arguments":{)" + std::string(arguments) + "}", 0);
    const Json answer = test::parse_json(response).value_or(Json{});
    const Json* const content = answer.at("result.content");
    return content != nullptr && !content->items.empty() ? content->items[0].text_at("text") : response;
  }
  void schedule(SessionId session, const From& from, std::string_view tool = "plain") {
    const std::string said = call(session, from, tool, R"("after":5)");
    EXPECT_EQ(said.substr(0, 17), "Scheduled as call") << said;
  }
  std::string list(SessionId session, const From& from, Millis now = 0) {
    const Json answer =
        test::parse_json(ask(session, from, "resources/read", R"("uri":"schedule://calls")", now)).value_or(Json{});
    const Json* const contents = answer.at("result.contents");
    return contents != nullptr ? contents->items[0].text_at("text") : answer.text_at("error.code");
  }
  void expect_hidden(SessionId session, const From& from, int id) {
    EXPECT_EQ(list(session, from), R"({"calls":[]})");
    EXPECT_EQ(call(session, from, "cancel", R"("id":)" + std::to_string(id)),
              "No scheduled call has the id " + std::to_string(id) + ".");
  }

  Bench bench_{scoped_definition, {.sessions = 4, .scheduled = 4}};
  SessionId shared_ = bench_.server.open_shared(0);
};

TEST_F(ScheduledCallersTest, TokenWithoutTheScopeOfTheToolNeitherSeesNorCancelsItsCalls) {
  const From strong{.principal = 1};
  const From weak{.principal = 1, .scopes = "pump:read"};
  const SessionId session = open(strong);
  for (const SessionId place : {shared_, session}) {
    EXPECT_NE(call(place, weak, "pump", R"("after":5)").find("The scope pump:write is required"), std::string::npos);
    schedule(place, strong, "pump");
  }
  for (const SessionId place : {shared_, session}) {
    expect_hidden(place, weak, 1);
    expect_hidden(place, weak, 2);
  }
  EXPECT_NE(list(shared_, strong).find("\"id\":2"), std::string::npos);
  // A call of a tool without a scope is for each token of its principal.
  schedule(shared_, strong);
  EXPECT_EQ(list(shared_, weak), R"({"calls":[{"id":3,"tool":"plain","status":"scheduled","inSeconds":5}]})");
  EXPECT_EQ(call(shared_, weak, "cancel", R"("id":3)"), "Cancelled call 3.");
  EXPECT_EQ(call(session, strong, "cancel", R"("id":1)"), "Cancelled call 1.");
}

TEST_F(ScheduledCallersTest, StatelessCallWithoutATokenBelongsToItsPeer) {
  schedule(shared_, {.peer = 7});
  expect_hidden(shared_, {.peer = 8}, 1);
  expect_hidden(shared_, {.peer = 0}, 1);
  expect_hidden(shared_, {.principal = 7, .peer = 7}, 1);
  expect_hidden(shared_, {.principal = 7}, 1);
  EXPECT_EQ(call(shared_, {.peer = 7}, "cancel", R"("id":1)"), "Cancelled call 1.");
}

TEST_F(ScheduledCallersTest, CallOfASessionWithoutATokenBelongsToTheSession) {
  const From peer{.peer = 7};
  const SessionId session = open(peer);
  const SessionId neighbour = open(peer);
  schedule(session, peer);
  expect_hidden(neighbour, peer, 1);
  expect_hidden(shared_, peer, 1);
  EXPECT_NE(list(session, peer).find("\"id\":1"), std::string::npos);
  // A response that only closes a channel ends no session.
  bench_.server.cancel(session, 3, 0);
  expect_hidden(neighbour, peer, 1);
  // The session ends: the next one of the same host sees the call, and no other host.
  bench_.server.close(neighbour, 0);
  expect_hidden(shared_, peer, 1);
  bench_.server.close(session, 0);
  expect_hidden(open({.peer = 8}), {.peer = 8}, 1);
  const SessionId next = open(peer);
  EXPECT_NE(list(next, peer).find("\"id\":1"), std::string::npos);
  EXPECT_EQ(call(next, peer, "cancel", R"("id":1)"), "Cancelled call 1.");
}

TEST_F(ScheduledCallersTest, RunHasTheScopesOfItsRequest) {
  const From reader{.principal = 5, .scopes = "pump:read"};
  schedule(shared_, reader);
  schedule(shared_, reader, "later");
  schedule(shared_, {.principal = 5}, "pump");
  static_cast<void>(bench_.server.poll(5'000));
  static_cast<void>(bench_.server.poll(5'010));
  const std::string all = list(shared_, {.principal = 5}, 5'010);
  const std::size_t weak = all.find("5 reads writes not");
  ASSERT_NE(weak, std::string::npos) << all;
  EXPECT_NE(all.find("5 reads writes not", weak + 1), std::string::npos) << all;
  EXPECT_NE(all.find("5 reads writes\""), std::string::npos) << all;
}

// Only another Definition in the same memory can change the scope of a row after the call was scheduled.
TEST_F(ScheduledCallersTest, RunComparesTheScopeOfTheRow) {
  static mcp::Definition changing = scoped_definition;
  changing.scopes = scope_names;
  Bench bench(changing, {.scheduled = 1});
  const SessionId session = bench.server.open(0);
  const auto ask_writer = [&](std::string line) {
    mcp::TransportInfo info(1);
    info.scopes = changing.scopes.named("pump:write");
    const mcp::Reply reply =
        bench.server.receive(session, line, bench.server.transmit_buffer(), 0, mcp::only_channel, &info);
    return std::string(bench.server.transmit_buffer().data(), reply.size);
  };
  constexpr std::string_view meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                    R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
  EXPECT_NE(ask_writer(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pump",)"
                       R"("arguments":{"after":1},)" +
                       std::string(meta))
                .find("Scheduled"),
            std::string::npos);
  changing.scopes = other_scope_names;
  static_cast<void>(bench.server.poll(1'000));
  const std::string all = ask_writer(
      R"({"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"schedule://calls",)" + std::string(meta));
  EXPECT_NE(all.find("The call was scheduled without the scope of the tool."), std::string::npos) << all;
}

}  // namespace
