// SPDX-License-Identifier: Apache-2.0
// The sleep of the server's task. A notification between poll() and the sleep is stored, so the sleep ends at once.
#include "freertos_context.hpp"
#include "freertos_ticks.hpp"
#include "mcp/ports/freertos.hpp"

namespace mcp::freertos {
namespace {

constexpr bool is_stateless = is_multiple<TickType_t>(configTICK_RATE_HZ);
// millis() must be called in each wrap of the tick count. portMAX_DELAY is a sleep without an end.
constexpr TickType_t longest = is_stateless ? portMAX_DELAY - 1 : portMAX_DELAY / 2;
constexpr TickType_t endless = is_stateless ? portMAX_DELAY : longest;

}  // namespace

void Task::wait_for_event(Millis timeout_ms) {
  auto* const current = xTaskGetCurrentTaskHandle();
  if (handle() == nullptr) {
    // Earlier calls of wake() have notified no task, so the caller polls again after the handle is set.
    set_handle(current);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return;
  }
  MCP_ASSERT(handle() == current);
  ulTaskNotifyTake(pdTRUE, timeout_ms == forever ? endless : to_ticks(timeout_ms, configTICK_RATE_HZ, longest));
}

void Task::wake() {
  // For another core. Either the post before this call or the handle is visible to the other side.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  auto* const task = handle();
  if (task == nullptr) return;
  if (!in_interrupt()) {
    xTaskNotifyGive(task);
    return;
  }
  BaseType_t woken = pdFALSE;
  vTaskNotifyGiveFromISR(task, &woken);
  portYIELD_FROM_ISR(woken);
}

}  // namespace mcp::freertos
