// SPDX-License-Identifier: Apache-2.0
// The functions of ESP-IDF that the port calls, for one task on an emulated processor, and the start of app_main().
#include <driver/uart.h>
#include <driver/uart_select.h>
#include <esp_random.h>
#include <esp_rom_sys.h>
#include <esp_task_wdt.h>
#include <esp_timer.h>
#include <freertos/FreeRTOS.h>
#include <freertos/task.h>

#include <algorithm>
#include <cstring>

#include "chip.hpp"

struct tskTaskControlBlock {};

namespace {

// The space of the FIFO, so that writes are cut.
constexpr std::uint32_t fifo_size = 128;

tskTaskControlBlock main_task;

// The task watchdog, with the time of the examples. A task that does not feed it ends the image.
constexpr std::uint64_t watchdog_us = 5'000'000;
bool is_watched = false;
std::uint64_t fed_us = 0;

void check_watchdog() {
  if (is_watched && chip::microseconds() - fed_us > watchdog_us) chip::end(104);
}

}  // namespace

using Constructor = void (*)();
extern "C" const Constructor init_array_start[];
extern "C" const Constructor init_array_end[];
extern "C" void app_main();

extern "C" [[noreturn, gnu::used]] void start() {
  for (const Constructor* construct = init_array_start; construct != init_array_end; ++construct) (*construct)();
  app_main();
  chip::end(103);
}

// An error of the driver ends the test.
int uart_read_bytes(uart_port_t uart, void* into, std::uint32_t size, TickType_t ticks) {
  if (uart != UART_NUM_1 || ticks != 0) return -1;
  return static_cast<int>(chip::read({static_cast<char*>(into), size}));
}

int uart_tx_chars(uart_port_t uart, const char* from, std::uint32_t size) {
  if (uart != UART_NUM_1) return -1;
  size = std::min(size, fifo_size);
  chip::write({from, size});
  return static_cast<int>(size);
}

esp_err_t uart_flush_input(uart_port_t) {
  char discarded = 0;
  while (chip::read({&discarded, 1}) != 0) {
  }
  return 0;
}

esp_err_t uart_param_config(uart_port_t, const uart_config_t*) { return 0; }
esp_err_t uart_set_pin(uart_port_t, int, int, int, int) { return 0; }
esp_err_t uart_driver_install(uart_port_t, int, int, int, void*, int) { return 0; }

// The emulated UARTs have no FIFO.
esp_err_t uart_set_rx_timeout(uart_port_t, std::uint8_t) { return 0; }

// No interrupt calls it: ulTaskNotifyTake() sleeps for one tick at most.
void uart_set_select_notif_callback(uart_port_t, uart_select_notif_callback_t) {}

// Enough to tell two boots apart.
std::uint32_t esp_random() { return static_cast<std::uint32_t>(chip::microseconds()) | 1; }

std::int64_t esp_timer_get_time() { return static_cast<std::int64_t>(chip::microseconds()); }

TaskHandle_t xTaskGetCurrentTaskHandle() { return &main_task; }

TickType_t xTaskGetTickCount() {
  return static_cast<TickType_t>(chip::microseconds() * configTICK_RATE_HZ / 1'000'000);
}

esp_err_t esp_task_wdt_add(TaskHandle_t task) {
  is_watched = true;
  fed_us = chip::microseconds();
  return task == nullptr ? ESP_OK : ESP_ERR_INVALID_ARG;
}

esp_err_t esp_task_wdt_reset() {
  check_watchdog();
  fed_us = chip::microseconds();
  return is_watched ? ESP_OK : ESP_ERR_NOT_FOUND;
}

void vTaskDelay(TickType_t) { chip::sleep(); }

std::uint32_t ulTaskNotifyTake(BaseType_t, TickType_t ticks) {
  check_watchdog();
  if (ticks != 0) chip::sleep();
  return 0;
}

void vTaskNotifyGiveFromISR(TaskHandle_t, BaseType_t*) {}

int esp_rom_printf(const char* text, ...) {
  chip::write({text, std::strlen(text)});
  return 0;
}

extern "C" [[noreturn]] void exit(int status) { chip::end(status); }

extern "C" [[noreturn]] void abort() { chip::end(102); }
