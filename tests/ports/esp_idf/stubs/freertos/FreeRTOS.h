// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/freertos of ESP-IDF, the port for RISC-V: portmacro.h, FreeRTOS.h and projdefs.h.
#pragma once

#include <stdint.h>

typedef int BaseType_t;
typedef uint32_t TickType_t;
#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)
#define portMAX_DELAY (TickType_t)0xffffffffUL
#ifndef configTICK_RATE_HZ
#define configTICK_RATE_HZ 100
#endif

typedef struct {
  uint32_t owner;
  uint32_t count;
} portMUX_TYPE;
#define portMUX_INITIALIZER_UNLOCKED \
  { .owner = 0xB33FFFFFu, .count = 0 }

extern "C" {
void vPortEnterCriticalSafe(portMUX_TYPE* mux);
void vPortExitCriticalSafe(portMUX_TYPE* mux);
void vPortYieldFromISR(void);
BaseType_t xPortInIsrContext(void);
}
#define portENTER_CRITICAL_SAFE(mux) vPortEnterCriticalSafe(mux)
#define portEXIT_CRITICAL_SAFE(mux) vPortExitCriticalSafe(mux)
#define portYIELD_FROM_ISR() vPortYieldFromISR()
