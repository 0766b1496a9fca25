// SPDX-License-Identifier: Apache-2.0
// The assertions of the pools. This program is compiled with ports/checks, as a build with -D MOTE_CHECKS=ON.
#include <gtest/gtest.h>

#include <array>

#include "mcp/memory/bit_set.hpp"
#include "mcp/memory/pool.hpp"
#include "mcp/memory/record_ring.hpp"

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

}  // namespace
}  // namespace mcp::memory
