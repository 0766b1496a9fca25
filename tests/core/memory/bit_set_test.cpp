// SPDX-License-Identifier: Apache-2.0
// The bit set, against a model over all short sequences of calls and for every single bit.
#include "mcp/memory/bit_set.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>

namespace mcp::memory {
namespace {

using Words = std::array<BitSet::Word, 3>;

void check(BitSet bits, const std::set<std::size_t>& model) {
  for (std::size_t bit = 0; bit < 96; ++bit) ASSERT_EQ(bits.test(bit), model.contains(bit)) << bit;
  ASSERT_EQ(bits.first(), model.empty() ? BitSet::npos : *model.begin());
  for (const std::size_t from : {0u, 1u, 31u, 32u, 63u, 95u, 96u}) {
    const auto next = model.lower_bound(from);
    ASSERT_EQ(bits.first_from(from), next == model.end() ? BitSet::npos : *next) << from;
  }
}

TEST(BitSet, StartsEmpty) {
  Words words{};
  check(BitSet(words), {});
}

TEST(BitSet, BitsAreIndependent) {
  for (std::size_t bit = 0; bit < 96; ++bit) {
    Words words{};
    BitSet bits(words);
    bits.set(bit);
    check(bits, {bit});
    bits.set(bit);
    check(bits, {bit});
    bits.reset(bit);
    check(bits, {});

    std::set<std::size_t> others;
    for (std::size_t i = 0; i < 96; ++i) bits.set(i), others.insert(i);
    others.erase(bit);
    bits.reset(bit);
    check(bits, others);
    bits.reset(bit);
    check(bits, others);
  }
}

void explore(Words words, const std::set<std::size_t>& model, int calls_left) {
  check(BitSet(words), model);
  if (calls_left == 0 || testing::Test::HasFailure()) return;
  for (const std::size_t bit : {0u, 1u, 31u, 32u, 63u, 95u}) {
    for (const bool set : {true, false}) {
      Words next = words;
      std::set<std::size_t> next_model = model;
      if (set) {
        BitSet(next).set(bit);
        next_model.insert(bit);
      } else {
        BitSet(next).reset(bit);
        next_model.erase(bit);
      }
      explore(next, next_model, calls_left - 1);
    }
  }
  BitSet(words).clear();
  explore(words, {}, calls_left - 1);
}

TEST(BitSet, EverySequenceOfCallsAgreesWithTheModel) { explore({}, {}, 4); }

TEST(BitSet, ReturnsTheLowestBitFirst) {
  Words words{};
  BitSet bits(words);
  for (const std::size_t bit : {95u, 64u, 32u, 31u, 0u}) bits.set(bit);
  for (const std::size_t bit : {0u, 31u, 32u, 64u, 95u}) {
    EXPECT_EQ(bits.first(), bit);
    bits.reset(bit);
  }
  EXPECT_EQ(bits.first(), BitSet::npos);
}

TEST(BitSet, WithoutWordsHasNoBit) {
  BitSet none({});
  none.clear();
  EXPECT_EQ(none.first(), BitSet::npos);
  EXPECT_EQ(none.first_from(0), BitSet::npos);
}

static_assert(BitSet::words_for(0) == 0 && BitSet::words_for(1) == 1 && BitSet::words_for(32) == 1);
static_assert(BitSet::words_for(33) == 2 && BitSet::words_for(64) == 2 && BitSet::words_for(65) == 3);

}  // namespace
}  // namespace mcp::memory
