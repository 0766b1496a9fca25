// SPDX-License-Identifier: Apache-2.0
// Several owners at one server: which place a new session takes, and how much of each pool one owner may hold.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
using mcp::TransportInfo;
using test::Bench;
using test::Json;
using Owner = std::uint64_t;

/// Works until it is cancelled.
struct Endless {
  mcp::Step step(mcp::JobContext& context) {
    return context.stop_requested() ? context.done(context.result().text("ended")) : context.sleep(1'000);
  }
};

/// Works for 30 s.
struct Long {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested() || slept) return context.done(context.result().text("ended"));
    slept = true;
    return context.sleep(30'000);
  }
};

mcp::Errc done(mcp::Call& call) { return call.result().text("done"); }
mcp::Chunk never(std::uint32_t, std::span<std::uint8_t>) { return mcp::Chunk::not_ready(1'000); }

constexpr mcp::Tool tools[] = {mcp::job<Endless>({.name = "work"}),
                               mcp::job<Long>({.name = "long", .task_support = mcp::TaskSupport::optional}),
                               mcp::job<Endless>({.name = "task", .task_support = mcp::TaskSupport::required}),
                               mcp::tool<done>({.name = "short", .task_support = mcp::TaskSupport::required})};
constexpr mcp::Resource resources[] = {
    {.uri = "stream:never", .name = "never", .stream = mcp::text_stream(never), .subscribable = true}};
constexpr mcp::Definition definition{
    .name = "owners", .version = "1", .tools = tools, .resources = resources, .subscriptions = true};
constexpr mcp::Definition modern_definition{.name = "modern", .version = "1", .eras = mcp::modern_era};

std::string initialize(std::string_view params = R"("protocolVersion":"2025-11-25","capabilities":{},)"
                                                 R"("clientInfo":{"name":"c","version":"1"})") {
  return R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{)" + std::string(params) + "}}";
}

std::string stateless(std::string_view method, std::string_view params) {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" + std::string(params) +
         R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
         R"("io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}})";
}

std::string call(std::string_view tool) {
  return stateless("tools/call", R"("arguments":{},"name":")" + std::string(tool) + '"');
}

/// The outcome of a request: its response, or nothing while it has none.
struct Answer {
  Reply reply;
  Json json;

  [[nodiscard]] std::string error() const { return json.text_at("error.message"); }
};

class OwnersTest : public testing::Test {
 protected:
  Answer ask(Bench& bench, SessionId& session, Owner owner, std::string message, Millis now, Channel channel) {
    const TransportInfo info(owner);
    const Reply reply =
        session == SessionId{} || session == shared_
            ? bench.server.receive_first(session, message, bench.server.transmit_buffer(), now, channel, &info)
            : bench.server.receive(session, message, bench.server.transmit_buffer(), now, channel, &info);
    return {reply, test::parse_json({bench.server.transmit_buffer().data(), reply.size}).value_or(Json{})};
  }
  /// Like a POST: an initialized session without a stream; SessionId{} if it was rejected.
  SessionId begin(Bench& bench, Owner owner, Millis now) {
    SessionId session;
    rejection_ = ask(bench, session, owner, initialize(), now, 1);
    if (session == SessionId{}) return session;
    bench.server.set_listening(session, false);
    static_cast<void>(ask(bench, session, owner, R"({"jsonrpc":"2.0","method":"notifications/initialized"})", now, 1));
    return session;
  }
  /// Stateless requests, each on its own channel.
  Answer ask_stateless(Bench& bench, Owner owner, const std::string& message, Millis now = 0) {
    SessionId session = shared_;
    return ask(bench, session, owner, message, now, ++channel_);
  }
  std::string create_task(Bench& bench, Owner owner, Millis now) {
    return ask_stateless(bench, owner, call("short"), now).json.text_at("result.taskId");
  }
  std::string get_task(Bench& bench, Owner owner, const std::string& id) {
    return ask_stateless(bench, owner, stateless("tasks/get", R"("taskId":")" + id + '"')).error();
  }
  void call_in(Bench& bench, SessionId session, std::string_view tool, Millis now = 0) {
    EXPECT_EQ(
        ask(bench, session, 0,
            R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":")" + std::string(tool) + "\"}}", now, 1)
            .reply.status,
        Reply::Status::none);
  }
  static bool lives(Bench& bench, SessionId session) { return bench.server.is_open(session); }

  SessionId shared_;
  Answer rejection_{};
  Channel channel_ = 1;
};

// ---- Places of sessions ------------------------------------------------------------------------------------------

constexpr Owner ada = 0x0A00'0001;
constexpr Owner bob = 0x0A00'0002;
constexpr Owner eve = 0x0A00'0003;

TEST_F(OwnersTest, FloodOfSessionsEndsNoSessionOfOthers) {
  Bench bench(definition, {.sessions = 4});
  const SessionId of_ada = begin(bench, ada, 0);
  const SessionId of_bob = begin(bench, bob, 0);
  call_in(bench, of_bob, "work");
  int begun = 0;
  for (Millis now = 1; now < 60'000; now += 2) {
    if (begin(bench, eve, now) != SessionId{}) ++begun;
    if (now % 30'000 == 1) bench.ask(of_ada, R"({"jsonrpc":"2.0","id":1,"method":"ping"})", now);
  }
  EXPECT_TRUE(lives(bench, of_ada) && lives(bench, of_bob));
  EXPECT_EQ(begun, 2 * 6) << "each of its two slots once in 10 s";
}

// Session slots in their order of eviction. Each case names the evicted session.
TEST_F(OwnersTest, NewSessionTakesSlotsInTheDocumentedOrder) {
  enum class Use { idle, listening, busy };
  struct Place {
    Owner owner;
    Use use;
    Millis last_used;
  };
  struct Case {
    Place places[3];
    Owner owner;
    int ends;  // which of the three; -1: the new one is rejected
  };
  constexpr Millis now = 100'000;
  constexpr Millis recent = now - 59'999;
  constexpr Millis old = now - 60'000;
  constexpr Millis own_recent = now - 9'999;
  constexpr Millis own_old = now - 10'000;
  constexpr Case cases[] = {
      {{{ada, Use::idle, recent}, {eve, Use::idle, own_old}, {bob, Use::idle, 1}}, eve, 1},
      {{{ada, Use::idle, recent}, {eve, Use::idle, own_recent}, {bob, Use::idle, old}}, eve, 2},
      {{{ada, Use::idle, recent}, {eve, Use::idle, own_recent}, {bob, Use::idle, recent}}, eve, -1},
      {{{ada, Use::idle, recent}, {eve, Use::idle, now}, {bob, Use::idle, recent}}, eve, -1},
      {{{ada, Use::idle, recent}, {eve, Use::idle, 2}, {eve, Use::idle, 1}}, eve, 2},
      {{{ada, Use::idle, recent}, {eve, Use::idle, 5}, {eve, Use::idle, 5}},
       eve,
       1},  // of two, the one that began first
      {{{ada, Use::idle, recent}, {bob, Use::idle, recent}, {bob, Use::idle, old}}, eve, 2},
      {{{ada, Use::idle, old}, {bob, Use::idle, 2}, {bob, Use::idle, 1}}, eve, 2},
      {{{ada, Use::idle, recent}, {bob, Use::idle, recent}, {bob, Use::idle, recent}}, eve, -1},
      {{{ada, Use::listening, 1}, {bob, Use::busy, 1}, {bob, Use::idle, old}}, eve, 2},
      {{{ada, Use::listening, 1}, {bob, Use::busy, 1}, {bob, Use::listening, 1}}, eve, -1},
      {{{eve, Use::listening, 1}, {bob, Use::busy, 1}, {bob, Use::idle, old}}, eve, 2},
      {{{eve, Use::listening, 1}, {bob, Use::busy, 1}, {bob, Use::idle, recent}}, eve, -1},
      {{{eve, Use::busy, 1}, {bob, Use::listening, 1}, {bob, Use::listening, 1}}, eve, -1},
      {{{eve, Use::listening, 1}, {eve, Use::listening, 1}, {bob, Use::idle, old}}, eve, -1},  // its share
      {{{eve, Use::listening, 1}, {eve, Use::idle, own_recent}, {bob, Use::idle, old}}, eve, -1},
      {{{eve, Use::listening, 1}, {eve, Use::idle, own_old}, {bob, Use::idle, 1}}, eve, 1},
      {{{eve, Use::idle, own_old}, {eve, Use::busy, 1}, {bob, Use::idle, 1}}, eve, 0},
      {{{0, Use::listening, 1}, {0, Use::listening, 9}, {0, Use::busy, 1}}, 0, -1},  // unknown owners are one owner
      {{{0, Use::listening, 1}, {0, Use::idle, own_recent}, {0, Use::busy, 1}}, 0, -1},
      {{{0, Use::listening, 1}, {0, Use::idle, own_old}, {0, Use::busy, 1}}, 0, 1},
      {{{0, Use::busy, 1}, {0, Use::busy, 1}, {0, Use::busy, 1}}, 0, -1},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(&c - cases);
    Bench bench(definition, {.sessions = 3, .jobs = 3, .reserved_for_others = 1});
    std::vector<SessionId> sessions;
    for (const Place& place : c.places) {
      // Of one owner that takes them all there is a share, which the places of this test are not bound by.
      SessionId session = begin(bench, place.owner == eve ? 0 : place.owner, 0);
      ASSERT_NE(session, SessionId{});
      bench.storage().find_session(session)->owner = static_cast<std::uint32_t>(place.owner);
      if (place.use == Use::busy) call_in(bench, session, "work");
      if (place.use == Use::listening) bench.server.set_listening(session, true);
      bench.storage().find_session(session)->last_used = place.last_used;
      sessions.push_back(session);
    }
    const TransportInfo info(c.owner);
    EXPECT_EQ(bench.server.slot_due(now, &info) == 0, c.ends >= 0);
    const SessionId fresh = begin(bench, c.owner, now);
    EXPECT_EQ(fresh != SessionId{}, c.ends >= 0);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(lives(bench, sessions[static_cast<std::size_t>(i)]), i != c.ends) << i;
    EXPECT_EQ(rejection_.reply.error == Reply::Error::slot, c.ends < 0);
    EXPECT_EQ(rejection_.json.raw.find("-32603") != std::string::npos, c.ends < 0) << rejection_.json.raw;
  }
}

// With one place, its session ends for a new one as with several, but there is no share to look for.
TEST_F(OwnersTest, EvictsTheOnlySessionByTheSameRules) {
  enum class Use { idle, listening, busy };
  struct Case {
    Owner owner;  // of the session; the new one is of eve, or unknown as well
    Use use;
    Millis idle_ms;
    Millis due_ms;  // 0: the session ends
  };
  constexpr Millis now = 100'000;
  constexpr Case cases[] = {
      {eve, Use::idle, 0, 10'000},      {eve, Use::idle, 9'999, 1},
      {eve, Use::idle, 10'000, 0},      {eve, Use::listening, 60'000, 10'000},
      {eve, Use::busy, 60'000, 10'000}, {bob, Use::idle, 59'000, 1'000},
      {bob, Use::idle, 60'000, 0},      {bob, Use::listening, 60'000, 60'000},
      {bob, Use::busy, 60'000, 60'000}, {0, Use::idle, 9'000, 1'000},
      {0, Use::idle, 10'000, 0},        {0, Use::listening, 60'000, 10'000},
      {0, Use::busy, 60'000, 10'000},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(&c - cases);
    Bench bench(definition, {.sessions = 1});
    const SessionId session = begin(bench, c.owner, 0);
    if (c.use == Use::busy) call_in(bench, session, "work");
    bench.server.set_listening(session, c.use == Use::listening);
    bench.storage().find_session(session)->last_used = now - c.idle_ms;
    const Owner owner = c.owner == 0 ? 0 : eve;
    const TransportInfo info(owner);
    EXPECT_EQ(bench.server.slot_due(now, &info), c.due_ms);
    EXPECT_EQ(begin(bench, owner, now) != SessionId{}, c.due_ms == 0);
    EXPECT_EQ(lives(bench, session), c.due_ms != 0);
  }
}

// Of several wires, the server does not know which one began again.
TEST_F(OwnersTest, NewWireTakesOverTheOnlySessionAlone) {
  for (const std::size_t wires : {1U, 2U}) {
    Bench bench(definition, {.sessions = wires});
    std::vector<SessionId> sessions;
    for (std::size_t i = 0; i < wires; ++i) {
      sessions.push_back(bench.server.open(0));
      EXPECT_NE(bench.ask(sessions.back(), initialize()), "");
    }
    const bool takes_over = bench.server.open(1) != SessionId{};
    EXPECT_EQ(takes_over, wires == 1);
    for (const SessionId session : sessions) EXPECT_EQ(lives(bench, session), wires != 1);
    EXPECT_EQ(bench.server.health().sessions_full, takes_over ? 0U : 1U);
  }
}

// The time of an idle session begins with the end of a stream or a call again, not with the request that began it.
TEST_F(OwnersTest, NotedUseBeginsTheIdleTimeAgain) {
  for (const std::size_t sessions : {std::size_t{1}, std::size_t{2}}) {
    Bench bench(definition, {.sessions = sessions, .reserved_for_others = 0});
    const SessionId first = begin(bench, eve, 0);
    if (sessions == 2) bench.server.set_listening(begin(bench, eve, 0), true);
    bench.server.note_use(first, 50'000);
    bench.server.note_use(SessionId{}, 50'000);
    EXPECT_EQ(begin(bench, eve, 59'999), SessionId{});
    EXPECT_EQ(rejection_.json.text_at("error.data.mote/retryAfterMs"), "1");
    EXPECT_NE(begin(bench, eve, 60'000), SessionId{});
    EXPECT_FALSE(lives(bench, first));
  }
}

// With 0, only a stream or a call keeps a session.
// Without a stream, the server alone knows of the end: over MQTT, and of a task.
TEST_F(OwnersTest, EndOfACallBeginsTheIdleTimeAgain) {
  for (const char* const params : {R"("name":"long")", R"("name":"long","task":{})"}) {
    Bench bench(definition, {.sessions = 1});
    SessionId session = begin(bench, ada, 0);
    static_cast<void>(ask(bench, session, ada,
                          R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{)" + std::string(params) + "}}", 0,
                          1));
    bench.server.advance_tasks(0);
    static_cast<void>(bench.server.transmit(session, bench.server.transmit_buffer(), 0, 1));
    EXPECT_EQ(begin(bench, ada, 29'999), SessionId{}) << params;
    bench.server.advance_tasks(30'000);
    static_cast<void>(bench.server.transmit(session, bench.server.transmit_buffer(), 30'000, 1));
    EXPECT_EQ(begin(bench, ada, 39'999), SessionId{}) << params;
    EXPECT_EQ(begin(bench, bob, 40'000), SessionId{}) << params;
    EXPECT_TRUE(lives(bench, session)) << params;
    EXPECT_NE(begin(bench, ada, 40'000), SessionId{}) << params;
  }
}

TEST_F(OwnersTest, WithoutIdleTimeASessionEndsAtOnce) {
  for (const std::size_t sessions : {std::size_t{1}, std::size_t{2}}) {
    Bench bench(definition, {.sessions = sessions, .session_idle_ms = 0, .own_session_idle_ms = 0});
    const SessionId first = begin(bench, eve, 0);
    const SessionId second = begin(bench, eve, 0);
    EXPECT_NE(second, SessionId{});
    EXPECT_FALSE(lives(bench, first));
    bench.server.set_listening(second, true);
    EXPECT_EQ(begin(bench, eve, 0), SessionId{});
    EXPECT_EQ(rejection_.json.text_at("error.data.mote/retryAfterMs"), "1");
  }
}

// Stateless clients keep the only slot: no other session starts there, because it would end their requests.
// The client of a network may be unknown, too: a port without peers, or the only token. Noise on a UART is no reason to
// end its session.
TEST_F(OwnersTest, WireTakesOverTheSessionOfAWireAlone) {
  for (const bool of_wire : {false, true}) {
    Bench bench(definition, {.sessions = 1});
    SessionId session = of_wire ? bench.server.open(0) : begin(bench, 0, 0);
    bench.server.set_listening(session, true);
    EXPECT_EQ(bench.server.open(20'000) != SessionId{}, of_wire);
    EXPECT_EQ(lives(bench, session), !of_wire);
    SessionId fresh;
    std::string message = initialize();
    static_cast<void>(bench.server.receive_first(fresh, message, bench.server.transmit_buffer(), 20'000));
    EXPECT_EQ(fresh != SessionId{}, of_wire);
    if (of_wire) continue;
    bench.server.set_listening(session, false);
    EXPECT_NE(bench.server.open(20'000), SessionId{}) << "as for another client";
  }
}

TEST_F(OwnersTest, KeepsTheOnlySessionWhileItIsShared) {
  Bench bench(modern_definition, {.sessions = 1});
  const SessionId shared = bench.server.open_shared(0);
  EXPECT_EQ(bench.server.open(100'000), SessionId{});
  EXPECT_EQ(bench.server.slot_due(100'000), 10'000U);
  EXPECT_TRUE(lives(bench, shared));
}

// Of sessions that are idle for as long, the one that began first ends, also where the number of sessions needs more
// than 32 bits.
TEST_F(OwnersTest, EvictsTheOlderSessionBeyond32Bits) {
  for (const std::uint64_t last : {std::uint64_t{7}, std::uint64_t{0xFFFF'FFFE}}) {
    for (const bool reversed : {false, true}) {
      Bench bench(definition, {.sessions = 2, .own_session_idle_ms = 0});
      bench.storage().server_request_ids->last_serial = reversed ? last - 1 : last;
      SessionId sessions[] = {begin(bench, 0, 1), begin(bench, 0, 1)};
      // The one that began first in the second place.
      if (reversed) {
        bench.server.close(sessions[0], 1);
        sessions[0] = begin(bench, 0, 1);
      }
      EXPECT_NE(begin(bench, 0, 1), SessionId{});
      EXPECT_EQ(lives(bench, sessions[0]), reversed);
      EXPECT_EQ(lives(bench, sessions[1]), !reversed);
    }
  }
}

// A rejection that does not fit with its data is a shorter error under the same code.
TEST_F(OwnersTest, RejectionFitsEveryTransmitSize) {
  Bench bench(definition, {.sessions = 1});
  call_in(bench, begin(bench, ada, 0), "work");
  EXPECT_EQ(begin(bench, eve, 0), SessionId{});
  const std::size_t whole = rejection_.json.raw.size();
  for (std::size_t transmit_buffer = 110; transmit_buffer <= whole; ++transmit_buffer) {
    const std::unique_ptr<char[]> bytes(new char[transmit_buffer]);
    std::string message = initialize();
    SessionId session;
    const Reply reply = bench.server.receive_first(session, message, {bytes.get(), transmit_buffer}, 0, 1, nullptr);
    const std::optional<Json> json = test::parse_json({bytes.get(), reply.size});
    ASSERT_TRUE(json) << std::string_view(bytes.get(), reply.size);
    EXPECT_EQ(json->text_at("error.code"), "-32603");
    EXPECT_EQ(json->at("error.data") != nullptr, transmit_buffer == whole) << json->raw;
  }
}

// The same of a call that finds no slot: its result, or an error.
TEST_F(OwnersTest, BusyResultFitsEveryTransmitSize) {
  Bench bench(definition, {.sessions = 2, .jobs = 1});
  const SessionId session = begin(bench, 0, 0);
  call_in(bench, session, "work");
  const std::string call = R"({"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"work"}})";
  const std::size_t whole = bench.ask(session, call).size();
  for (std::size_t transmit_buffer = 130; transmit_buffer <= whole; ++transmit_buffer) {
    const std::unique_ptr<char[]> bytes(new char[transmit_buffer]);
    std::string message = call;
    const Reply reply = bench.server.receive(session, message, {bytes.get(), transmit_buffer}, 0);
    const std::optional<Json> json = test::parse_json({bytes.get(), reply.size});
    ASSERT_TRUE(json) << std::string_view(bytes.get(), reply.size);
    EXPECT_EQ(json->text_at("error.code"), transmit_buffer == whole ? "" : "-32603");
    EXPECT_EQ(json->text_at("result.isError"), transmit_buffer == whole ? "true" : "");
  }
}

TEST_F(OwnersTest, RejectedSessionGetsItsLimitAndRetryTime) {
  Bench bench(definition, {.sessions = 2, .session_idle_ms = 10'000});
  const SessionId of_ada = begin(bench, ada, 1'000);
  bench.server.set_listening(of_ada, true);
  EXPECT_EQ(begin(bench, ada, 2'000), SessionId{});
  EXPECT_EQ(rejection_.error(), "All 1 sessions for one client are in use; try again later.");
  const TransportInfo info(ada);
  EXPECT_EQ(bench.server.slot_due(2'000, &info), 10'000U) << "from the end of the stream on";
  const SessionId of_bob = begin(bench, bob, 3'000);
  ASSERT_NE(of_bob, SessionId{}) << "the share of another owner";
  EXPECT_EQ(begin(bench, eve, 4'000), SessionId{});
  EXPECT_EQ(rejection_.error(), "All 2 sessions are in use; try again later.");
  const TransportInfo third(eve);
  EXPECT_EQ(bench.server.slot_due(4'000, &third), 9'000U);
  EXPECT_NE(begin(bench, eve, 13'000), SessionId{});
  EXPECT_TRUE(lives(bench, of_ada) && !lives(bench, of_bob));
}

// A request that fails ends nothing, and takes nothing.
TEST_F(OwnersTest, FailedInitializeUsesNoSlot) {
  Bench bench(definition, {.sessions = 1});
  const SessionId first = begin(bench, ada, 0);
  const std::uint16_t generation = bench.storage().sessions.in_use(0)->generation;
  for (const std::string& message : {initialize(R"("capabilities":{})"),
                                     std::string(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":[]})")}) {
    SessionId session;
    EXPECT_NE(ask(bench, session, ada, message, 100'000, 1).error(), "");
    EXPECT_EQ(session, SessionId{});
  }
  EXPECT_TRUE(lives(bench, first));
  EXPECT_EQ(bench.storage().sessions.in_use(0)->generation, generation);
}

TEST_F(OwnersTest, ServesStatelessRequestsWhileItRejectsSessions) {
  Bench bench(definition, {.sessions = 2});
  shared_ = bench.server.open_shared(0);
  call_in(bench, begin(bench, ada, 0), "work");
  EXPECT_EQ(begin(bench, bob, 0), SessionId{});
  EXPECT_EQ(ask_stateless(bench, bob, stateless("server/discover", R"("x":1)")).error(), "");
  EXPECT_NE(ask_stateless(bench, bob, stateless("tools/list", R"("x":1)")).json.raw.find("\"short\""),
            std::string::npos);
}

// ---- Shares ------------------------------------------------------------------------------------------------------

struct Share {
  const char* name;
  std::string request;
  std::string rejection;  // for an owner that has used its share of three
  std::string full;
};

const Share shares[] = {
    {"jobs", call("work"), "All 2 job slots for one client are in use; try again later.",
     "All 3 job slots are in use; try again later."},
    {"tasks", call("task"), "All 2 task slots for one client are in use; fetch a result, then try again.",
     "All 3 task slots are in use; fetch a result, then try again."},
    {"streams", stateless("resources/read", R"("uri":"stream:never")"),
     "All 2 streams for one client are in use; try again later.", "All 3 streams are in use; try again later."},
    {"subscriptions",
     stateless("subscriptions/listen", R"("notifications":{"resourceSubscriptions":["stream:never"]})"),
     "All 2 subscriptions for one client are in use; name all resources in one, or raise Limits::subscriptions.",
     "All 3 subscriptions are in use; name all resources in one, or raise Limits::subscriptions."},
};

constexpr test::Sizes three{.sessions = 2, .jobs = 3, .streams = 3, .subscriptions = 3, .tasks = 3};

std::string problem_of(const Answer& answer) {
  const std::string text = answer.json.text_at("result.content.0.text");
  return !text.empty() ? text : answer.error();
}

TEST_F(OwnersTest, OneOwnerLeavesASlotOfEachPool) {
  for (const Share& share : shares) {
    SCOPED_TRACE(share.name);
    test::Sizes sizes = three;
    if (share.name == std::string_view("tasks")) sizes.jobs = 9;
    Bench bench(definition, sizes);
    shared_ = bench.server.open_shared(0);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(problem_of(ask_stateless(bench, eve, share.request)), "");
    for (int i = 0; i < 9; ++i) EXPECT_EQ(problem_of(ask_stateless(bench, eve, share.request)), share.rejection);
    EXPECT_EQ(problem_of(ask_stateless(bench, ada, share.request)), "") << "the place that is left";
    EXPECT_EQ(problem_of(ask_stateless(bench, bob, share.request)), share.full);
    bench.server.close(shared_, 0);
  }
}

TEST_F(OwnersTest, UnknownOwnerMayUseAllSlots) {
  for (const Share& share : shares) {
    SCOPED_TRACE(share.name);
    test::Sizes sizes = three;
    if (share.name == std::string_view("tasks")) sizes.jobs = 9;
    Bench bench(definition, sizes);
    shared_ = bench.server.open_shared(0);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(problem_of(ask_stateless(bench, 0, share.request)), "");
    EXPECT_EQ(problem_of(ask_stateless(bench, 0, share.request)), share.full);
    bench.server.close(shared_, 0);
  }
}

TEST_F(OwnersTest, ErrorNamesTheShareOfAnOwner) {
  struct Case {
    std::size_t places;
    std::uint16_t reserved;
    int share;
  };
  constexpr Case cases[] = {{1, 1, 1}, {2, 1, 1}, {3, 0, 3}, {3, 2, 1}, {3, 9, 1}, {4, 2, 2}};
  for (const Case& c : cases) {
    Bench bench(definition, {.sessions = 2, .jobs = c.places, .reserved_for_others = c.reserved});
    shared_ = bench.server.open_shared(0);
    int taken = 0;
    while (taken < 9 && problem_of(ask_stateless(bench, eve, call("work"))).empty()) ++taken;
    EXPECT_EQ(taken, c.share) << c.places << " " << c.reserved;
    bench.server.close(shared_, 0);
  }
}

// The place of an own task whose result is known goes first, where the share is used up.
TEST_F(OwnersTest, NewTaskReplacesATaskOfItsOwner) {
  Bench bench(definition, three);
  shared_ = bench.server.open_shared(0);
  const std::string of_ada = create_task(bench, ada, 1);
  EXPECT_EQ(get_task(bench, ada, of_ada), "");
  const std::string first = create_task(bench, eve, 2);
  EXPECT_EQ(get_task(bench, eve, first), "");
  static_cast<void>(create_task(bench, eve, 3));
  EXPECT_NE(create_task(bench, eve, 4), "");
  EXPECT_NE(get_task(bench, eve, first), "") << "it was the oldest of its owner";
  EXPECT_EQ(get_task(bench, ada, of_ada), "");
  bench.server.close(shared_, 0);
}

// Where the owner has not used up its share, the oldest task whose result is known goes, of any owner.
TEST_F(OwnersTest, NewTaskReplacesATaskOfAnotherOwner) {
  Bench bench(definition, three);
  shared_ = bench.server.open_shared(0);
  const std::string first = create_task(bench, eve, 1);
  const std::string second = create_task(bench, eve, 2);
  const std::string third = create_task(bench, ada, 3);
  EXPECT_EQ(get_task(bench, eve, first) + get_task(bench, eve, second) + get_task(bench, ada, third), "");
  EXPECT_NE(create_task(bench, bob, 4), "");
  EXPECT_NE(get_task(bench, eve, first), "") << "it was the oldest";
  EXPECT_EQ(get_task(bench, eve, second) + get_task(bench, ada, third), "");
  bench.server.close(shared_, 0);
}

// ---- Rates -------------------------------------------------------------------------------------------------------

mcp::Errc quick(mcp::Call& call) { return call.result().text("quick"); }
constexpr mcp::Tool quick_tools[] = {mcp::tool<quick>({.name = "quick"})};
constexpr mcp::Definition quick_definition{.name = "quick", .version = "1", .tools = quick_tools};
constexpr test::Sizes two_owners{
    .sessions = 3, .call_burst = 2, .call_interval_ms = 1'000, .call_owners = 2, .own_session_idle_ms = 0};

TEST_F(OwnersTest, RateLimitOfOneOwnerDoesNotAffectAnother) {
  Bench bench(quick_definition, two_owners);
  shared_ = bench.server.open_shared(0);
  int answered = 0;
  for (Millis now = 0; now < 40'000; now += 20) {
    static_cast<void>(ask_stateless(bench, eve, call("quick"), now));  // 50 calls a second
    if (now % 1'000 == 0 && ask_stateless(bench, ada, call("quick"), now).json.text_at("result.isError").empty())
      ++answered;
  }
  EXPECT_EQ(answered, 40);
}

TEST_F(OwnersTest, NewSessionsAllowNoAdditionalCalls) {
  Bench bench(quick_definition, two_owners);
  int answered = 0;
  for (int i = 0; i < 20; ++i) {
    SessionId session = begin(bench, eve, 0);
    const std::string quick = R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"quick"}})";
    if (ask(bench, session, eve, quick, 0, 1).json.text_at("result.isError").empty()) ++answered;
  }
  EXPECT_EQ(answered, 2);
}

// An attacker with many addresses slows down only unknown owners.
TEST_F(OwnersTest, KeepsBucketsOfOwnersInDebt) {
  Bench bench(quick_definition, two_owners);
  shared_ = bench.server.open_shared(0);
  const auto fails = [&](Owner owner, Millis now) {
    return problem_of(ask_stateless(bench, owner, call("quick"), now)).starts_with("Too many calls");
  };
  EXPECT_FALSE(fails(ada, 0) || fails(ada, 0) || fails(bob, 0));
  int served = 0;
  for (Owner cycled = 100; cycled < 200; ++cycled) served += fails(cycled, 1) ? 0 : 1;
  EXPECT_EQ(served, 2) << "all share one bucket";
  EXPECT_TRUE(fails(ada, 2)) << "its debt is not forgotten";
  EXPECT_FALSE(fails(bob, 2));
  EXPECT_TRUE(fails(bob, 3));
  // A bucket that is full again goes to the next owner.
  EXPECT_FALSE(fails(ada, 2'500) || fails(300, 2'500) || fails(300, 2'500));
  EXPECT_TRUE(fails(300, 2'500));
}

// ---- Numbers -----------------------------------------------------------------------------------------------------

/// A connection of a port that does not know its peers.
class Pipe final : public mcp::Connection {
  mcp::IoResult do_read(std::span<char>) override { return {}; }
  mcp::IoResult do_write(std::span<const char>) override { return {}; }
  void do_finish() override {}
  void do_close() override {}
};

TEST(Owner, IsUnknownIfThePortDoesNotKnowIt) {
  const Pipe pipe;
  EXPECT_EQ(pipe.peer(), 0U);
  EXPECT_EQ(TransportInfo(0, pipe.peer()).owner(), 0U);
}

TEST(Owner, IsThePrincipalOrElseThePeer) {
  EXPECT_EQ(TransportInfo(0).owner(), 0U);
  EXPECT_EQ(TransportInfo(0, 0xC0A8'0001).owner(), 0xC0A8'0001U);
  EXPECT_EQ(TransportInfo(3, 0xC0A8'0001).owner(), 3U);
  const TransportInfo network(0, 0x2001'0DB8'0000'0001);
  EXPECT_NE(network.owner(), 0U);
  EXPECT_NE(network.owner(), TransportInfo(0, 0x2001'0DB8'0000'0002).owner());
  EXPECT_NE(TransportInfo(0, std::uint64_t{1} << 32U).owner(), 0U);
  EXPECT_NE(TransportInfo(0, (std::uint64_t{1} << 32U) | 0x9E37'79B1U).owner(), 0U) << "what is folded to 0";
  TransportInfo alone(7);
  alone.only_principal = true;
  EXPECT_EQ(alone.owner(), 0U);
}

}  // namespace
