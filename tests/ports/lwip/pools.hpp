// SPDX-License-Identifier: Apache-2.0
// lwIP's memory, taken away until it is given back.
#pragma once

#include <gtest/gtest.h>
#include <lwip/mem.h>
#include <lwip/memp.h>
#include <netif/ppp/ppp_opts.h>

#include <cstddef>
#include <vector>

namespace test {

/// All that is left of a pool.
class Taken {
 public:
  explicit Taken(memp_t pool) : pool_(pool) {
    while (void* const item = memp_malloc(pool_)) items_.push_back(item);
  }
  ~Taken() {
    for (void* const item : items_) memp_free(pool_, item);
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  [[nodiscard]] std::size_t size() const { return items_.size(); }

 private:
  memp_t pool_;
  std::vector<void*> items_;
};

/// Nothing is left in the pools that TCP uses, nor in the memory.
inline void expect_free_tcp_pools() {
  EXPECT_EQ(Taken(MEMP_TCP_PCB).size(), std::size_t{MEMP_NUM_TCP_PCB});
  EXPECT_EQ(Taken(MEMP_TCP_PCB_LISTEN).size(), std::size_t{MEMP_NUM_TCP_PCB_LISTEN});
  EXPECT_EQ(Taken(MEMP_TCP_SEG).size(), std::size_t{MEMP_NUM_TCP_SEG});
  EXPECT_EQ(Taken(MEMP_PBUF).size(), std::size_t{MEMP_NUM_PBUF});
  EXPECT_EQ(Taken(MEMP_PBUF_POOL).size(), std::size_t{PBUF_POOL_SIZE});
  void* const all = mem_malloc(MEM_SIZE - 64);
  EXPECT_NE(all, nullptr);
  mem_free(all);
}

/// Allocates all memory of lwIP for output.
class TakenMemory {
 public:
  TakenMemory() {
    for (mem_size_t size = MEM_SIZE; size != 0; size /= 2) {
      while (void* const item = mem_malloc(size)) items_.push_back(item);
    }
  }
  ~TakenMemory() {
    for (void* const item : items_) mem_free(item);
  }
  TakenMemory(const TakenMemory&) = delete;
  TakenMemory& operator=(const TakenMemory&) = delete;

 private:
  std::vector<void*> items_;
};

}  // namespace test
