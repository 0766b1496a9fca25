// SPDX-License-Identifier: Apache-2.0
// The server in a task of FreeRTOS. While no task is ready, the processor sleeps in WFI.
#include <mcp/ports/freertos.hpp>
#include <mcp/ports/stm32_hal.hpp>

#include <FreeRTOS.h>
#include <task.h>
#include "app.h"
#include "app.hpp"

namespace {

constinit mcp::freertos::StaticTask<2048> server_task;

void serve(void* /*argument*/) {
  for (;;) server_task.wait_for_event(app::poll());
}

}  // namespace

mcp::Millis app::millis() { return mcp::freertos::millis(); }

// In place of the function of the port, which wakes the main loop.
void mcp::stm32::wake() { server_task.wake(); }

extern "C" {
// Of the kernel. Its headers do not declare it.
void xPortSysTickHandler();  // NOLINT(readability-identifier-naming)

void run_app() {
  server_task.start("mcp", 2, serve);
  vTaskStartScheduler();
  Error_Handler();
}

// The HAL counts milliseconds from HAL_Init() on, and FreeRTOS from the start of its scheduler.
void tick_app() {
  if (xTaskGetSchedulerState() != taskSCHEDULER_NOT_STARTED) xPortSysTickHandler();
}

// NOLINTBEGIN(readability-identifier-naming): names of FreeRTOS
void vApplicationIdleHook() { __WFI(); }

void vApplicationStackOverflowHook(TaskHandle_t /*task*/, char* /*name*/) { Error_Handler(); }

void vApplicationGetIdleTaskMemory(StaticTask_t** block, StackType_t** stack, std::uint32_t* size) {
  static StaticTask_t idle_block;
  static StackType_t idle_stack[configMINIMAL_STACK_SIZE];
  *block = &idle_block;
  *stack = idle_stack;
  *size = configMINIMAL_STACK_SIZE;
}
// NOLINTEND(readability-identifier-naming)
}
