// SPDX-License-Identifier: Apache-2.0
// The pool of slots with generation handles, against a model over all short sequences of calls.
#include "mcp/memory/pool.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace mcp::memory {
namespace {

struct Number : Slot {
  int value = 0;
};

// All sequences of `acquire` and of `release` of any handle that was ever given out, with the model: which uses are
// alive.
template <std::size_t capacity>
class Explorer {
 public:
  explicit Explorer(std::size_t calls) { explore(calls); }
  std::size_t states() const { return states_; }

 private:
  struct Use {
    Handle handle;
    int value;  // written into the slot, different for each use
    bool alive;
  };

  void explore(std::size_t calls_left) {
    ++states_;
    check();
    if (calls_left == 0 || testing::Test::HasFailure()) return;
    const auto slots = slots_;
    const auto uses = uses_;
    const auto again = [&] { slots_ = slots, uses_ = uses; };

    acquire();
    explore(calls_left - 1);
    again();
    for (std::size_t i = 0; i < uses.size(); ++i) {
      pool_.release(uses[i].handle);
      uses_[i].alive = false;
      explore(calls_left - 1);
      again();
    }
    pool_.release({});
    pool_.release({capacity, 1});
    check();
  }

  std::size_t alive() const {
    std::size_t count = 0;
    for (const Use& use : uses_) count += use.alive ? 1 : 0;
    return count;
  }

  void acquire() {
    const bool full = alive() == capacity;
    const Handle handle = pool_.acquire();
    if (full) {
      EXPECT_EQ(handle, Handle{});
      return;
    }
    Number* const number = pool_.find(handle);
    ASSERT_NE(number, nullptr);
    EXPECT_EQ(number->value, 0) << "a slot is given out with its value reset";
    number->value = static_cast<int>(uses_.size()) + 100;
    uses_.push_back({handle, number->value, true});
  }

  void check() {
    std::array<Handle, capacity> used{};
    for (const Use& use : uses_) {
      const Number* const number = pool_.find(use.handle);
      EXPECT_EQ(number != nullptr, use.alive);
      EXPECT_TRUE(number == nullptr || number->value == use.value);
      if (use.alive) used.at(use.handle.index) = use.handle;
    }
    for (std::size_t i = 0; i < capacity; ++i) EXPECT_EQ(pool_.handle_of(i), used[i]);
    EXPECT_EQ(pool_.find({}), nullptr);
    EXPECT_EQ(pool_.find({capacity, 1}), nullptr);
    EXPECT_EQ(pool_.find({0xFFFF, 1}), nullptr);
  }

  std::array<Number, capacity> slots_{};
  Pool<Number> pool_{slots_};
  std::vector<Use> uses_;
  std::size_t states_ = 0;
};

TEST(Pool, EverySequenceOfCallsAgreesWithTheModel) {
  EXPECT_GT(Explorer<1>(9).states(), 1000u);
  EXPECT_GT(Explorer<2>(8).states(), 1000u);
  EXPECT_GT(Explorer<3>(8).states(), 1000u);
}

TEST(Pool, WithoutSlotsEveryHandleIsStale) {
  Pool<Number> none;
  EXPECT_EQ(none.capacity(), 0u);
  EXPECT_EQ(none.acquire(), Handle{});
  EXPECT_EQ(none.find({}), nullptr);
  none.release({0, 1});
}

TEST(Pool, FullPoolAcquiresNothingUntilARelease) {
  std::array<Number, 3> slots{};
  Pool<Number> pool(slots);
  EXPECT_EQ(pool.capacity(), 3u);
  const std::array handles = {pool.acquire(), pool.acquire(), pool.acquire()};
  EXPECT_EQ(pool.acquire(), Handle{});
  pool.release(handles[1]);
  const Handle again = pool.acquire();
  EXPECT_EQ(again.index, handles[1].index);
  EXPECT_NE(again, handles[1]);
  pool.release(handles[1]);  // stale: the new owner keeps the slot
  EXPECT_NE(pool.find(again), nullptr);
  EXPECT_EQ(pool.acquire(), Handle{});
}

TEST(Pool, HandleOfAnotherSlotOrGenerationIsStale) {
  std::array<Number, 2> slots{};
  Pool<Number> pool(slots);
  const Handle handle = pool.acquire();
  for (unsigned generation = 0; generation <= 0xFFFF; ++generation) {
    const Handle forged{handle.index, static_cast<std::uint16_t>(generation)};
    EXPECT_EQ(pool.find(forged) != nullptr, forged == handle);
  }
  const Handle other{static_cast<std::uint16_t>(1 - handle.index), handle.generation};
  EXPECT_EQ(pool.find(other), nullptr);
}

TEST(Pool, GenerationWrapKeepsFreeSlotsFreeAndStaleHandlesStale) {
  std::array<Number, 1> slots{};
  Pool<Number> pool(slots);
  const Handle first = pool.acquire();
  pool.release(first);
  for (int reuse = 1; reuse < 3 * 32768; ++reuse) {
    EXPECT_EQ(pool.find(first), nullptr);
    const Handle handle = pool.acquire();
    ASSERT_NE(handle, Handle{});
    ASSERT_EQ(handle.generation % 2, 1);
    ASSERT_NE(pool.find(handle), nullptr);
    // Generations distinguish 32768 uses: a handle must not be kept longer.
    ASSERT_EQ(pool.find(first) != nullptr, reuse % 32768 == 0) << reuse;
    pool.release(handle);
    ASSERT_EQ(pool.find(handle), nullptr);
    ASSERT_EQ(pool.handle_of(0), Handle{});
    ASSERT_EQ(pool.find({}), nullptr) << "at generation 0 too";
  }
}

TEST(Handle, EqualsByBothNumbers) {
  for (const Handle other : {Handle{1, 2}, Handle{2, 1}, Handle{0, 1}, Handle{}}) {
    EXPECT_FALSE((other == Handle{1, 1}));
    EXPECT_TRUE(other == other);
  }
}

}  // namespace
}  // namespace mcp::memory
