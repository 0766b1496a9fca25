// SPDX-License-Identifier: Apache-2.0
// A program that hangs, in the place of an emulator.
#include "stepped_board.hpp"

#include <gtest/gtest.h>

namespace {

TEST(SteppedBoard, EndsWithAnEmulatorThatHangs) {
  test::SteppedBoard board({"/bin/sh", "-c", "exec sleep 3600"}, 200);
  EXPECT_TRUE(board.step().empty());
  EXPECT_TRUE(board.has_ended());
  EXPECT_EQ(board.now(), 0U);
}

}  // namespace
