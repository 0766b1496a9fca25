// SPDX-License-Identifier: Apache-2.0
// The slots of a FramePool. Knows no coroutine, only the size of its frame.
#include "mcp/frame_pool.hpp"
#include "engine/owners.hpp"
#include "mcp/job_context.hpp"

namespace mcp::detail {

void* Frames::acquire(std::size_t frame_size) {
  wanted = frame_size;
  if (frame_size > largest_wanted) largest_wanted = frame_size;
  if (frame_size > size) return nullptr;
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
  if (wanted > size) {
    return context.fail("This call needs a frame of ", wanted, " bytes; the FramePool of its tool has slots of ", size,
                        " bytes.");
  }
  return context.busy(protocol::busy_wait_ms, "All ", count, " frames are in use; try again later.");
}

}  // namespace mcp::detail
