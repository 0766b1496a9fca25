// SPDX-License-Identifier: Apache-2.0
// The memory and text functions that compilers and the core call, written for size: newlib's are unrolled for speed and
// take 1000 bytes of flash, these 200. Where the processor reads words from any address, most bytes are copied, set and
// compared four at a time: not for registers, nor for external memory that an MPU declares to be Device memory. Knows
// nothing of the board.
#include <cstddef>
#include <cstdint>

// GCC would replace the loops below by calls of the functions that they implement.
#pragma GCC optimize("no-tree-loop-distribute-patterns")

namespace {

#ifdef __ARM_FEATURE_UNALIGNED
// GCC 12 takes less code for loops that count what is left.
#pragma GCC optimize("no-ivopts", "no-tree-scev-cprop")
using Word [[gnu::aligned(1), gnu::may_alias]] = std::uint32_t;
constexpr bool has_words = true;
#else
using Word = std::uint8_t;
constexpr bool has_words = false;
#endif

}  // namespace

extern "C" {

// From the first byte to the last: memmove() needs that.
void* memcpy(void* to, const void* from, std::size_t size) {
  auto* words = static_cast<Word*>(to);
  const auto* source = static_cast<const Word*>(from);
  for (; has_words && size >= sizeof(Word); size -= sizeof(Word)) *words++ = *source++;
  auto* bytes = reinterpret_cast<std::uint8_t*>(words);
  const auto* rest = reinterpret_cast<const std::uint8_t*>(source);
  for (; size != 0; --size) *bytes++ = *rest++;
  return to;
}

void* memmove(void* to, const void* from, std::size_t size) {
  if (to <= from) return memcpy(to, from, size);
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  while (size-- != 0) target[size] = source[size];
  return to;
}

void* memset(void* to, int value, std::size_t size) {
  const auto word = static_cast<Word>(static_cast<std::uint8_t>(value) * 0x0101'0101U);
  auto* words = static_cast<Word*>(to);
  for (; has_words && size >= sizeof(Word); size -= sizeof(Word)) *words++ = word;
  auto* bytes = reinterpret_cast<std::uint8_t*>(words);
  for (; size != 0; --size) *bytes++ = static_cast<std::uint8_t>(word);
  return to;
}

int memcmp(const void* a, const void* b, std::size_t size) {
  const auto* words = static_cast<const Word*>(a);
  const auto* others = static_cast<const Word*>(b);
  for (; has_words && size >= sizeof(Word) && *words == *others; size -= sizeof(Word)) ++words, ++others;
  const auto* left = reinterpret_cast<const std::uint8_t*>(words);
  const auto* right = reinterpret_cast<const std::uint8_t*>(others);
  for (; size != 0; --size, ++left, ++right) {
    if (*left != *right) return *left - *right;
  }
  return 0;
}

void* memchr(const void* in, int value, std::size_t size) {
  const auto* at = static_cast<const std::uint8_t*>(in);
  for (; size != 0; --size, ++at) {
    if (*at == static_cast<std::uint8_t>(value)) return const_cast<std::uint8_t*>(at);
  }
  return nullptr;
}

std::size_t strlen(const char* text) {
  std::size_t size = 0;
  while (text[size] != '\0') ++size;
  return size;
}

}  // extern "C"
