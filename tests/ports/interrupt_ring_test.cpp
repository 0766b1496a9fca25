// SPDX-License-Identifier: Apache-2.0
// InterruptRing against a model that cannot be wrong (a deque), in every order of operations.
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <mcp/ports/interrupt_ring.hpp>
#include <span>
#include <string_view>
#include <thread>

namespace {

using board::InterruptRing;

/// The ring and its model, driven by the same operations.
template <std::size_t capacity>
class Pair {
 public:
  /// Operation 0 pushes, operation n > 0 pops up to n bytes.
  void apply(unsigned operation) {
    if (operation == 0) {
      push();
    } else {
      pop(operation);
    }
    ASSERT_EQ(ring_.size(), model_.size());
    ASSERT_EQ(ring_.full(), model_.size() == capacity);
  }

 private:
  void push() {
    const char byte = next_++;
    const bool fits = model_.size() < capacity;
    ASSERT_EQ(ring_.push(byte), fits);
    if (fits) model_.push_back(byte);
  }

  void pop(std::size_t wanted) {
    char bytes[8] = {};
    const std::size_t count = ring_.pop(std::span(bytes, wanted));
    ASSERT_EQ(count, std::min(wanted, model_.size()));
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(bytes[i], model_.front());
      model_.pop_front();
    }
    for (std::size_t i = count; i < sizeof bytes; ++i) ASSERT_EQ(bytes[i], 0) << "wrote behind what it returned";
  }

  InterruptRing<capacity> ring_{};
  std::deque<char> model_;
  char next_ = 1;
};

template <std::size_t capacity>
void every_sequence(unsigned operations, unsigned length) {
  unsigned sequences = 1;
  for (unsigned i = 0; i < length; ++i) sequences *= operations;
  for (unsigned sequence = 0; sequence < sequences; ++sequence) {
    Pair<capacity> pair;
    for (unsigned i = 0, rest = sequence; i < length; ++i, rest /= operations) {
      pair.apply(rest % operations);
      if (testing::Test::HasFatalFailure()) FAIL() << "sequence " << sequence << ", step " << i;
    }
  }
}

// A sequence holds all its beginnings, so the longest length covers the shorter ones.
TEST(InterruptRing, EverySequenceOnOneByte) { every_sequence<1>(3, 9); }
TEST(InterruptRing, EverySequenceOnTwoBytes) { every_sequence<2>(4, 8); }
TEST(InterruptRing, EverySequenceOnFourBytes) { every_sequence<4>(3, 10); }

TEST(InterruptRing, WrapsPositions) {
  Pair<4> pair;
  for (unsigned i = 0; i < 70'000; ++i) {
    pair.apply(0);
    if (i % 3 == 2) pair.apply(3);
    ASSERT_FALSE(HasFatalFailure()) << "byte " << i;
  }
}

TEST(InterruptRing, DistinguishesFullAndEmptyAtTheWrap) {
  InterruptRing<32'768> ring{};
  for (unsigned i = 0; i < 32'768; ++i) ASSERT_TRUE(ring.push('a'));
  char byte;
  for (unsigned i = 0; i < 32'768; ++i) {
    ASSERT_TRUE(ring.full());
    ASSERT_FALSE(ring.push('x'));
    ASSERT_EQ(ring.pop(std::span(&byte, 1)), 1U);
    ASSERT_EQ(byte, 'a');
    ASSERT_TRUE(ring.push('b'));
  }
  for (unsigned i = 0; i < 32'768; ++i) ASSERT_EQ(ring.pop(std::span(&byte, 1)), 1U);
  EXPECT_EQ(ring.size(), 0U);
  EXPECT_EQ(ring.pop(std::span(&byte, 1)), 0U);
}

// Two threads are a harder case than an interrupt: either side may be stopped between any two instructions.
TEST(InterruptRing, PassesBytesBetweenTwoThreads) {
  constexpr unsigned bytes = 200'000;
  static InterruptRing<16> ring;
  std::thread producer([] {
    for (unsigned i = 0; i < bytes; ++i) {
      while (!ring.push(static_cast<char>(i * 7))) std::this_thread::yield();
    }
  });
  unsigned seen = 0;
  unsigned wrong = 0;
  while (seen < bytes) {
    char into[5];
    const std::size_t count = ring.pop(into);
    for (std::size_t i = 0; i < count; ++i) wrong += into[i] != static_cast<char>(seen++ * 7) ? 1U : 0U;
    if (count == 0) std::this_thread::yield();
  }
  producer.join();
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(ring.size(), 0U);
}

TEST(InterruptRing, WipesOnlyBytesThatWereRead) {
  board::InterruptRing<8> ring;
  char into[8];
  for (const char byte : std::string_view("secret")) EXPECT_TRUE(ring.push(byte));
  EXPECT_EQ(ring.pop(std::span(into).first(6)), 6U);
  for (const char byte : std::string_view("abdf")) EXPECT_TRUE(ring.push(byte));  // around the end
  EXPECT_EQ(ring.pop(std::span(into).first(1)), 1U);
  ring.wipe();
  const std::string_view bytes(reinterpret_cast<const char*>(&ring), sizeof ring);
  for (const char byte : std::string_view("secrta")) EXPECT_EQ(bytes.find(byte), std::string_view::npos) << byte;
  EXPECT_EQ(ring.pop(into), 3U);
  EXPECT_EQ(std::string_view(into, 3), "bdf");
}

}  // namespace
