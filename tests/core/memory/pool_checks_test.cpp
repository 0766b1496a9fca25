// SPDX-License-Identifier: Apache-2.0
// The assertions of pools, bit sets, rings and unions. This program is compiled with ports/checks, as a build with
// -D MOTE_CHECKS=ON.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "mcp/memory/bit_set.hpp"
#include "mcp/memory/pool.hpp"
#include "mcp/memory/record_ring.hpp"
#include "mcp/params.hpp"
#include "mcp/tool.hpp"

namespace mcp::memory {
namespace {

struct Number : Slot {
  int value = 0;
};

TEST(PoolDeathTest, AssertsThatAHandleIsNotStale) {
  std::array<Number, 2> slots{};
  const Pool<Number> pool(slots);
  const Handle handle = pool.acquire();
  pool.at(handle).value = 7;
  EXPECT_EQ(pool.at(handle.index).value, 7);
  EXPECT_DEATH(static_cast<void>(pool.at(Handle{})), "pool\\.hpp:.*\\(find\\(h\\) != nullptr\\)");
  pool.release(handle);
  EXPECT_DEATH(static_cast<void>(pool.at(handle)), "pool\\.hpp:.*\\(find\\(h\\) != nullptr\\)");
  EXPECT_DEATH(static_cast<void>(pool.at(0)), "pool\\.hpp:.*\\(slot\\(index\\)->used\\(\\)\\)");
}

TEST(PoolDeathTest, AssertsThatASlotIsFreeAndExists) {
  std::array<Number, 3> slots{};
  const Pool<Number> pool(slots.data(), 1, sizeof(Number));  // with a slot after the pool
  pool.acquire(1);
  EXPECT_EQ(pool.at(1).value, 0);
  EXPECT_DEATH(pool.acquire(1), "pool\\.cpp:.*\\(!slot->used\\(\\)\\)");
  EXPECT_DEATH(static_cast<void>(pool.in_use(2)), "pool\\.hpp:.*\\(index <= count_\\)");
}

TEST(PoolDeathTest, AssertsThatAWalkHasASlot) {
  std::array<Number, 2> slots{};
  const Pool<Number> pool(slots);
  const Handle handle = pool.acquire();
  Walk<Number> walk(pool);
  EXPECT_DEATH(static_cast<void>(walk.index()), "pool\\.hpp:.*\\(next_ != 0\\)");
  EXPECT_EQ(walk.next(), &pool.at(handle));
  EXPECT_EQ(walk.handle(), handle);
}

TEST(PoolDeathTest, AssertsThatAHandleCanNameEachSlot) {
  constexpr const char* assertion = "pool\\.hpp:.*\\(count <= 0xFFFF && size <= 0xFFFF\\)";
  std::array<Number, 1> slots{};
  EXPECT_DEATH(Pool<Number>(slots.data(), 0x10000, sizeof(Number)), assertion);
  EXPECT_DEATH(Pool<Number>(slots.data(), 1, 0x10000), assertion);
}

TEST(BitSetDeathTest, AssertsThatABitExists) {
  std::array<BitSet::Word, 2> words{};
  BitSet bits(words);
  bits.set(63);
  EXPECT_TRUE(bits.test(63));
  EXPECT_DEATH(bits.set(64), "bit_set\\.hpp:.*\\(bit / 32 < words_\\.size\\(\\)\\)");
}

TEST(RecordRingDeathTest, AssertsThatARecordIsInTheRing) {
  std::array<char, 16> bytes{};
  RecordRing::State state{};
  RecordRing ring(bytes, state);
  EXPECT_DEATH(ring.drop_oldest(), "record_ring\\.hpp:.*\\(state_\\.count != 0\\)");
  ring.push(1, "", "a");
  EXPECT_EQ(ring.read(0).text, "a");
  EXPECT_DEATH(static_cast<void>(ring.read(1)), "record_ring\\.hpp:.*\\(number - state_\\.oldest < state_\\.count\\)");
}

TEST(RecordRingDeathTest, AssertsThatATagHas24Bits) {
  std::array<char, 16> bytes{};
  RecordRing::State state{};
  RecordRing ring(bytes, state);
  ring.push(0xFF'FFFF, "", "a");
  EXPECT_EQ(ring.read(0).tag, 0xFF'FFFFu);
  EXPECT_DEATH(ring.push(0x100'0000, "", "a"), "record_ring\\.hpp:.*\\(tag >> 24 == 0\\)");
}

TEST(TagDeathTest, AssertsThatTheMemberOfAUnionHasTheValue) {
  constexpr const char* assertion = "tag\\.hpp:.*\\(kind_ == kind\\)";
  detail::Bound bound(std::int64_t{7});
  EXPECT_EQ(bound.i(), 7);
  EXPECT_DEATH(static_cast<void>(bound.u()), assertion);
  bound.begin_d() = 0.5;
  EXPECT_EQ(bound.d(), 0.5);
  EXPECT_DEATH(static_cast<void>(bound.i()), assertion);
  EXPECT_DEATH(static_cast<void>(bound.bytes(detail::Bound::Kind::single)), assertion);
  bound = detail::Bound(std::string_view("text"));
  EXPECT_EQ(bound.s(), "text");
  EXPECT_EQ(detail::Rows().choices(), nullptr);
  EXPECT_DEATH(static_cast<void>(detail::Rows().fields()), assertion);
  EXPECT_EQ(detail::ToolOutput().rows(), nullptr);
  EXPECT_DEATH(static_cast<void>(detail::ToolOutput().json()), assertion);
}

}  // namespace
}  // namespace mcp::memory
