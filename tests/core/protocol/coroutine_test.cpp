// SPDX-License-Identifier: Apache-2.0
// Coroutine tests that conversations cannot show: the slots of their pool, and broken contracts.
#include "mcp/coroutine.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "support/bench.hpp"
#include "support/json.hpp"

namespace {

TEST(FramePoolTest, HandsOutEachSlotOnce) {
  static constinit mcp::FramePool<3, 20> pool;
  EXPECT_EQ(pool.largest_wanted(), 0U);
  mcp::detail::Frames frames = pool.frames();
  void* const first = frames.acquire(20);
  void* const second = frames.acquire(1);
  void* const third = frames.acquire(32);  // a slot ends where the next may begin
  ASSERT_TRUE(first != nullptr && second != nullptr && third != nullptr);
  EXPECT_TRUE(first != second && second != third && third != first);
  for (void* const slot : {first, second, third}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(slot) % alignof(std::max_align_t), 0U);
  }
  EXPECT_EQ(pool.largest_wanted(), 32U);
  EXPECT_EQ(frames.acquire(1), nullptr);
  EXPECT_EQ(pool.largest_wanted(), 32U);
  frames.release(static_cast<char*>(second) + 19);  // at any position in the slot
  EXPECT_EQ(frames.acquire(33), nullptr);
  EXPECT_EQ(pool.largest_wanted(), 33U);
  EXPECT_EQ(pool.frames().acquire(20), second);
}

constinit mcp::FramePool<2, 1024> frames;

mcp::Coroutine inner(mcp::CoroutineContext&) { co_return mcp::Errc::ok; }
mcp::Coroutine outer(mcp::CoroutineContext& context) {
  static_cast<void>(inner(context));
  co_return mcp::Errc::ok;
}
constexpr mcp::Tool tools[] = {mcp::coroutine<outer, frames>({.name = "outer"})};
constexpr mcp::Definition definition{.name = "nested", .version = "0", .tools = tools};

// A session in which that has been called, and has not taken its first step.
mcp::SessionId call_outer(test::Bench& bench) {
  const mcp::SessionId id = bench.server.open(0);
  bench.ask(
      id,
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
  bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"outer"}})"), "");
  return id;
}

TEST(CoroutineDeathTest, AbortsWhenTwoCallsUseOneFrame) {
  test::Bench bench(definition);
  const mcp::SessionId id = call_outer(bench);
  EXPECT_DEATH(bench.next(id), "contract");
}

TEST(Coroutine, CancelledBeforeItsFirstStepUsesNoFrame) {
  test::Bench bench(definition);
  const mcp::SessionId id = call_outer(bench);
  EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"), "");
  EXPECT_EQ(bench.next(id), "");
  EXPECT_EQ(frames.largest_wanted(), 0U);
}

// ---- Context of a coroutine -----------------------------------------------------------------------------------------

struct CoroutineForm {
  mcp::FixedString<8> word;
};
constexpr auto coroutine_form = mcp::params(mcp::param<&CoroutineForm::word>("word"));
constinit mcp::FramePool<2, 1024> handed_frames;

mcp::Coroutine demands(mcp::CoroutineContext& context) {
  if (context.client_can(mcp::ClientCapability::elicitation)) co_return context.result().text("can");
  co_return context.needs_client(mcp::ClientCapability::elicitation);
}
// Two input requests at once, each with its key.
mcp::Coroutine asks_two(mcp::AskCoroutineContext& context) {
  static_cast<void>(context.key("a").elicit(coroutine_form, "A?"));
  const mcp::Answer second = co_await context.key("b").elicit(coroutine_form, "B?");
  const mcp::Answer first = context.answer("a");
  const auto word = [](const mcp::Answer& answer) {
    return answer.outcome() == mcp::Outcome::accepted ? mcp::json::Text("accepted") : mcp::json::Text("other");
  };
  co_return context.result().text(word(first), " ", word(second));
}
constexpr mcp::Tool handed_tools[] = {mcp::coroutine<demands, handed_frames>({.name = "demands"}),
                                      mcp::coroutine<asks_two, handed_frames>({.name = "asks_two"})};
constexpr mcp::Definition handed{.name = "handed", .version = "0", .tools = handed_tools};

std::string handed_call(std::string_view tool, std::string_view more, std::string_view capabilities) {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) + "\"," +
         std::string(more) +
         R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":)" +
         std::string(capabilities) + "}}}";
}

TEST(Coroutine, ReadsTheCapabilitiesOfItsClient) {
  test::Bench bench(handed);
  const mcp::SessionId id = bench.server.open(0);
  EXPECT_EQ(bench.ask(id, handed_call("demands", "", R"({"elicitation":{}})")), "");
  EXPECT_NE(bench.next(id).find(R"("text":"can")"), std::string::npos);
  EXPECT_EQ(bench.ask(id, handed_call("demands", "", "{}")), "");
  EXPECT_NE(bench.next(id).find("-32021"), std::string::npos);
}

TEST(Coroutine, SendsTwoInputRequestsAtOnce) {
  test::Bench bench(handed);
  const mcp::SessionId id = bench.server.open(0);
  EXPECT_EQ(bench.ask(id, handed_call("asks_two", "", R"({"elicitation":{}})")), "");
  const auto asked = test::parse_json(bench.next(id));
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->text_at("result.inputRequests.a.params.message"), "A?");
  EXPECT_EQ(asked->text_at("result.inputRequests.b.params.message"), "B?");
  const std::string answers =
      R"("inputResponses":{"a":{"action":"accept","content":{"word":"x"}},"b":{"action":"decline"}},"requestState":")" +
      asked->text_at("result.requestState") + "\",";
  std::string said = bench.ask(id, handed_call("asks_two", answers, R"({"elicitation":{}})"));
  if (said.empty()) said = bench.next(id);
  EXPECT_NE(said.find(R"("text":"accepted other")"), std::string::npos) << said;
}

mcp::Coroutine reconnects(mcp::CoroutineContext& context) {
  context.reconnect(250);
  co_await context.sleep(10);
  co_return context.result().text("back");
}
constexpr mcp::Tool reconnecting_tools[] = {mcp::coroutine<reconnects, handed_frames>({.name = "reconnects"})};
constexpr mcp::Definition reconnecting{.name = "reconnecting", .version = "0", .tools = reconnecting_tools};

TEST(Coroutine, HasItsClientReconnect) {
  test::Bench bench(reconnecting);
  const mcp::SessionId id = bench.server.open(0);
  const auto send = [&](std::string_view text) {
    std::string message(text);
    static_cast<void>(bench.server.receive(id, message, bench.server.transmit_buffer(), 0, 3));
    static_cast<void>(bench.server.transmit(id, bench.server.transmit_buffer(), 0, 3));
  };
  send(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
       R"("clientInfo":{"name":"c","version":"1"}}})");
  send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  send(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"reconnects"}})");
  EXPECT_EQ(bench.server.take_reconnect(id, 3), 250U);
}

}  // namespace
