// SPDX-License-Identifier: Apache-2.0
/// @file
/// mote in a task of FreeRTOS, V9 to V11: the task that serves, its sleep, its wake-ups, its stack, and the time. CMake
/// target: `mote::freertos`. README.md in the folder of the port lists the settings in FreeRTOSConfig.h.
/// @code
/// constinit mcp::freertos::StaticTask<4096> task;
/// constinit const mcp::Mailbox mailbox{storage, [] { task.wake(); }};
/// constinit const mcp::Server server{storage, {.mailbox = &mailbox}};
/// void serve(void*) {
///   mcp::StdioTransport transport{server, board::uart0()};
///   for (;;) task.wait_for_event(transport.poll(mcp::freertos::millis()));
/// }
/// int main() {
///   task.start("mcp", 2, serve);
///   vTaskStartScheduler();
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <atomic>
#include <cstddef>
#include <mcp/assert.hpp>
#include <mcp/port.hpp>

#include <FreeRTOS.h>
#include <task.h>

namespace mcp::freertos {

/// Returns the milliseconds of the tick count: the time since the scheduler started, in steps of one tick.
/// Context: any task, any interrupt that may call FreeRTOS; never blocks. If ticks have 16 bits, or the tick rate does
/// not divide 1000, the port counts the wraps: call it at least every 2^16 (2^32) ticks, as Task::wait_for_event()
/// does. A call before the scheduler starts then leaves interrupts off until it starts, as functions of FreeRTOS do.
Millis millis();

/// The task that runs the main loop of one or more servers. Several tasks are several objects.
/// This class is for a task that the application creates: its first wait_for_event() makes the calling task the task of
/// the object. StaticTask creates the task, too.
/// Limits: the notification of the task (index 0, where a kernel has several) belongs to mote. If the application
/// notifies the task, too, wait_for_event() returns and clears the value. Lifetime: as long as the task, or the last
/// call of wake().
class Task {
 public:
  /// No task yet.
  constexpr Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  /// Sleeps until a call of wake(). It returns at once if the call was between the last return and this call. It may
  /// also return without a call, so poll everything again. The first call returns at once if the application has
  /// created the task. Errors: asserts that the calling task is the one of the first call. Context: the task; blocks
  /// for at most `timeout_ms` milliseconds, rounded up to a tick (mcp::forever: no limit).
  void wait_for_event(Millis timeout_ms);

  /// Makes wait_for_event() return. Any number of calls before it are one. Before the task exists it does nothing,
  /// because the task begins with a poll. Context: any task, the code before the scheduler, and interrupts with a
  /// priority at or below configMAX_SYSCALL_INTERRUPT_PRIORITY. It never blocks; if the task has a higher priority than
  /// the running one, the task runs at once, after an interrupt at its end.
  void wake();

  /// Returns the smallest free space that the stack of the task has had, in bytes; 0 before the task exists.
  /// Needs INCLUDE_uxTaskGetStackHighWaterMark. Limits: 65,535 words in V9. Context: any task; looks at each free word.
  [[nodiscard]] std::size_t stack_left() const {
    auto* const task = handle();
    return task == nullptr ? 0 : static_cast<std::size_t>(uxTaskGetStackHighWaterMark(task)) * sizeof(StackType_t);
  }

 protected:
  /// Returns the task, or nullptr before it exists.
  [[nodiscard]] TaskHandle_t handle() const { return handle_.load(std::memory_order_relaxed); }
  /// Sets the task.
  void set_handle(TaskHandle_t task) { handle_.store(task, std::memory_order_relaxed); }

 private:
  std::atomic<TaskHandle_t> handle_ = nullptr;
};

/// A task with `stack_bytes` bytes of stack, which the object contains, as well as the control block. It takes no heap.
/// Needs configSUPPORT_STATIC_ALLOCATION. Lifetime: until the program ends.
template <std::size_t stack_bytes>
class StaticTask final : public Task {
 public:
  constexpr StaticTask() = default;

  /// Creates the task, which calls `serve(argument)`. `serve` must not return. `name` must outlive the task in a kernel
  /// that does not copy it. `priority`: 1 or higher, below configMAX_PRIORITIES; above tasks that compute for long.
  /// Errors: asserts that the task is not started. Context: before the scheduler, or any task; once.
  void start(const char* name, UBaseType_t priority, TaskFunction_t serve, void* argument = nullptr) {
    MCP_ASSERT(handle() == nullptr);
    set_handle(xTaskCreateStatic(serve, name, stack_bytes / sizeof(StackType_t), argument, priority, stack_, &block_));
  }

 private:
  StackType_t stack_[stack_bytes / sizeof(StackType_t)] = {};
  StaticTask_t block_ = {};
};

}  // namespace mcp::freertos

#include <mcp/detail/epilogue.hpp>
