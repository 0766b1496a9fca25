// SPDX-License-Identifier: Apache-2.0
// A frame that is too large stops a debug build. This program compiles frame_pool.cpp without NDEBUG.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "mcp/frame_pool.hpp"

namespace {

TEST(FramePoolDeathTest, AssertsWithTheNumberOfBytesThatAFrameNeeds) {
  static constinit mcp::FramePool<1, 20> pool;
  mcp::detail::Frames frames = pool.frames();
  const std::size_t largest = frames.size;
  void* const frame = frames.acquire(largest);
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frames.acquire(largest), nullptr);  // a full pool is no error of the developer
  frames.release(frame);
  EXPECT_DEATH(static_cast<void>(frames.acquire(largest + 1)),
               "slot_size of this FramePool must be at least:" + std::to_string(largest + 1) + ":");
}

}  // namespace
