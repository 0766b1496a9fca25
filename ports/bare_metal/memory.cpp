// SPDX-License-Identifier: Apache-2.0
// The memory and text functions that compilers and the core call, written for size: newlib's are unrolled for speed and
// take 1000 bytes of flash, these 150. Knows nothing of the board.
#include <cstddef>
#include <cstdint>

// GCC would replace the loops below by calls of the functions that they implement.
#pragma GCC optimize("no-tree-loop-distribute-patterns")

extern "C" {

void* memcpy(void* __restrict to, const void* __restrict from, std::size_t size) {
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  for (; size != 0; --size) *target++ = *source++;
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
  auto* target = static_cast<char*>(to);
  for (; size != 0; --size) *target++ = static_cast<char>(value);
  return to;
}

int memcmp(const void* a, const void* b, std::size_t size) {
  const auto* left = static_cast<const std::uint8_t*>(a);
  const auto* right = static_cast<const std::uint8_t*>(b);
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
