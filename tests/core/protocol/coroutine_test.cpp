// What conversations cannot show of coroutines: the slots of their pool, and a broken contract.
#include "mcp/coroutine.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "support/bench.hpp"

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
  frames.release(static_cast<char*>(second) + 19);  // wherever in the slot the frame says that it is
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

TEST(CoroutineDeathTest, AFrameBelongsToOneCall) {
  test::Bench bench(definition);
  const mcp::SessionId id = bench.server.open(0);
  bench.ask(id, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})");
  bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"outer"}})"), "");
  EXPECT_DEATH(bench.next(id), "contract");
}

}  // namespace
