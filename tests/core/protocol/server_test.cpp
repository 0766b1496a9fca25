// SPDX-License-Identifier: Apache-2.0
// Server tests that one client on one stream cannot show: several sessions, time, interrupts, contracts.
#include "mcp/server.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/assert.hpp"
#include "server_test.hpp"
#include "support/every_pool.hpp"
#include "support/json.hpp"

namespace {

using mcp::Millis;
using mcp::SessionId;
using test::Bench;
using test::ServerTest;
using test::call;
using test::done;
using test::full;
using test::initialize_request;
using test::initialized;
using test::open_asked;
using test::ping;
using test::pong;
using test::subscribe;
using test::updated;
using ServerDeathTest = ServerTest;

// ---- Memory ------------------------------------------------------------------------------------------------------

struct Work {
  mcp::Step step(mcp::AskContext& context) { return context.list_roots(); }
};
constexpr mcp::Limits every_limit{.sessions = 2,
                                  .jobs = 2,
                                  .tasks = 2,
                                  .elicitations = 2,
                                  .streams = 2,
                                  .subscriptions = 2,
                                  .call_burst = 2,
                                  .call_interval_ms = 1,
                                  .log_size = 64};
constinit mcp::Storage<test::EveryPool<Work>::definition, every_limit> untouched;

// A variable that is not zero would also be stored in flash, and copied at every start.
TEST(StorageTest, StartsAsZero) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&untouched);
  EXPECT_TRUE(std::all_of(bytes, bytes + sizeof untouched, [](unsigned char byte) { return byte == 0; }));
}

// ---- Sessions ----------------------------------------------------------------------------------------------------

TEST_F(ServerTest, SessionsAreIndependent) {
  Bench bench(full(), {.sessions = 3});
  const SessionId a = open_ready(bench);
  const SessionId b = open_ready(bench);
  const SessionId c = bench.server.open(0);
  EXPECT_EQ(bench.ask(a, subscribe("test://counter")), done);
  EXPECT_EQ(bench.ask(b, subscribe("urn:last")), done);
  EXPECT_NE(bench.ask(c, subscribe("urn:last")).find("-32600"), std::string::npos) << "c is not initialized";
  update(bench, "test://counter");
  update(bench, "urn:last");
  EXPECT_EQ(bench.next(c), "");
  EXPECT_EQ(bench.next(b), updated("urn:last"));
  EXPECT_EQ(bench.next(b), "");
  EXPECT_EQ(bench.next(a), updated("test://counter"));
  EXPECT_EQ(bench.next(a), "");
}

TEST_F(ServerTest, ClientsOfOneRevisionContinueStreams) {
  Bench bench(full());
  for (const std::string_view revision : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}) {
    const SessionId session = bench.server.open(0);
    EXPECT_FALSE(bench.server.continues_streams(session)) << "before initialize";
    std::string request(initialize_request);
    request.replace(request.find("2025-11-25"), revision.size(), revision);
    bench.ask(session, request);
    EXPECT_EQ(bench.server.revision(session), revision);
    EXPECT_EQ(bench.server.continues_streams(session), revision == "2025-11-25");
    bench.server.close(session, 0);
    EXPECT_FALSE(bench.server.continues_streams(session)) << "after its end";
  }
}

TEST_F(ServerTest, ClosedSessionIsStale) {
  Bench bench(full());
  const SessionId old = open_ready(bench);
  EXPECT_EQ(bench.ask(old, subscribe("test://counter")), done);
  update(bench, "test://counter");
  bench.server.close(old, 0);
  EXPECT_EQ(bench.open_sessions(), 0U);
  EXPECT_FALSE(bench.anything_left());
  EXPECT_EQ(bench.ask(old, ping), "no session");
  EXPECT_EQ(bench.server.revision(old), "");
  EXPECT_EQ(bench.next(old), "");
  bench.server.close(old, 0);

  const SessionId fresh = bench.server.open(0);
  EXPECT_FALSE(fresh == old);
  bench.server.close(old, 0);
  EXPECT_EQ(bench.ask(old, ping), "no session") << "the slot has a new owner";
  EXPECT_EQ(bench.ask(fresh, ping), pong);
  EXPECT_NE(bench.ask(fresh, subscribe("test://counter")).find("-32600"), std::string::npos) << "must initialize again";
  update(bench, "test://counter");
  EXPECT_EQ(bench.ask(fresh, initialize_request).find("error"), std::string::npos);
  EXPECT_EQ(bench.ask(fresh, initialized), "");
  EXPECT_EQ(bench.next(fresh), "");

  EXPECT_EQ(bench.ask(SessionId{}, ping), "no session");
  EXPECT_EQ(bench.ask(SessionId{.index = 1, .serial_low = 1}, ping), "no session");
  EXPECT_EQ(bench.ask(SessionId{.index = 0xFFFF, .serial_low = 1}, ping), "no session");
}

// An application keeps these ids. A place that was reused more often than 16 bits count has other ids still.
TEST_F(ServerTest, IdOfAnEndedSessionStaysInvalid) {
  Bench bench(full());
  const SessionId old = bench.server.open(0);
  bench.server.close(old, 0);
  std::size_t valid = 0;
  for (int i = 0; i < 70'000; ++i) {
    const SessionId next = bench.server.open(0);
    if (bench.ask(old, ping) != "no session") ++valid;
    bench.server.close(next, 0);
  }
  EXPECT_EQ(valid, 0U);
}

// When all sessions are in use, the one that was idle longest ends: by difference, so also where the clock wraps at
// 2^32.
TEST_F(ServerTest, EvictsTheLongestIdleSession) {
  struct Case {
    Millis used[3];  // when each of three sessions was last used
    Millis now;
    std::size_t ends;
  };
  constexpr Case cases[] = {
      {{100, 200, 300}, 400, 0},
      {{300, 200, 100}, 400, 2},
      {{200, 100, 300}, 400, 1},
      {{100, 100, 100}, 100, 0},
      {{0xFFFF'FF00, 0xFFFF'FFFF, 5}, 10, 0},
      {{5, 0xFFFF'FF00, 0xFFFF'FFFF}, 10, 1},
      {{0, 1, 0xFFFF'FFFF}, 1, 2},
      {{0, 0x8000'0000, 0xFFFF'FFFF}, 0xFFFF'FFFF, 0},
  };
  for (const Case& c : cases) {
    Bench bench(full(), {.sessions = 3, .own_session_idle_ms = 0});
    SessionId ids[3];
    for (std::size_t i = 0; i < 3; ++i) ids[i] = bench.server.open(c.used[0] - 1000);
    for (const SessionId id : ids) bench.server.set_listening(id, false);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(bench.ask(ids[i], ping, c.used[i]), pong);
    const SessionId fresh = bench.server.open(c.now);
    EXPECT_EQ(bench.open_sessions(), 3U);
    EXPECT_EQ(bench.ask(fresh, ping, c.now), pong);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(bench.ask(ids[i], ping, c.now), i == c.ends ? "no session" : pong)
          << "session " << i << " of case " << &c - cases;
    }
  }
}

TEST_F(ServerTest, SubscriptionsEndWithTheirSession) {
  Bench bench(full(), {.sessions = 1});
  const SessionId old = open_ready(bench);
  EXPECT_EQ(bench.ask(old, subscribe("test://second")), done);
  update(bench, "test://second");
  bench.server.set_listening(old, false);
  const SessionId fresh = open_ready(bench, 10'000);
  EXPECT_FALSE(bench.anything_left());
  update(bench, "test://second");
  EXPECT_EQ(bench.next(old), "");
  EXPECT_EQ(bench.next(fresh), "");
}

// An ended or unknown session can be closed.
TEST_F(ServerTest, ClosingTwiceIsAllowed) {
  Bench bench(full(), {.sessions = 2});
  const SessionId id = open_ready(bench);
  bench.server.close(id, 0);
  bench.server.close(id, 0);
  bench.server.cancel(id, mcp::only_channel, 0);
  bench.server.close(SessionId{}, 0);
  EXPECT_EQ(bench.server.transmit(id, bench.server.transmit_buffer(), 0).status, mcp::Reply::Status::no_session);
  EXPECT_EQ(bench.ask(open_ready(bench), ping), pong);
}

// Disconnects its client, which comes back for the result.
struct Reconnects {
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return context.done();
    context.reconnect(250);
    return context.sleep(1'000);
  }
};
constexpr mcp::Tool reconnecting_tools[] = {mcp::job<Reconnects>({.name = "reconnects"})};
constexpr mcp::Definition reconnecting{.name = "d", .version = "1", .tools = reconnecting_tools};

// Calls with the id of an ended session do not affect the session that has its slot.
TEST_F(ServerTest, EndedIdTellsNothingAboutTheNextSession) {
  Bench bench(reconnecting);
  const SessionId ended = open_ready(bench);
  bench.server.close(ended, 0);
  const SessionId id = open_ready(bench);
  EXPECT_EQ(bench.ask(id, call("2", "reconnects")), "");
  EXPECT_EQ(bench.next(id), "");
  EXPECT_EQ(bench.server.take_reconnect(ended, mcp::only_channel), 0U);
  EXPECT_EQ(bench.server.take_reconnect(SessionId{}, mcp::only_channel), 0U);
  bench.server.set_listening(ended, false);
  bench.server.set_listening(SessionId{}, false);
  EXPECT_FALSE(bench.storage().find_session(id)->no_listener);
  EXPECT_EQ(bench.server.take_reconnect(id, mcp::only_channel), 250U);
  EXPECT_EQ(bench.server.take_reconnect(id, mcp::only_channel), 0U);
}

// The number after the last one is not 0, because 0 would make the id of the first slot equal to no session.
TEST_F(ServerTest, SessionNumberIsNeverZero) {
  Bench bench(full());
  bench.storage().server_request_ids->last_serial = (std::uint64_t{1} << mcp::memory::serial_bits) - 2;
  for (int i = 0; i < 3; ++i) {
    const SessionId id = open_ready(bench);
    EXPECT_NE(id, SessionId{}) << i;
    EXPECT_EQ(bench.ask(id, ping), pong) << i;
    bench.server.close(id, 0);
  }
}

// Stateless clients get no requests of the server, so their responses are errors.
TEST_F(ServerTest, AcceptsAMalformedResponseOnlyInASession) {
  Bench bench(full(), {.sessions = 2});
  constexpr std::string_view malformed = R"({"jsonrpc":"2.0","id":1000000001,"result":)";
  EXPECT_EQ(bench.ask(open_ready(bench), malformed), "");
  const std::optional<test::Json> json = test::parse_json(bench.ask(bench.server.open_shared(0), malformed));
  ASSERT_TRUE(json);
  EXPECT_EQ(json->text_at("error.code"), "-32700");
}

// A message may begin with any white space of JSON.
TEST_F(ServerTest, AcceptsWhiteSpaceBeforeAMessage) {
  Bench bench(full());
  const SessionId id = open_ready(bench);
  for (const char blank : {' ', '\t', '\n', '\r'}) EXPECT_EQ(bench.ask(id, std::string(2, blank).append(ping)), pong);
}

// Messages of a session that belong to no request go out only on the channel of the session.
TEST_F(ServerTest, SendsSessionMessagesOnTheSessionChannel) {
  Bench bench(test::input_requests);
  const SessionId id = open_asked(bench);
  const auto sent = [&](mcp::Channel channel) {
    return std::string(bench.server.transmit_buffer().data(),
                       bench.server.transmit(id, bench.server.transmit_buffer(), 0, channel).size);
  };
  EXPECT_TRUE(bench.server.elicitation_completed(id, "one"));
  EXPECT_EQ(sent(1), "");
  EXPECT_NE(sent(mcp::session_channel).find("elicitation/complete"), std::string::npos);
  Bench other(full());
  const SessionId reader = open_ready(other);
  EXPECT_EQ(other.ask(reader, subscribe("test://counter")), done);
  update(other, "test://counter");
  EXPECT_EQ(other.server.transmit(reader, other.server.transmit_buffer(), 0, 1).size, 0U);
  EXPECT_EQ(other.next(reader), updated("test://counter"));
}

TEST_F(ServerTest, OldRevisionsHaveNoCompletionsCapability) {
  Bench bench(test::features, {.transmit_size = 8192});
  const auto initialize = [&](std::string_view revision) {
    const SessionId id = bench.server.open(0);
    const std::string response =
        bench.ask(id, R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" +
                          std::string(revision) + R"(","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
    bench.server.close(id, 0);
    return response;
  };
  EXPECT_NE(initialize("2025-11-25").find("completions"), std::string::npos);
  EXPECT_EQ(initialize("2024-11-05").find("completions"), std::string::npos);
}

// ---- Steps that end sessions -------------------------------------------------------------------------------------

// A step that ends its own session, or another one.
struct Closes {
  static inline mcp::Server* server = nullptr;
  static inline SessionId closed;
  static inline bool channel_only = false;
  static inline int last_steps = 0;

  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) {
      ++last_steps;
      return context.done();
    }
    if (channel_only) server->cancel(closed, mcp::only_channel, 0);
    if (!channel_only) server->close(closed, 0);
    return context.sleep(1'000);
  }
};
struct Sleeps {
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) ++Closes::last_steps;
    return context.sleep(1'000);
  }
};
constexpr mcp::Tool tools_that_close[] = {
    mcp::job<Closes>({.name = "closes", .task_support = mcp::TaskSupport::optional}),
    mcp::job<Sleeps>({.name = "sleeps"}),
};
constexpr mcp::Definition closing{.name = "d", .version = "1", .tools = tools_that_close};
constexpr std::string_view task_of_closes =
    R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"closes","task":{}}})";

TEST_F(ServerDeathTest, AbortsIfAStepEndsItsOwnSession) {
  for (const bool task : {false, true}) {
    for (const bool channel_only : {false, true}) {
      Bench bench(closing);
      const SessionId id = open_ready(bench);
      Closes::server = &bench.server;
      Closes::closed = id;
      Closes::channel_only = channel_only;
      bench.ask(id, task ? task_of_closes : call("2", "closes"));
      EXPECT_DEATH(bench.next(id), "contract") << task << channel_only;
    }
  }
}

TEST_F(ServerTest, StepMayEndAnotherSession) {
  Bench bench(closing, {.sessions = 2});
  const SessionId id = open_ready(bench);
  const SessionId other = open_ready(bench);
  EXPECT_EQ(bench.ask(other, call("2", "sleeps")), "");
  EXPECT_EQ(bench.next(other), "");
  Closes::server = &bench.server;
  Closes::closed = other;
  Closes::channel_only = false;
  Closes::last_steps = 0;
  EXPECT_EQ(bench.ask(id, call("2", "closes")), "");
  EXPECT_EQ(bench.next(id), "");
  EXPECT_EQ(Closes::last_steps, 1);
  EXPECT_FALSE(bench.server.is_open(other));
  EXPECT_EQ(bench.ask(id, ping), pong);
  bench.server.close(id, 0);
  EXPECT_EQ(Closes::last_steps, 2);
  EXPECT_FALSE(bench.anything_left());
}

// ---- Subscriptions -----------------------------------------------------------------------------------------------

TEST_F(ServerTest, CoalescesChanges) {
  Bench bench(full());
  const SessionId id = open_ready(bench);
  for (const char* const uri : {"urn:last", "test://counter", "test://second"})
    EXPECT_EQ(bench.ask(id, subscribe(uri)), done);
  for (int i = 0; i < 1000; ++i) {
    update(bench, "urn:last");
    update(bench, "test://counter");
  }
  EXPECT_EQ(bench.next(id), updated("test://counter")) << "in the order of the table";
  update(bench, "test://counter");
  EXPECT_EQ(bench.next(id), updated("test://counter")) << "changed again since";
  EXPECT_EQ(bench.next(id), updated("urn:last"));
  EXPECT_EQ(bench.next(id), "");
}

TEST_F(ServerTest, SendsNothingBeforeInitialized) {
  Bench bench(full());
  const SessionId id = bench.server.open(0);
  EXPECT_EQ(bench.next(id), "");
  EXPECT_NE(bench.ask(id, initialize_request), "");
  EXPECT_EQ(bench.ask(id, subscribe("test://counter")), done);
  update(bench, "test://counter");
  EXPECT_EQ(bench.next(id), "");
  EXPECT_EQ(bench.ask(id, initialized), "");
  EXPECT_EQ(bench.next(id), updated("test://counter"));
  EXPECT_EQ(bench.next(id), "");
}

TEST_F(ServerTest, UnsubscribeDropsPendingNotifications) {
  Bench bench(full());
  const SessionId id = open_ready(bench);
  EXPECT_EQ(bench.ask(id, subscribe("test://counter")), done);
  update(bench, "test://counter");
  EXPECT_EQ(bench.ask(id, subscribe("test://counter", "unsubscribe")), done);
  EXPECT_EQ(bench.next(id), "");
  EXPECT_EQ(bench.ask(id, subscribe("test://counter")), done);
  EXPECT_EQ(bench.next(id), "");
}

// A subscriber that subscribes once more is a subscriber all the time: the change in between must reach it.
TEST_F(ServerTest, SubscribingTwiceLosesNoChange) {
  Bench bench(full());
  const SessionId id = open_ready(bench);
  EXPECT_EQ(bench.ask(id, subscribe("test://counter")), done);
  update(bench, "test://counter");
  EXPECT_EQ(bench.ask(id, subscribe("test://counter")), done);
  EXPECT_EQ(bench.next(id), updated("test://counter"));
  EXPECT_EQ(bench.next(id), "");
}

TEST_F(ServerTest, PollReportsAChangeMarkedByAnInterrupt) {
  Bench bench(full(), {.sessions = 2});
  const SessionId a = open_ready(bench);
  const SessionId b = open_ready(bench);
  EXPECT_EQ(bench.ask(a, subscribe("urn:last")), done);
  EXPECT_EQ(bench.ask(b, subscribe("urn:last")), done);
  bench.server.resource_updated_from_isr(*test::find_resource("urn:last"));
  bench.server.resource_updated_from_isr(*test::find_resource("test://counter"));
  EXPECT_EQ(bench.next(a), "");
  EXPECT_EQ(bench.server.poll(0), 0U);
  EXPECT_EQ(bench.next(a), updated("urn:last"));
  EXPECT_EQ(bench.next(b), updated("urn:last"));
  EXPECT_EQ(bench.server.poll(1), mcp::forever);
  EXPECT_EQ(bench.next(a), "") << "an interrupt is told once";
}

// ---- Pings -------------------------------------------------------------------------------------------------------

TEST_F(ServerTest, PollReturnsTheTimeOfTheNextPing) {
  Bench bench(test::input_requests);
  const SessionId id = open_asked(bench, 1000);
  EXPECT_EQ(bench.server.poll(1000), 60'000U);
  EXPECT_EQ(bench.server.poll(61'000), 0U);
  EXPECT_EQ(bench.next(id, 61'000), R"({"jsonrpc":"2.0","id":1000000001,"method":"ping"})");
  EXPECT_EQ(bench.server.poll(61'000), 5'000U);
  EXPECT_EQ(bench.next(id, 66'000), "");
  EXPECT_EQ(bench.open_sessions(), 0U);
  EXPECT_EQ(bench.server.poll(66'000), mcp::forever);
}

// poll() returns the time of the earliest ping.
TEST_F(ServerTest, PollReturnsTheEarliestPing) {
  Bench bench(test::input_requests, {.sessions = 2});
  static_cast<void>(open_asked(bench, 1000));
  const SessionId later = open_asked(bench, 5000);
  EXPECT_EQ(bench.server.poll(5000), 56'000U);
  bench.server.set_listening(later, false);
  EXPECT_EQ(bench.server.poll(5000), 56'000U);
}

// The response to a ping, and others.
TEST_F(ServerTest, AcceptsAPingResponseOnlyUnderItsId) {
  Bench bench(test::input_requests);
  const SessionId id = open_asked(bench, 1000);
  const auto response = [](std::string_view to) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(to) + R"(,"result":{}})";
  };
  EXPECT_EQ(bench.next(id, 61'000), R"({"jsonrpc":"2.0","id":1000000001,"method":"ping"})");
  EXPECT_EQ(bench.ask(id, response("1"), 61'000), "");
  EXPECT_EQ(bench.ask(id, response("1000000002"), 61'000), "");
  EXPECT_EQ(bench.server.stale_answers(), 2U);
  EXPECT_EQ(bench.ask(id, response("1000000001"), 61'000), "");
  EXPECT_EQ(bench.server.stale_answers(), 2U);
  EXPECT_EQ(bench.ask(id, response("1000000001"), 61'000), "");
  EXPECT_EQ(bench.server.stale_answers(), 3U);
}

// All have 10 digits, and an integer of 32 bits holds them.
TEST_F(ServerTest, RequestIdsWrapToTheFirst) {
  Bench bench(test::input_requests);
  const SessionId id = open_asked(bench, 1000);
  bench.storage().server_request_ids->last_id = 999'999'998;
  EXPECT_EQ(bench.next(id, 61'000), R"({"jsonrpc":"2.0","id":1999999999,"method":"ping"})");
  EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","id":1999999999,"result":{}})", 61'000), "");
  EXPECT_EQ(bench.server.stale_answers(), 0U);
  EXPECT_EQ(bench.next(id, 122'000), R"({"jsonrpc":"2.0","id":1000000001,"method":"ping"})");
}

// ---- Contracts ---------------------------------------------------------------------------------------------------

TEST_F(ServerDeathTest, AbortsForAResourceOfAnotherServer) {
  Bench bench(full());
  const mcp::Resource foreign = *test::find_resource("test://counter");
  EXPECT_DEATH(bench.server.resource_updated(foreign), "contract");
  EXPECT_DEATH(bench.server.resource_updated_from_isr(foreign), "contract");
}

TEST_F(ServerDeathTest, AbortsForARowOfAnotherServer) {
  Bench bench(test::features);
  const mcp::Tool foreign = test::features.tools.rows()[0];
  EXPECT_DEATH(bench.server.set_enabled(foreign, false), "contract");
  Bench fixed(full());  // which does not say .list_changes
  EXPECT_DEATH(fixed.server.set_enabled(full().tools.rows()[0], false), "contract");
}

// The part of a result after its content is written once, and nothing follows it. A job with an output ends with one.
TEST_F(ServerDeathTest, AbortsIfContentFollowsStructuredOrMeta) {
  Bench bench(test::structured);
  const SessionId id = open_ready(bench);
  const auto call = [](std::string_view tool, std::string_view what) {
    return std::string(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":")")
               .append(tool)
               .append(R"(","arguments":{"what":")")
               .append(what) +
           "\"}}}";
  };
  for (const char* const what : {"twice", "content after", "structured after fail", "meta after fail"}) {
    EXPECT_DEATH(bench.ask(id, call("act", what)), "contract") << what;
  }
  for (const char* const what : {"twice", "content after", "structured after"}) {
    EXPECT_DEATH(bench.ask(id, call("meta", what)), "contract") << what;
  }
  EXPECT_EQ(bench.ask(id, call("measure", "silent")), "");
  EXPECT_EQ(bench.next(id, 0), "");
  EXPECT_EQ(bench.next(id, 10), "");
  EXPECT_DEATH(bench.next(id, 20), "contract");
  bench.server.close(id, 20);
}

TEST_F(ServerDeathTest, AbortsForASecondBodyOfAResource) {
  char transmit_buffer[100];
  mcp::json::Writer out(transmit_buffer);
  out.object_begin();
  mcp::rpc::Response response(out, "1");
  mcp::ReadResult result(response);
  EXPECT_EQ(result.text("a"), mcp::Errc::ok);
  EXPECT_DEATH(static_cast<void>(result.text("b")), "contract");
  EXPECT_DEATH(static_cast<void>(result.json()), "contract");
  EXPECT_DEATH(static_cast<void>(result.blob({})), "contract");
}

}  // namespace
