// SPDX-License-Identifier: Apache-2.0
// Server tests that one client on one stream cannot show: several sessions, time, interrupts, exact sizes.
#include "mcp/server.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mcp/assert.hpp"
#include "mcp/rpc/id_finder.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/every_pool.hpp"
#include "support/json.hpp"

namespace {

using mcp::Millis;
using mcp::SessionId;
using test::Bench;

constexpr std::string_view initialize_request =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})";
constexpr std::string_view initialize_with_batches =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26",)"
    R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})";
constexpr std::string_view initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
constexpr std::string_view ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
constexpr std::string_view pong = R"({"jsonrpc":"2.0","id":1,"result":{}})";
constexpr std::string_view done = R"({"jsonrpc":"2.0","id":2,"result":{}})";

std::string subscribe(std::string_view uri, std::string_view method = "subscribe") {
  return std::string(R"({"jsonrpc":"2.0","id":2,"method":"resources/)")
             .append(method)
             .append(R"(","params":{"uri":")")
             .append(uri) +
         "\"}}";
}
std::string updated(std::string_view uri) {
  return std::string(R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":")").append(uri) +
         "\"}}";
}

const mcp::Definition& full() { return *test::find_definition("full"); }

/// A bench with the sessions that a test needs.
class ServerTest : public testing::Test {
 protected:
  void SetUp() override { test::reset_device(); }

  static SessionId open_ready(Bench& bench, Millis now = 0) {
    const SessionId id = bench.server.open(now);
    EXPECT_NE(bench.ask(id, initialize_request, now), "");
    EXPECT_EQ(bench.ask(id, initialized, now), "");
    return id;
  }
  static void update(Bench& bench, const char* uri) { bench.server.resource_updated(*test::find_resource(uri)); }
};

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

// ---- Sizes -------------------------------------------------------------------------------------------------------

TEST_F(ServerTest, TooLongMessageGetsAnError) {
  const auto refuse = [](Bench& bench, const std::string& id) {
    mcp::rpc::IdFinder message;
    message.feed("{\"jsonrpc\":\"2.0\",\"method\":\"m\"" + (id.empty() ? "" : ",\"id\":" + id) + "}");
    const mcp::Reply reply = bench.server.receive_oversized({}, message, bench.server.transmit_buffer(), 0);
    EXPECT_EQ(reply.status, mcp::Reply::Status::message);
    return std::string(bench.server.transmit_buffer().data(), reply.size);
  };
  Bench bench(full(), {.receive_size = 777, .id = 5});
  const std::string tail = R"("error":{"code":-32600,"message":"Message too long: at most 777 bytes are accepted."}})";
  EXPECT_EQ(refuse(bench, ""), R"({"jsonrpc":"2.0",)" + tail);
  EXPECT_EQ(refuse(bench, "12345"), R"({"jsonrpc":"2.0","id":12345,)" + tail);
  EXPECT_EQ(refuse(bench, "\"abc\""), R"({"jsonrpc":"2.0","id":"abc",)" + tail);
  EXPECT_EQ(refuse(bench, "123456"), R"({"jsonrpc":"2.0","id":123456,)" + tail) << "longer than Limits::id_size";
  // With the smallest transmit buffer that compiles, the longest number and the longest id.
  Bench small(full(), {.receive_size = 99'999'999, .transmit_size = mcp::detail::error_frame + 40});
  const std::string longest(40, '9');
  EXPECT_NE(refuse(small, longest).find("99999999 bytes are accepted."), std::string::npos);
}

// An error omits an id that is longer than the transmit buffer.
TEST_F(ServerTest, ErrorOmitsAnIdThatDoesNotFit) {
  Bench bench(full(), {.transmit_size = 200});
  const SessionId session = bench.server.open(0);
  const std::string error = R"("error":{"code":-32600,"message":"Invalid request: id is too long."}})";
  for (const std::size_t size : {41U, 80U, 200U, 1000U}) {
    const std::string id = "\"" + std::string(size - 2, 'i') + "\"";
    EXPECT_EQ(bench.ask(session, R"({"jsonrpc":"2.0","method":"ping","id":)" + id + "}"),
              R"({"jsonrpc":"2.0",)" + (size < 200 ? "\"id\":" + id + "," : "") + error);
  }
}

// If the transmit buffer is too small for every error, the server writes nothing.
TEST_F(ServerTest, WritesNothingIfNoErrorFits) {
  for (std::size_t transmit_buffer = 0; transmit_buffer < 120; ++transmit_buffer) {
    const std::unique_ptr<char[]> bytes(new char[transmit_buffer]);
    EXPECT_LE(mcp::Server::reject("No.", {bytes.get(), transmit_buffer}), transmit_buffer);
  }
}

// For every response that does not fit, some error fits, down to the smallest transmit buffer that compiles. It keeps
// the id and the code.
TEST_F(ServerTest, EveryErrorFitsTheSmallestTransmitBuffer) {
  const std::string id = "\"" + std::string(38, 'i') + "\"";
  const std::string requests[] = {
      R"("method":"initialize")",
      R"("method":"ping","params":[])",
      R"("method":")" + std::string(500, 'm') + "\"",
      R"("method":"tools/call","params":{})",
      R"("method":"tools/call","params":{"name":")" + std::string(500, '\x01' + 0x20) + "\"}",
      R"("method":"tools/call","params":{"name":"large","arguments":{"size":1000}})",
      R"("method":"tools/call","params":{"name":"lists","arguments":{"x":1}})",
      R"("method":"tools/call","params":{"name":"count","arguments":[]})",
      R"("method":"tools/list","params":{"cursor":"x"})",
      R"("method":"resources/read","params":{"uri":"x:)" + std::string(1000, 'u') + "\"}",
      R"("method":"resources/read","params":{"uri":"test://internal"})",
      R"("method":"resources/read","params":{"uri":"test://simple/)" + std::string(1000, 'u') + "/b\"}",
      R"("method":"resources/read","params":{"uri":"test://simple/%20)" + std::string(1000, 'u') + "/b\"}",
      R"("method":"resources/subscribe","params":{"uri":"test://text"})",
      R"("method":5)",
  };
  for (std::size_t transmit_buffer = mcp::detail::error_frame + 40; transmit_buffer < 400; ++transmit_buffer) {
    Bench bench(full(), {.transmit_size = transmit_buffer});
    const SessionId session = bench.server.open(0);
    for (int round = 0; round < 2; ++round) {
      for (const std::string& request : requests) {
        const std::string answer = bench.ask(session, R"({"jsonrpc":"2.0","id":)" + id + "," + request + "}");
        const std::optional<test::Json> json = test::parse_json(answer);
        ASSERT_TRUE(json) << answer;
        EXPECT_EQ(json->at("id")->raw, id) << answer;
        const bool tool_error = json->text_at("result.isError") == "true";
        EXPECT_TRUE(tool_error || json->at("error.code") != nullptr) << answer;
        EXPECT_EQ(answer.find("no room"), std::string::npos) << "the text of an error has room: " << answer;
      }
      bench.ask(session, initialize_request);
    }
  }
}

// If the response to initialize does not fit, the server sends an error, the session stays new, and a retry gets the
// same error.
TEST_F(ServerTest, InitializeThatDoesNotFitChangesNothing) {
  Bench ample(full());
  const std::size_t size = ample.ask(ample.server.open(0), initialize_request).size();
  for (const std::size_t transmit_buffer : {size - 1, size}) {
    Bench bench(full(), {.transmit_size = transmit_buffer});
    const SessionId id = bench.server.open(0);
    const bool fits = transmit_buffer == size;
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(bench.ask(id, initialize_request).find("-32603") == std::string::npos, fits);
    }
    EXPECT_EQ(bench.ask(id, subscribe("test://counter")).find("-32600") == std::string::npos, fits);
  }
}

// Every list with every transmit size from the smallest that compiles: all items, each once, with pages as large as
// possible.
TEST_F(ServerTest, ListsAllItemsWithEveryTransmitSize) {
  struct List {
    const char* method;
    std::size_t count;
    std::size_t least;
  };
  using mcp::detail::pages_size;
  const List lists[] = {
      {"tools/list", full().tools.rows().size(), pages_size("tools", full().tools.rows(), full(), 40)},
      {"resources/list", full().resources.rows().size(), pages_size("resources", full().resources.rows(), full(), 40)},
      {"resources/templates/list", full().resource_templates.rows().size(),
       pages_size("resourceTemplates", full().resource_templates.rows(), full(), 40)},
  };
  const std::string id = "\"" + std::string(38, 'i') + "\"";
  for (const List& list : lists) {
    const std::size_t least = std::max(list.least, std::size_t{300});
    std::size_t fewest_pages = list.count;
    for (std::size_t transmit_buffer = least; transmit_buffer < least + 700; ++transmit_buffer) {
      Bench bench(full(), {.transmit_size = transmit_buffer});
      const SessionId session = open_ready(bench);
      std::size_t items = 0;
      std::size_t pages = 0;
      std::string cursor;
      do {
        const std::string params = cursor.empty() ? "" : R"(,"params":{"cursor":)" + cursor + "}";
        const std::string answer =
            bench.ask(session, R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + list.method + "\"" + params + "}");
        const std::optional<test::Json> json = test::parse_json(answer);
        ASSERT_TRUE(json && json->at("result")) << answer;
        ASSERT_GT(json->at("result")->items[0].items.size(), 0U) << list.method << " in " << transmit_buffer;
        items += json->at("result")->items[0].items.size();
        const test::Json* const next = json->at("result.nextCursor");
        cursor = next == nullptr ? "" : next->raw;
        ASSERT_LE(++pages, list.count);
      } while (!cursor.empty());
      EXPECT_EQ(items, list.count) << list.method << " in " << transmit_buffer;
      EXPECT_LE(pages, fewest_pages) << list.method << " in " << transmit_buffer << ": a larger window, more pages";
      fewest_pages = pages;
      if (transmit_buffer == least) {
        EXPECT_GT(pages, 1U);
      }
    }
  }
}

// A cursor is a place in the table: rows that are switched off between two pages shift nothing.
TEST_F(ServerTest, CursorStaysValidWhenRowsAreDisabled) {
  Bench bench(test::features, {.transmit_size = 420});
  const SessionId id = open_ready(bench);
  const auto page = [&](const std::string& params) {
    const std::string came =
        bench.ask(id, R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{)" + params + "}}");
    return test::parse_json(came).value_or(test::Json{});
  };
  const test::Json first = page("");
  ASSERT_NE(first.at("result.nextCursor"), nullptr) << first.raw;
  const std::string cursor = R"("cursor":)" + first.at("result.nextCursor")->raw;
  const std::string next = page(cursor).text_at("result.tools.0.name");
  for (const test::Json& tool : first.at("result.tools")->items) {
    ASSERT_TRUE(test::act_on_features(bench.server, "disable " + tool.text_at("name")));
  }
  EXPECT_EQ(page(cursor).text_at("result.tools.0.name"), next);
  EXPECT_EQ(page("").text_at("result.tools.0.name"), next);
  ASSERT_TRUE(test::act_on_features(bench.server, "disable " + next));
  EXPECT_NE(page(cursor).text_at("result.tools.0.name"), next) << "the row of the cursor itself is off";
  EXPECT_NE(page(cursor).at("result.tools"), nullptr);
}

// Decoded variables share the transmit buffer with the response. They never overlap, and nothing is written after the
// buffer.
TEST_F(ServerTest, ReadsTemplatesWithEveryTransmitSize) {
  std::string uri = "test://simple/%61bc/";
  for (int i = 0; i < 60; ++i) uri += "%7a";
  const std::string request = R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":")" + uri + "\"}}";
  const std::string wanted = R"({"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":")" + uri +
                             R"(","mimeType":"text/plain","text":"a=abc b=)" + std::string(60, 'z') + "\"}]}}";
  bool fits = false;
  bool refused = false;
  for (std::size_t transmit_buffer = mcp::detail::error_frame + 40; transmit_buffer < 700; ++transmit_buffer) {
    Bench bench(full(), {.transmit_size = transmit_buffer});
    const SessionId session = bench.server.open(0);
    if (bench.ask(session, initialize_request).find("-32603") != std::string::npos) continue;
    bench.server.transmit_buffer().data()[transmit_buffer] = '!';
    const std::string answer = bench.ask(session, request);
    EXPECT_TRUE(answer == wanted || answer.find(R"("id":1,"error":{"code":-32603)") != std::string::npos)
        << transmit_buffer << answer;
    EXPECT_EQ(bench.server.transmit_buffer().data()[transmit_buffer], '!');
    EXPECT_FALSE(fits && answer != wanted) << "a larger window, a smaller answer: " << transmit_buffer;
    fits = fits || answer == wanted;
    refused = refused || answer != wanted;
  }
  EXPECT_TRUE(fits && refused);
}

// A batch with every transmit size: either the server executes nothing, or it executes each request and sends a
// response under its id. If a result does not fit, its client gets an error that says that the request was executed.
TEST_F(ServerTest, ExecutesABatchOnlyIfAllResponsesFit) {
  constexpr std::string_view batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"large","arguments":{"size":250}}},)"
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}},)"
      R"({"jsonrpc":"2.0","id":"two","method":"resources/list"},{"jsonrpc":"2.0","id":3,"method":"ping"},)"
      R"({"jsonrpc":"2.0","id":"an id that is longer than the limit for ids",)"
      R"("method":"ping"},{"jsonrpc":"2.0","id":9,"result":{}},{"jsonrpc":"2.0","id":5,"method":"no such method"}])";
  const std::string ids[] = {"1", "two", "3", "an id that is longer than the limit for ids", "5"};
  bool whole = false;
  bool replaced = false;
  bool refused = false;
  for (std::size_t transmit_buffer = 250; transmit_buffer < 2000; ++transmit_buffer) {
    SCOPED_TRACE(transmit_buffer);
    Bench bench(full(), {.transmit_size = transmit_buffer});
    const SessionId session = bench.server.open(0);
    bench.ask(session, initialize_with_batches);
    test::device.calls = 0;
    const std::string answer = bench.ask(session, batch);
    const std::optional<test::Json> json = test::parse_json(answer);
    ASSERT_TRUE(json) << answer;
    if (json->kind == test::Json::Kind::object) {
      EXPECT_EQ(json->text_at("error.code"), "-32603");
      EXPECT_NE(answer.find("Not executed"), std::string::npos) << answer;
      EXPECT_EQ(test::device.calls, 0U) << answer;
      EXPECT_FALSE(replaced) << "a larger window takes less";
      refused = true;
      continue;
    }
    EXPECT_EQ(test::device.calls, 1U) << answer;
    ASSERT_EQ(json->items.size(), std::size(ids)) << answer;
    for (std::size_t i = 0; i < std::size(ids); ++i) {
      const test::Json& item = json->items[i];
      EXPECT_EQ(item.text_at("id"), ids[i]);
      const std::string code = item.text_at("error.code");
      if (i >= 3) {
        EXPECT_EQ(code, i == 3 ? "-32600" : "-32601") << answer;
      } else if (item.find("result") == nullptr) {
        EXPECT_EQ(code, "-32603") << answer;
        EXPECT_TRUE(item.text_at("error.message").starts_with("Executed")) << answer;
        replaced = true;
      }
    }
    whole = whole || answer.find("Executed") == std::string::npos;
  }
  EXPECT_TRUE(whole && replaced && refused);
}

// The error of a rejected call has space as well: no entry of the array is cut.
TEST_F(ServerTest, BatchKeepsSpaceForErrorsOfFailedCalls) {
  constexpr std::string_view batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fail","arguments":{"how":"text"}}},)"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fail","arguments":{"how":"text"}}}])";
  std::size_t replaced = 0;
  for (std::size_t transmit_buffer = 250; transmit_buffer < 600; ++transmit_buffer) {
    Bench bench(full(), {.transmit_size = transmit_buffer, .call_burst = 1, .call_interval_ms = 60'000});
    const SessionId session = bench.server.open(0);
    bench.ask(session, initialize_with_batches);
    const std::optional<test::Json> json = test::parse_json(bench.ask(session, batch));
    ASSERT_TRUE(json);
    if (json->kind == test::Json::Kind::object) continue;  // nothing was executed
    for (const test::Json& item : json->items) {
      if (item.find("error") == nullptr) continue;
      EXPECT_EQ(item.text_at("error.message"), "Failed; the error is too large for one message.") << transmit_buffer;
      ++replaced;
    }
  }
  EXPECT_NE(replaced, 0U);
}

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

// ---- Contracts ---------------------------------------------------------------------------------------------------

// 150 values match: the server sends the first 100, or as many of them as fit, with the total and hasMore.
TEST_F(ServerTest, CompletionSendsTheFirstValuesThatFit) {
  std::size_t before = 0;
  for (std::size_t transmit_buffer = 420; transmit_buffer < 1200; ++transmit_buffer) {
    Bench bench(test::features, {.transmit_size = transmit_buffer});
    const std::string came = bench.ask(
        open_ready(bench),
        R"({"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"look"},)"
        R"("argument":{"name":"what","value":"many"}}})");
    const test::Json answer = test::parse_json(came).value_or(test::Json{});
    ASSERT_NE(answer.at("result.completion.values"), nullptr) << came;
    const std::vector<test::Json>& values = answer.at("result.completion.values")->items;
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i].text, "many" + std::to_string(i));
    ASSERT_GE(values.size(), before) << "a larger window has fewer";
    EXPECT_EQ(answer.text_at("result.completion.total"), "150");
    EXPECT_EQ(answer.text_at("result.completion.hasMore"), "true");
    before = values.size();
  }
  EXPECT_EQ(before, 100U);
}

using ServerDeathTest = ServerTest;

TEST_F(ServerDeathTest, AbortsForAResourceOfAnotherServer) {
  Bench bench(full());
  const mcp::Resource foreign = *test::find_resource("test://counter");
  EXPECT_DEATH(bench.server.resource_updated(foreign), "contract");
  EXPECT_DEATH(bench.server.resource_updated_from_isr(foreign), "contract");
}

// A token and a text that do not fit make no half message: there is no news, and the result comes.
// ---- Asking, tasks, limits ---------------------------------------------------------------------------------------

const mcp::Definition& input_requests() { return *test::find_definition("input_requests"); }

constexpr std::string_view initialize_asked =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}})";

SessionId open_asked(Bench& bench, Millis now = 0) {
  const SessionId id = bench.server.open(now);
  EXPECT_NE(bench.ask(id, initialize_asked, now), "");
  EXPECT_EQ(bench.ask(id, initialized, now), "");
  return id;
}

std::string call(std::string_view id, std::string_view tool, std::string_view more = "") {
  return std::string(R"({"jsonrpc":"2.0","id":)").append(id) + R"(,"method":"tools/call","params":{"name":")" +
         std::string(tool) + "\"" + std::string(more) + "}}";
}

// A session with batches whose call 7 waits for the roots of the client.
SessionId open_waiting_for_roots(Bench& bench) {
  const SessionId session = bench.server.open(0);
  bench.ask(session, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26",)"
                     R"("capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}})");
  bench.ask(session, initialized);
  EXPECT_EQ(bench.ask(session, call("7", "roots")), "");
  EXPECT_EQ(test::parse_json(bench.next(session))->text_at("method"), "roots/list");
  return session;
}

// The result of a call that a response in a batch ends has space as well.
TEST_F(ServerTest, BatchKeepsSpaceForACallThatAResponseEnds) {
  for (std::size_t transmit_buffer = 300; transmit_buffer < 700; ++transmit_buffer) {
    SCOPED_TRACE(transmit_buffer);
    Bench bench(input_requests(), {.transmit_size = transmit_buffer});
    const SessionId session = open_waiting_for_roots(bench);
    const std::string roots = R"({"uri":"file:///)" + std::string(200, 'a') + "\"}";
    const auto json = test::parse_json(
        bench.ask(session, R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stopped"}},)"
                           R"({"jsonrpc":"2.0","id":1000000001,"result":{"roots":[)" +
                               roots + R"(]}},{"jsonrpc":"2.0","id":2,"method":"ping"}])"));
    ASSERT_TRUE(json);
    if (json->kind == test::Json::Kind::object) {
      EXPECT_NE(json->raw.find("Not executed"), std::string::npos) << json->raw;
      continue;
    }
    ASSERT_EQ(json->items.size(), 3U) << json->raw;
    EXPECT_EQ(json->items[1].text_at("id"), "7");
    const bool fits = json->items[1].find("result") != nullptr;
    EXPECT_TRUE(fits || json->items[1].text_at("error.message").starts_with("Executed")) << json->raw;
    EXPECT_EQ(json->items[2].text_at("id"), "2");
  }
}

// A message that a notification of a batch causes is dropped if the responses need the transmit buffer.
TEST_F(ServerTest, BatchNotificationUsesNoSpaceOfResponses) {
  bool told = false;
  bool left_out = false;
  for (std::size_t transmit_buffer = 150; transmit_buffer < 400; ++transmit_buffer) {
    SCOPED_TRACE(transmit_buffer);
    Bench bench(input_requests());
    const SessionId session = open_waiting_for_roots(bench);
    std::string batch =
        R"([{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}},)" + std::string(ping) + "]";
    const std::unique_ptr<char[]> bytes(new char[transmit_buffer]);
    const mcp::Reply reply = bench.server.receive(session, batch, {bytes.get(), transmit_buffer}, 0);
    const std::optional<test::Json> json = test::parse_json({bytes.get(), reply.size});
    ASSERT_TRUE(json) << std::string_view(bytes.get(), reply.size);
    if (json->kind == test::Json::Kind::object) continue;  // not executed
    EXPECT_EQ(json->items.back().raw, pong);
    EXPECT_LE(json->items.size(), 2U);
    (json->items.size() == 2 ? told : left_out) = true;
    EXPECT_FALSE(bench.anything_left());
  }
  EXPECT_TRUE(told && left_out);
}

TEST_F(ServerTest, AcceptsAResponseOnlyInTheSessionOfItsRequest) {
  Bench bench(input_requests(), {.sessions = 2});
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

TEST_F(ServerTest, HidesTasksOfOtherSessions) {
  Bench bench(input_requests(), {.sessions = 2});
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
  Bench bench(input_requests());
  const SessionId id = open_asked(bench);
  bench.entropy.fails = true;
  const auto answer = test::parse_json(bench.ask(id, call("1", "quick", R"(,"task":{})")));
  EXPECT_EQ(answer->text_at("error.code"), "-32603");
  bench.entropy.fails = false;
  EXPECT_NE(test::parse_json(bench.ask(id, call("2", "quick", R"(,"task":{})")))->at("result.task"), nullptr);
}

TEST_F(ServerTest, CompletedElicitationsUseTheirSlots) {
  Bench bench(input_requests(), {.sessions = 2, .elicitations = 1});
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
  Bench bench(input_requests());
  const SessionId id = open_asked(bench);
  EXPECT_TRUE(bench.server.elicitation_completed(id, "one"));
  bench.server.cancel(id, 3, 0);
  EXPECT_EQ(test::parse_json(bench.next(id)).value_or(test::Json{}).text_at("params.elicitationId"), "one");
}

TEST_F(ServerTest, RejectsCallsBeyondTheRateLimit) {
  Bench bench(input_requests(), {.sessions = 2, .call_burst = 2, .call_interval_ms = 100});
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

TEST_F(ServerTest, PollReturnsTheTimeOfTheNextPing) {
  Bench bench(input_requests());
  const SessionId id = open_asked(bench, 1000);
  EXPECT_EQ(bench.server.poll(1000), 60'000U);
  EXPECT_EQ(bench.server.poll(61'000), 0U);
  EXPECT_EQ(bench.next(id, 61'000), R"({"jsonrpc":"2.0","id":1000000001,"method":"ping"})");
  EXPECT_EQ(bench.server.poll(61'000), 5'000U);
  EXPECT_EQ(bench.next(id, 66'000), "");
  EXPECT_EQ(bench.open_sessions(), 0U);
  EXPECT_EQ(bench.server.poll(66'000), mcp::forever);
}

TEST_F(ServerTest, DropsProgressThatDoesNotFit) {
  Bench bench(test::features, {.transmit_size = 420, .id = 400});
  const SessionId id = open_ready(bench);
  const std::string token(390, 't');
  EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"count",)"
                          R"("arguments":{"to":1},"_meta":{"progressToken":")" +
                              token + "\"}}}"),
            "");
  EXPECT_EQ(bench.next(id, 0), "");
  EXPECT_EQ(bench.next(id, 100),
            R"({"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"counted to 1"}]}})");
  EXPECT_FALSE(bench.anything_left());
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

// A message may begin with any white space of JSON.
TEST_F(ServerTest, AcceptsWhiteSpaceBeforeAMessage) {
  Bench bench(full());
  const SessionId id = open_ready(bench);
  for (const char blank : {' ', '\t', '\n', '\r'}) EXPECT_EQ(bench.ask(id, std::string(2, blank).append(ping)), pong);
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

TEST_F(ServerDeathTest, AbortsForARowOfAnotherServer) {
  Bench bench(test::features);
  const mcp::Tool foreign = test::features.tools.rows()[0];
  EXPECT_DEATH(bench.server.set_enabled(foreign, false), "contract");
  Bench fixed(full());  // which does not say .list_changes
  EXPECT_DEATH(fixed.server.set_enabled(full().tools.rows()[0], false), "contract");
}

// The ids of ends of elicitations may be empty, as an application likes.
TEST_F(ServerTest, AcceptsAnEmptyElicitationId) {
  Bench bench(input_requests());
  const SessionId id = open_asked(bench);
  EXPECT_TRUE(bench.server.elicitation_completed(id, ""));
  EXPECT_EQ(test::parse_json(bench.next(id))->text_at("params.elicitationId"), "");
}

// Messages of a session that belong to no request go out only on the channel of the session.
TEST_F(ServerTest, SendsSessionMessagesOnTheSessionChannel) {
  Bench bench(input_requests());
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

// Without max_tokens, a sampling request uses the number that usually fits into the receive buffer.
TEST_F(ServerTest, DefaultOfMaxTokensFollowsFromTheReceiveSize) {
  constexpr struct {
    std::size_t receive_size;
    std::string_view session;
    std::string_view stateless;
  } cases[] = {
      {400, "24", "16"}, {600, "57", "16"}, {1024, "128", "85"}, {4096, "640", "597"}, {65'536, "1024", "1024"}};
  for (const auto& [receive_size, session, stateless] : cases) {
    Bench bench(input_requests(), {.receive_size = receive_size});
    const SessionId id = bench.server.open(0);
    bench.ask(id, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                  R"("capabilities":{"sampling":{}},"clientInfo":{"name":"c","version":"1"}}})");
    bench.ask(id, initialized);
    bench.ask(id, call("1", "sample", R"(,"arguments":{"how":"default"})"));
    EXPECT_EQ(test::parse_json(bench.next(id))->text_at("params.maxTokens"), session) << receive_size;
    bench.ask(id,
              call("2", "sample",
                   R"(,"arguments":{"how":"default"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                   R"("io.modelcontextprotocol/clientCapabilities":{"sampling":{}}})"));
    EXPECT_EQ(test::parse_json(bench.next(id))->text_at("result.inputRequests.answer.params.maxTokens"), stateless)
        << receive_size;
  }
}

// The response to a ping, and others.
TEST_F(ServerTest, AcceptsAPingResponseOnlyUnderItsId) {
  Bench bench(input_requests());
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
  Bench bench(input_requests());
  const SessionId id = open_asked(bench, 1000);
  bench.storage().server_request_ids->last_id = 999'999'998;
  EXPECT_EQ(bench.next(id, 61'000), R"({"jsonrpc":"2.0","id":1999999999,"method":"ping"})");
  EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","id":1999999999,"result":{}})", 61'000), "");
  EXPECT_EQ(bench.server.stale_answers(), 0U);
  EXPECT_EQ(bench.next(id, 122'000), R"({"jsonrpc":"2.0","id":1000000001,"method":"ping"})");
}

// poll() returns the time of the earliest ping.
TEST_F(ServerTest, PollReturnsTheEarliestPing) {
  Bench bench(input_requests(), {.sessions = 2});
  static_cast<void>(open_asked(bench, 1000));
  const SessionId later = open_asked(bench, 5000);
  EXPECT_EQ(bench.server.poll(5000), 56'000U);
  bench.server.set_listening(later, false);
  EXPECT_EQ(bench.server.poll(5000), 56'000U);
}

// The error names the supported versions, if they fit.
TEST_F(ServerTest, UnsupportedVersionGetsAnErrorInEachTransmitSize) {
  for (std::size_t size = 110; size < 330; ++size) {
    Bench bench(*test::find_definition("full"), {.transmit_size = size});
    const std::string response = bench.ask(
        bench.server.open(0),
        R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01",)"
        R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
    EXPECT_TRUE(test::parse_json(response)) << size << response;
  }
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

}  // namespace
