// SPDX-License-Identifier: Apache-2.0
// The memory of both ends of a connection: the arena of the port, or the heap of the mbedTLS of an SDK.
#pragma once

#include <gtest/gtest.h>
#include <mbedtls/platform.h>
#include <mbedtls/platform_time.h>  // x509.h of version 4 uses it
#include <mbedtls/ssl.h>
#include <psa/crypto.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "mcp/ports/mbedtls_arena.hpp"

namespace test::tls {

/// Returns the number of keys in the key store of PSA.
inline std::size_t used_keys() {
  mbedtls_psa_stats_t keys;
  mbedtls_psa_get_stats(&keys);
  return keys.MBEDTLS_PRIVATE(volatile_slots);
}

#ifdef MOTE_TLS_ARENA

/// Gives memory to mbedTLS, once for all tests of a program.
inline void set_memory() {
  static std::vector<std::byte>* memory = nullptr;
  if (memory != nullptr) return;
  memory = new std::vector<std::byte>(96 * 1024);
  mcp::mbedtls::set_arena(*memory);
}

/// Returns the number of bytes in use.
inline std::size_t used_memory() { return mcp::mbedtls::arena_use().used; }

/// Checks that nothing has kept memory.
inline void expect_no_memory_used() { EXPECT_EQ(used_memory(), 0U); }

/// A piece of memory that is taken while the test lasts, so that no more than `rest` is left.
class Hog {
 public:
  explicit Hog(std::size_t rest) {
    const mcp::mbedtls::ArenaUse use = mcp::mbedtls::arena_use();
    place_ = mote_mbedtls_calloc(1, use.size - use.used - rest);
    EXPECT_NE(place_, nullptr);
  }
  ~Hog() { mote_mbedtls_free(place_); }
  Hog(const Hog&) = delete;
  Hog& operator=(const Hog&) = delete;

 private:
  void* place_;
};

#else

struct Heap {
  std::size_t used = 0;
  std::size_t most = static_cast<std::size_t>(-1);
};
inline Heap heap;

// In front of each allocation is its size.
constexpr std::size_t heap_unit = alignof(std::max_align_t);

inline void* heap_calloc(std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > heap.most || heap.used > heap.most - bytes) return nullptr;
  auto* const place = static_cast<unsigned char*>(std::calloc(1, heap_unit + bytes));
  if (place == nullptr) return nullptr;
  heap.used += bytes;
  std::memcpy(place, &bytes, sizeof bytes);
  return place + heap_unit;
}

inline void heap_free(void* place) {
  if (place == nullptr) return;
  auto* const begin = static_cast<unsigned char*>(place) - heap_unit;
  std::size_t bytes = 0;
  std::memcpy(&bytes, begin, sizeof bytes);
  heap.used -= bytes;
  std::free(begin);
}

inline void set_memory() { ASSERT_EQ(mbedtls_platform_set_calloc_free(heap_calloc, heap_free), 0); }

inline std::size_t used_memory() { return heap.used; }

// The port leaves PSA running, because other parts of an SDK's program use it. PSA keeps the memory of its key store.
inline void expect_no_memory_used() {
  EXPECT_EQ(used_keys(), 0U);
  mbedtls_psa_crypto_free();
  EXPECT_EQ(heap.used, 0U);
}

class Hog {
 public:
  explicit Hog(std::size_t rest) { heap.most = heap.used + rest; }
  ~Hog() { heap.most = static_cast<std::size_t>(-1); }
  Hog(const Hog&) = delete;
  Hog& operator=(const Hog&) = delete;
};

#endif

}  // namespace test::tls
