// SPDX-License-Identifier: Apache-2.0
// The memory and text functions of boards, for processors that read words from any address, and for the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Clang does not have the optimizations that the source switches off.
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
// NOLINTBEGIN(bugprone-suspicious-include)
#define JOINED(kind, name) kind##_##name
#define NAME(kind, name) JOINED(kind, name)
#define memcpy NAME(KIND, memcpy)
#define memmove NAME(KIND, memmove)
#define memset NAME(KIND, memset)
#define memcmp NAME(KIND, memcmp)
#define memchr NAME(KIND, memchr)
#define strlen NAME(KIND, strlen)
#define KIND words
#define __ARM_FEATURE_UNALIGNED 1
namespace words {
#include "ports/bare_metal/memory.cpp"
}
#undef KIND
#undef __ARM_FEATURE_UNALIGNED
#define KIND bytes
namespace bytes {
#include "ports/bare_metal/memory.cpp"
}
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef memchr
#undef strlen
// NOLINTEND(bugprone-suspicious-include)

namespace {

using Bytes = std::vector<std::uint8_t>;

struct Functions {
  void* (*copy)(void*, const void*, std::size_t);
  void* (*move)(void*, const void*, std::size_t);
  void* (*set)(void*, int, std::size_t);
  int (*compare)(const void*, const void*, std::size_t);
  void* (*find)(const void*, int, std::size_t);
  std::size_t (*size)(const char*);
};

class Memory : public testing::TestWithParam<Functions> {};

constexpr std::size_t longest = 18;
constexpr std::size_t room = 4;  // before and after

Bytes counted(std::size_t size, std::uint8_t first) {
  Bytes made(size);
  for (std::uint8_t& byte : made) byte = first++;
  return made;
}

TEST_P(Memory, CopiesBetweenAllAddresses) {
  const Bytes source = counted(longest + 2 * room, 0xF0);
  for (std::size_t size = 0; size <= longest; ++size) {
    for (std::size_t to = 0; to < room; ++to) {
      for (std::size_t from = 0; from < room; ++from) {
        Bytes target(longest + 2 * room, 0xAA);
        Bytes expected = target;
        std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from), size,
                    expected.begin() + static_cast<std::ptrdiff_t>(to));
        EXPECT_EQ(GetParam().copy(target.data() + to, source.data() + from, size), target.data() + to);
        EXPECT_EQ(target, expected) << size << ' ' << to << ' ' << from;
      }
    }
  }
}

TEST_P(Memory, MovesOverItself) {
  for (std::size_t size = 0; size <= longest; ++size) {
    for (std::size_t to = 0; to < 2 * room; ++to) {
      for (std::size_t from = 0; from < 2 * room; ++from) {
        Bytes memory = counted(longest + 2 * room, 7);
        Bytes expected = memory;
        const Bytes moved(memory.begin() + static_cast<std::ptrdiff_t>(from),
                          memory.begin() + static_cast<std::ptrdiff_t>(from + size));
        std::copy(moved.begin(), moved.end(), expected.begin() + static_cast<std::ptrdiff_t>(to));
        EXPECT_EQ(GetParam().move(memory.data() + to, memory.data() + from, size), memory.data() + to);
        EXPECT_EQ(memory, expected) << size << ' ' << to << ' ' << from;
      }
    }
  }
}

TEST_P(Memory, SetsEachLength) {
  for (std::size_t size = 0; size <= longest; ++size) {
    for (std::size_t at = 0; at < room; ++at) {
      Bytes memory(longest + 2 * room, 0xAA);
      Bytes expected = memory;
      std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(at), size, 0x9C);
      EXPECT_EQ(GetParam().set(memory.data() + at, 0x129C, size), memory.data() + at);  // as an unsigned char
      EXPECT_EQ(memory, expected) << size << ' ' << at;
    }
  }
}

// The first difference decides, as unsigned characters.
TEST_P(Memory, ComparesEachByte) {
  for (std::size_t size = 0; size <= longest; ++size) {
    for (std::size_t at = 0; at < room; ++at) {
      const Bytes one = counted(longest + room, 0x7D);
      EXPECT_EQ(GetParam().compare(one.data() + at, Bytes(one).data() + at, size), 0);
      for (std::size_t different = at; different < at + size; ++different) {
        Bytes other = one;
        other[different] = 0xFF;
        for (std::size_t after = different + 1; after < other.size(); ++after) other[after] = 0;
        EXPECT_LT(GetParam().compare(one.data() + at, other.data() + at, size), 0) << size << ' ' << different;
        EXPECT_GT(GetParam().compare(other.data() + at, one.data() + at, size), 0);
      }
    }
  }
}

TEST_P(Memory, FindsTheFirstByte) {
  std::string text = "abcabc";
  EXPECT_EQ(GetParam().find(text.data(), 0x100 + 'b', text.size()), text.data() + 1);
  EXPECT_EQ(GetParam().find(text.data(), 'b', 1), nullptr);
  EXPECT_EQ(GetParam().find(text.data(), 'a', 0), nullptr);
  EXPECT_EQ(GetParam().size(text.c_str()), 6U);
  EXPECT_EQ(GetParam().size(""), 0U);
}

INSTANTIATE_TEST_SUITE_P(Words, Memory,
                         testing::Values(Functions{words::words_memcpy, words::words_memmove, words::words_memset,
                                                   words::words_memcmp, words::words_memchr, words::words_strlen}));
INSTANTIATE_TEST_SUITE_P(Bytes, Memory,
                         testing::Values(Functions{bytes::bytes_memcpy, bytes::bytes_memmove, bytes::bytes_memset,
                                                   bytes::bytes_memcmp, bytes::bytes_memchr, bytes::bytes_strlen}));

}  // namespace
