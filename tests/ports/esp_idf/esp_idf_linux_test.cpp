// SPDX-License-Identifier: Apache-2.0
// The port for ESP-IDF's target linux: no UART, no USB, other types of FreeRTOS, and no function of esp_timer. The
// fakes behave as components/freertos/FreeRTOS-Kernel/portable/linux of v6.2-dev, commit 1021229.
#include <gtest/gtest.h>
#include <time.h>

#include <cstring>
#include <mcp/rtos.hpp>
#include <thread>
#include <vector>

#include <freertos/task.h>
#include "mcp/ports/esp_idf.hpp"

namespace {

std::vector<TickType_t> waits;
int gives = 0;
int yields = 0;
int locks = 0;
bool is_in_interrupt = false;
int task_of_server;

TEST(EspIdfLinux, MillisecondsAreThoseOfTheMonotonicClock) {
  const mcp::Millis begin = mcp::esp_idf::millis();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const mcp::Millis passed = mcp::esp_idf::millis() - begin;
  EXPECT_GE(passed, 19U);
  EXPECT_LT(passed, 60'000U);
}

// Ticks have 64 bits.
TEST(EspIdfLinux, SleepsForTicks) {
  mcp::esp_idf::wait_for_event(0);
  for (const mcp::Millis ms : {11U, 4'294'967'294U, mcp::forever}) mcp::esp_idf::wait_for_event(ms);
  EXPECT_EQ(waits, (std::vector<TickType_t>{2, 429'496'730, portMAX_DELAY}));
}

TEST(EspIdfLinux, WakesFromATaskAndAnInterrupt) {
  mcp::esp_idf::wait_for_event(0);
  mcp::esp_idf::wake();
  is_in_interrupt = true;
  mcp::esp_idf::wake();
  is_in_interrupt = false;
  EXPECT_EQ(gives, 2);
  EXPECT_EQ(yields, 1);
  mcp_unlock(mcp_lock());
  EXPECT_EQ(locks, 0);
}

TEST(EspIdfLinux, HasRandomBytes) {
  mcp::esp_idf::SdkEntropy entropy;
  std::uint8_t byte[1]{};
  EXPECT_TRUE(entropy.fill(byte));
  EXPECT_EQ(byte[0], 0x5A);
  EXPECT_EQ(mcp::esp_idf::boot_id(), 7U);
}

}  // namespace

extern "C" {
uint32_t esp_random() { return 7; }
void esp_fill_random(void* buf, size_t len) { std::memset(buf, 0x5A, len); }
int esp_rom_printf(const char*, ...) { return 0; }
void vPortEnterCriticalSafe(portMUX_TYPE*) { ++locks; }
void vPortExitCriticalSafe(portMUX_TYPE*) { --locks; }
void vPortYieldFromISR() { ++yields; }
BaseType_t xPortInIsrContext() { return is_in_interrupt ? pdTRUE : pdFALSE; }
TaskHandle_t xTaskGetCurrentTaskHandle() { return reinterpret_cast<TaskHandle_t>(&task_of_server); }
TickType_t xTaskGetTickCount() { return 0; }
void vTaskDelay(TickType_t) {}
uint32_t ulTaskNotifyTake(BaseType_t, TickType_t ticks) {
  if (ticks != 0) waits.push_back(ticks);
  return 0;
}
BaseType_t xTaskNotifyGive(TaskHandle_t) {
  ++gives;
  return pdTRUE;
}
void vTaskNotifyGiveFromISR(TaskHandle_t, BaseType_t* woken) {
  ++gives;
  *woken = pdTRUE;
}
}
