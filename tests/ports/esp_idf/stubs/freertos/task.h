// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/freertos/FreeRTOS-Kernel/include/freertos/task.h of ESP-IDF. There, the functions
// of notifications are macros.
#pragma once

#include "freertos/FreeRTOS.h"

typedef struct tskTaskControlBlock* TaskHandle_t;

extern "C" {
TaskHandle_t xTaskGetCurrentTaskHandle(void);
TickType_t xTaskGetTickCount(void);
void vTaskDelay(const TickType_t xTicksToDelay);
uint32_t ulTaskNotifyTake(BaseType_t xClearCountOnExit, TickType_t xTicksToWait);
BaseType_t xTaskNotifyGive(TaskHandle_t xTaskToNotify);
void vTaskNotifyGiveFromISR(TaskHandle_t xTaskToNotify, BaseType_t* pxHigherPriorityTaskWoken);
}
