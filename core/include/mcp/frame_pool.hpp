// Memory for the frames of coroutines: a fixed number of slots that the application owns. Knows no coroutine.
#pragma once

#include <cstddef>

#include "mcp/errors.hpp"

namespace mcp {

class JobContext;

namespace detail {

/// A FramePool while it is asked for a frame: what code that is no template works with.
struct Frames {
  char* bytes;
  bool* used;  // one for each slot
  std::size_t count;
  std::size_t size;  // of a slot
  std::size_t& largest_wanted;
  std::size_t wanted = 0;  // what acquire() was last asked for

  /// A slot with room for a frame of this size, or nullptr.
  [[nodiscard]] void* acquire(std::size_t frame_size);
  /// Gives back the slot in which `frame` stands.
  void release(const void* frame) const;
  /// Ends a call as failed, after acquire() had no slot for it.
  Errc fail(JobContext& context) const;
};

}  // namespace detail

/// Memory for `slot_count` calls of coroutines at the same time, `slot_size` bytes for the frame of each. Several tools
/// may share one: `constinit mcp::FramePool<2, 200> frames;`. It starts as zero, so it lives in .bss. Main loop.
/// How large a frame is only the compiler knows, and only when it generates code: start with a large slot_size, call
/// each tool once, and look at largest_wanted() in a debugger. A call whose frame does not fit fails with a text that
/// says how many bytes it needs; a call that finds no slot free fails with a text that says to try again later.
template <std::size_t slot_count, std::size_t slot_size>
class FramePool {
 public:
  static_assert(slot_count >= 1 && slot_size >= 1, "a FramePool has at least one slot of at least one byte");

  /// Bytes of the largest frame that was asked for so far, whether there was room for it or not; 0 before the first.
  [[nodiscard]] std::size_t largest_wanted() const { return largest_wanted_; }

  /// For the server.
  [[nodiscard]] detail::Frames frames() { return {slots_[0], used_, slot_count, stride, largest_wanted_}; }

 private:
  static constexpr std::size_t alignment = alignof(std::max_align_t);  // what compilers take for granted in a frame
  static constexpr std::size_t stride = (slot_size + alignment - 1) / alignment * alignment;

  alignas(alignment) char slots_[slot_count][stride] = {};
  bool used_[slot_count] = {};
  std::size_t largest_wanted_ = 0;
};

}  // namespace mcp
