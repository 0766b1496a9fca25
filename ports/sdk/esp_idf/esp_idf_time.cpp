// SPDX-License-Identifier: Apache-2.0
// Sleep and wake-up.
#include <algorithm>
#include <atomic>

#include <freertos/FreeRTOS.h>
#include <freertos/task.h>
#include "mcp/ports/esp_idf.hpp"
#include "ports/sdk/esp_idf/esp_idf_event.hpp"

namespace mcp::esp_idf {
namespace {

// Without a sleep for this time, the idle task gets one tick. The task watchdog watches it, and the shortest time of
// the watchdog is 1 s.
constexpr TickType_t awake_ticks_max = configTICK_RATE_HZ / 2;

std::atomic<TaskHandle_t> server_task;
bool is_write_blocked;
TickType_t last_sleep;

// Rounded up. pdMS_TO_TICKS() rounds down, and overflows after 71 minutes at 1000 Hz.
TickType_t ticks_of(Millis timeout_ms) {
  if (timeout_ms == forever) return portMAX_DELAY;
  const std::uint64_t ticks = (std::uint64_t{timeout_ms} * configTICK_RATE_HZ + 999) / 1'000;
  return static_cast<TickType_t>(std::min<std::uint64_t>(ticks, portMAX_DELAY - 1));
}

// An event that is there already ends a sleep before it begins.
void sleep_for(TickType_t ticks) {
  if (ulTaskNotifyTake(pdTRUE, 0) == 0 && ticks != 0) {
    ulTaskNotifyTake(pdTRUE, ticks);
  } else if (xTaskGetTickCount() - last_sleep >= awake_ticks_max) {
    vTaskDelay(1);
  } else {
    return;
  }
  last_sleep = xTaskGetTickCount();
}

}  // namespace

void wait_for_event(Millis timeout_ms) {
  TickType_t ticks = ticks_of(timeout_ms);
  if (is_write_blocked) ticks = std::min<TickType_t>(ticks, 1);
  is_write_blocked = false;
  TaskHandle_t task = xTaskGetCurrentTaskHandle();
  if (server_task.load() != task) {
    // Events before this line notified no task, so the caller checks everything once more.
    server_task.store(task);
    return;
  }
  sleep_for(ticks);
}

bool wake_from_isr() {
  BaseType_t woken = pdFALSE;
  TaskHandle_t task = server_task.load();
  if (task != nullptr) vTaskNotifyGiveFromISR(task, &woken);
  return woken != pdFALSE;
}

void wake() {
  if (xPortInIsrContext()) {
    // The chips take no argument, too. The target linux needs one.
    if (wake_from_isr()) portYIELD_FROM_ISR(pdTRUE);
    return;
  }
  TaskHandle_t task = server_task.load();
  if (task != nullptr) xTaskNotifyGive(task);
}

void note_blocked_write() { is_write_blocked = true; }

}  // namespace mcp::esp_idf
