/* SPDX-License-Identifier: Apache-2.0 */
/* As in FreeRTOS V9.0.0 and V11.1.0: include/task.h. */
#pragma once

struct tskTaskControlBlock;
typedef struct tskTaskControlBlock* TaskHandle_t;

extern "C" {
TaskHandle_t xTaskCreateStatic(TaskFunction_t code, const char* name, std::uint32_t depth, void* parameters,
                               UBaseType_t priority, StackType_t* stack, StaticTask_t* buffer);
TaskHandle_t xTaskGetCurrentTaskHandle();
UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t task);
TickType_t xTaskGetTickCount();
TickType_t xTaskGetTickCountFromISR();
std::uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks);
BaseType_t xStubNotifyGive(TaskHandle_t task);
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t* woken);
void vStubEnterCritical();
void vStubExitCritical();
UBaseType_t uxStubEnterCriticalFromIsr();
void vStubExitCriticalFromIsr(UBaseType_t state);
}

#define xTaskNotifyGive(task) xStubNotifyGive(task)
#define taskENTER_CRITICAL() vStubEnterCritical()
#define taskEXIT_CRITICAL() vStubExitCritical()
#define taskENTER_CRITICAL_FROM_ISR() uxStubEnterCriticalFromIsr()
#define taskEXIT_CRITICAL_FROM_ISR(state) vStubExitCriticalFromIsr(state)
