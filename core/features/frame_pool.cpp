// SPDX-License-Identifier: Apache-2.0
// The slots of a FramePool. Knows no coroutine, only the size of its frame.
#include "mcp/frame_pool.hpp"

#include <cassert>

#include "engine/owners.hpp"
#include "engine/send_context.hpp"
#include "mcp/assert.hpp"
#include "mcp/job_context.hpp"

namespace mcp::detail {
namespace {

// True in a build in which assert() checks: one without NDEBUG, such as CMake's Debug.
consteval bool is_debug() {
  bool on = false;
  assert((on = true));  // NOLINT(bugprone-assert-side-effect): only the compiler runs it
  return on;
}

}  // namespace

void* Frames::acquire(std::size_t frame_size) {
  wanted = frame_size;
  if (frame_size > largest_wanted) largest_wanted = frame_size;
  if (frame_size > size) {
    // The developer sees the number here, with the coroutine in the call stack. Later the number is in
    // Server::health().
    if constexpr (is_debug()) {
      mcp_assert_failed("frame_pool.cpp: slot_size of this FramePool must be at least", static_cast<int>(frame_size));
    }
    return nullptr;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (used[i]) continue;
    used[i] = true;
    return bytes + i * size;
  }
  return nullptr;
}

void Frames::release(const void* frame) const {
  used[static_cast<std::size_t>(static_cast<const char*>(frame) - bytes) / size] = false;
}

Errc Frames::fail(JobContext& context) const {
  Health& health = context.context_.storage.health();
  if (wanted > size) {
    detail::count(health.frames_too_large);
    if (wanted > health.largest_frame) health.largest_frame = static_cast<std::uint32_t>(wanted);
    return context.fail("This call needs a frame of ", wanted, " bytes; the FramePool of its tool has slots of ", size,
                        " bytes.");
  }
  detail::count(health.frames_full);
  return context.busy(protocol::busy_wait_ms, "All ", count, " frames are in use; try again later.");
}

}  // namespace mcp::detail
