// SPDX-License-Identifier: Apache-2.0
// The first task that calls a server owns it. threads.task_check tries each function of a server in another thread.
#include <gtest/gtest.h>

#include "mcp/detail/task_check.hpp"
#include "mcp/rtos.hpp"

namespace {

const void* current;  // a task is the address of a variable
constexpr char task = 0;
constexpr char other = 0;

}  // namespace

extern "C" const void* mcp_current_task() { return current; }

namespace {

TEST(TaskCheckDeathTest, AnotherTaskMustNotCall) {
  mcp::detail::TaskCheck check;
  current = &task;
  check.check();
  check.check();
  current = &other;
  EXPECT_DEATH(check.check(), "task_check.cpp");
}

TEST(TaskCheck, NoTaskOwnsAServer) {
  mcp::detail::TaskCheck check;
  current = nullptr;
  check.check();
  current = &task;
  check.check();
  current = nullptr;
  check.check();
}

}  // namespace
