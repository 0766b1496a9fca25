// SPDX-License-Identifier: Apache-2.0
// Variables that interrupts and tasks change. Private. Not <atomic>: on a PC, it takes more time of each source than
// all other headers of the standard library that the core includes.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <type_traits>

namespace mcp::detail {

/// True if the processor changes a T in one step. ARMv6-M has no compare-and-swap: GCC would call functions of a
/// library.
template <class T>
inline constexpr bool is_lock_free = __atomic_always_lock_free(sizeof(T), nullptr);

/// A number, a bool or a pointer that is read and written in one step. A name without an order acquires and releases.
template <class T>
requires(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(void*)) class Atomic {
 public:
  constexpr Atomic() = default;
  constexpr Atomic(T value) : value_(value) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  [[nodiscard]] T load() const { return __atomic_load_n(&value_, __ATOMIC_ACQUIRE); }
  [[nodiscard]] T load_relaxed() const { return __atomic_load_n(&value_, __ATOMIC_RELAXED); }
  void store(T value) { __atomic_store_n(&value_, value, __ATOMIC_RELEASE); }
  void store_relaxed(T value) { __atomic_store_n(&value_, value, __ATOMIC_RELAXED); }

  /// Each of these returns the value from before, and is for a T that is_lock_free.
  T exchange(T value) { return __atomic_exchange_n(&value_, value, __ATOMIC_ACQ_REL); }
  T fetch_add(T number) { return __atomic_fetch_add(&value_, number, __ATOMIC_ACQ_REL); }
  T fetch_or(T bits) { return __atomic_fetch_or(&value_, bits, __ATOMIC_ACQ_REL); }
  T fetch_and(T bits) { return __atomic_fetch_and(&value_, bits, __ATOMIC_ACQ_REL); }
  /// Stores `value` if the variable is `expected`.
  T replace(T expected, T value) {
    __atomic_compare_exchange_n(&value_, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return expected;
  }

 private:
  T value_ = {};
};

/// The compiler moves no access to memory over this line. For code that an interrupt of the same processor interrupts.
inline void signal_fence() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

}  // namespace mcp::detail

#include <mcp/detail/epilogue.hpp>
