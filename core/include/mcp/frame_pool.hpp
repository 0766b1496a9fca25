// SPDX-License-Identifier: Apache-2.0
/// @file
/// Memory for the frames of coroutines: a fixed number of slots that the application owns.
/// @code
/// constinit mcp::FramePool<2, 200> frames;  // two calls at the same time, at most 200 bytes for each frame
/// mcp::Coroutine wait_a_second(mcp::CoroutineContext& context) {
///   co_await context.sleep(1'000);
///   co_return context.result().text("done");
/// }
/// constexpr mcp::Tool tools[] = {mcp::coroutine<wait_a_second, frames>({.name = "wait_a_second"})};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>

#include "mcp/errors.hpp"

namespace mcp {

class JobContext;

namespace detail {

/// A FramePool of any size, for code that is not a template.
struct Frames {
  char* bytes;
  bool* used;  // one for each slot
  std::size_t slot_count;
  std::size_t size;  // of a slot
  std::size_t& largest_wanted;
  std::size_t wanted = 0;  // the size of the last acquire()

  /// Takes a slot for a frame of this size. Returns nullptr if there is none.
  [[nodiscard]] void* acquire(std::size_t frame_size);
  /// Releases the slot of `frame`.
  void release(const void* frame) const;
  /// Ends a call as failed, after acquire() had no slot for it.
  Errc fail(JobContext& context) const;
};

}  // namespace detail

/// Memory for the frames of `slot_count` coroutines that run at the same time, `slot_size` bytes for each frame.
/// Several tools may share a pool. Only the compiler knows the size of a frame, and only when it generates code.
/// Therefore begin with a large `slot_size`, call each tool once, and look at largest_wanted() in a debugger.
/// Ownership: the application. RAM: `slot_count` * (`slot_size`, rounded up to 8 or 16 bytes, + 1) + 4, in .bss.
/// Errors: a call whose frame does not fit fails with an error that says how many bytes it needs, and
/// Server::health() has this number. If core is compiled without NDEBUG, as in a Debug build, the call stops at
/// mcp_assert_failed() instead, and its `line` is the number of bytes. A call that finds no free slot fails with an
/// error that says to retry later, and Server::health() counts it. Context: main loop.
template <std::size_t slot_count, std::size_t slot_size>
class FramePool {
 public:
  static_assert(slot_count >= 1 && slot_size >= 1, "a FramePool has at least one slot of at least one byte");

  /// Returns the size in bytes of the largest frame so far, including frames that did not fit; 0 before the first.
  [[nodiscard]] std::size_t largest_wanted() const { return largest_wanted_; }

  /// @cond server
  [[nodiscard]] detail::Frames frames() { return {slots_[0], used_, slot_count, stride, largest_wanted_}; }
  /// @endcond

 private:
  static constexpr std::size_t alignment = alignof(std::max_align_t);  // that compilers assume for a frame
  static constexpr std::size_t stride = (slot_size + alignment - 1) / alignment * alignment;

  alignas(alignment) char slots_[slot_count][stride] = {};
  bool used_[slot_count] = {};
  std::size_t largest_wanted_ = 0;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
