// SPDX-License-Identifier: Apache-2.0
/// @file
/// mote in a task of FreeRTOS, V9 to V11: the task of the server, its sleep, wake-ups and stack, and the time. CMake
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

/// Returns the milliseconds since the scheduler started, in steps of one tick.
/// Context: any task, any interrupt that may call FreeRTOS; never blocks. If ticks have 16 bits, or the tick rate does
/// not divide 1000, the port counts the wraps. Call it then at least every 2^16 (2^32) ticks, as Task::wait_for_event()
/// does. In this case, a call before the scheduler starts leaves interrupts off until it starts, as functions of
/// FreeRTOS do.
Millis millis();

/// The task that runs the main loop of one or more servers. Each task has one object.
/// This class is for a task that the application creates. Its first wait_for_event() makes the calling task the task of
/// the object. StaticTask also creates the task.
/// Limits: the notification of the task (index 0, where a kernel has several) belongs to mote. If the application
/// notifies the task, too, wait_for_event() returns and clears the value. Lifetime: as long as the task, or the last
/// call of wake().
class Task {
 public:
  /// No task yet.
  constexpr Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  /// Sleeps until a call of wake(). It returns at once if wake() was called after its last return. It may also return
  /// without a call of wake(), so poll everything again. The first call returns at once if the application has created
  /// the task. Errors: asserts that all calls come from one task. Context: the task; blocks for at most `timeout_ms`
  /// milliseconds, rounded up to a tick (mcp::forever: no limit).
  void wait_for_event(Millis timeout_ms);

  /// Makes wait_for_event() return. Any number of calls before it count as one. Does nothing before the task exists,
  /// because the task begins with a poll. Context: any task, the code before the scheduler, and interrupts with a
  /// priority at or below configMAX_SYSCALL_INTERRUPT_PRIORITY. It never blocks. If the task has a higher priority than
  /// the running task, it runs at once, or at the end of the interrupt.
  void wake();

  /// Returns the smallest free space of the stack of the task so far, in bytes; 0 before the task exists.
  /// Needs INCLUDE_uxTaskGetStackHighWaterMark. Limits: 65,535 words in V9. Context: any task; reads each free word.
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

/// A task with `stack_bytes` bytes of stack. The object contains the stack and the control block. It uses no heap.
/// Needs configSUPPORT_STATIC_ALLOCATION. Lifetime: until the program ends.
template <std::size_t stack_bytes>
class StaticTask final : public Task {
 public:
  constexpr StaticTask() = default;

  /// Creates the task, which calls `serve(argument)`. `serve` must not return. `name` must outlive the task in a kernel
  /// that does not copy it. `priority`: at least 1, below configMAX_PRIORITIES, and above tasks that compute for long.
  /// Errors: asserts that the task is not started. Context: before the scheduler starts, or any task; once.
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
