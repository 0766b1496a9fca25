// SPDX-License-Identifier: Apache-2.0
// The slots of a FramePool. Knows no coroutine, only the size of its frame. Tests replace
// this file, so call.cpp has the functions that need more headers.
#include "mcp/frame_pool.hpp"

#include <cassert>

#include "mcp/assert.hpp"

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
  for (std::size_t i = 0; i < slot_count; ++i) {
    if (used[i]) continue;
    used[i] = true;
    return bytes + i * size;
  }
  return nullptr;
}

}  // namespace mcp::detail
