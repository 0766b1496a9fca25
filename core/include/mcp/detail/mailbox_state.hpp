// SPDX-License-Identifier: Apache-2.0
// The memory of a Mailbox, which tasks, interrupts and the server change at the same time. Private.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/detail/atomic.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/feature_flags.hpp"
#include "mcp/memory/pool.hpp"
#include "mcp/port.hpp"
#include "mcp/rtos.hpp"

namespace mcp::detail {

/// True if the processor has compare-and-swap, which ARMv6-M does not have.
inline constexpr bool has_cas = is_lock_free<std::uint32_t>;

/// A word that tasks and interrupts change at the same time: without a lock, or under that of the port. Each change
/// makes what was written before visible to the next change.
template <bool lock_free = has_cas>
class SharedWord {
 public:
  [[nodiscard]] std::uint32_t load() const { return value_.load(); }
  void store(std::uint32_t value) {
    if constexpr (lock_free) {
      value_.store(value);
    } else {
      exchange(value);  // another core may be between the load and the store of a change
    }
  }
  /// Each returns the value from before.
  std::uint32_t add(std::uint32_t number) {
    if constexpr (lock_free) return value_.fetch_add(number);
    return change([number](std::uint32_t old) { return old + number; });
  }
  std::uint32_t set(std::uint32_t bits) {
    if constexpr (lock_free) return value_.fetch_or(bits);
    return change([bits](std::uint32_t old) { return old | bits; });
  }
  std::uint32_t exchange(std::uint32_t value) {
    if constexpr (lock_free) return value_.exchange(value);
    return change([value](std::uint32_t) { return value; });
  }
  std::uint32_t clear(std::uint32_t bits) {
    if constexpr (lock_free) return value_.fetch_and(~bits);
    return change([bits](std::uint32_t old) { return old & ~bits; });
  }
  /// Stores `value` if the word is `expected`. Returns the value from before.
  std::uint32_t replace(std::uint32_t expected, std::uint32_t value) {
    if constexpr (lock_free) return value_.replace(expected, value);
    return change([=](std::uint32_t old) { return old == expected ? value : old; });
  }

 private:
  template <class Change>
  std::uint32_t change(Change&& next) {
    const std::uint32_t state = mcp_lock();
    const std::uint32_t old = value_.load_relaxed();
    value_.store(next(old));  // for load(), which does not lock
    mcp_unlock(state);
    return old;
  }

  Atomic<std::uint32_t> value_ = 0;
};

/// Whether a job is to be woken: a slot for each slot of Limits::jobs. The word is the serial number of the JobHandle
/// that may set its lowest bit, so a stale handle changes nothing.
template <bool lock_free = has_cas>
class WakeSlot {
 public:
  static constexpr std::uint32_t last_serial = 0x7FFF'FFFF;

  /// For the server, at the first JobContext::handle() of a job: the slot now belongs to this serial number (not 0).
  void begin(std::uint32_t serial) { word_.store(serial << 1U); }
  [[nodiscard]] std::uint32_t serial() const { return word_.load() >> 1U; }
  /// For the server: true if there is a wake.
  [[nodiscard]] bool is_woken() const { return (word_.load() & woken) != 0; }
  void clear() { word_.clear(woken); }
  /// For any task and interrupt. False if a later job has the slot. Without a later job, true also after the end of
  /// the job: the server then ignores the wake. The loop repeats while other tasks change the word.
  bool wake(std::uint32_t serial) {
    for (std::uint32_t old = word_.load(); old >> 1U == serial;) {
      // Also if the bit is set: the server must see what this task wrote before.
      const std::uint32_t found = word_.replace(old, old | woken);
      if (found == old) return true;
      old = found;
    }
    return false;
  }

  // For the server: together they distinguish the job from an earlier one in its slot.
  memory::Handle job;
  Millis started_ms = 0;

 private:
  static constexpr std::uint32_t woken = 1;
  SharedWord<lock_free> word_;
};

/// A log message on its way. A writer takes a free slot, and never waits for another writer.
template <bool lock_free = has_cas>
struct LogSlot {
  enum State : std::uint32_t { free, writing, ready };
  SharedWord<lock_free> state;
  std::uint32_t order = 0;  // number of the message, which wraps: the server takes the oldest first
  LogLevel level = LogLevel::debug;
  std::uint8_t logger_size = 0;
  std::uint16_t text_size = 0;
};

/// What changes in a Mailbox besides its arrays.
struct MailboxState {
  SharedWord<> next_order;    // of a log message
  SharedWord<> lost_logs;     // since the last report
  std::uint32_t last_serial;  // of a JobHandle, for the server
};

/// The memory of a Mailbox in a Storage.
template <std::size_t resources, std::size_t jobs, std::size_t log_count, std::size_t log_size>
struct MailboxMemory {
  Items<SharedWord<>, (resources + 31) / 32> updates = {};
  Items<WakeSlot<>, jobs> wakes = {};
  Items<LogSlot<>, log_count> logs = {};
  Items<char, log_count* log_size> bytes = {};
  MailboxState state = {};
};

/// Addresses and sizes of the parts of a Mailbox.
struct MailboxView {
  std::span<const Resource> resources = {};
  SharedWord<>* updates = nullptr;  // a bit for each resource
  std::span<WakeSlot<>> wakes = {};
  std::span<LogSlot<>> logs = {};
  char* bytes = nullptr;  // `log_size` for each log message: the name of its logger, and its text
  std::size_t log_size = 0;
  MailboxState* state = nullptr;
  const ServerRequestIds* server = nullptr;  // names the Storage: the server asserts that it is its own
  bool is_traced = false;                    // a TracedMailbox: the server records each post when it takes it
};

}  // namespace mcp::detail

#include <mcp/detail/epilogue.hpp>
