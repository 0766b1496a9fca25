// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/freertos of ESP-IDF v6.2-dev, commit 1021229: portmacro.h of the port for RISC-V, or
// with MOTE_TEST_LINUX of the one for linux, FreeRTOS.h and projdefs.h. Of the two forms of portYIELD_FROM_ISR() this
// is the one that both ports take.
#pragma once

#include <stdint.h>

#ifdef MOTE_TEST_LINUX
typedef long BaseType_t;
typedef unsigned long TickType_t;
#define portMAX_DELAY (TickType_t)0xffffffffffffffffUL
#else
typedef int BaseType_t;
typedef uint32_t TickType_t;
#define portMAX_DELAY (TickType_t)0xffffffffUL
#endif
#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)
#ifndef configTICK_RATE_HZ
#define configTICK_RATE_HZ 100
#endif

typedef struct {
  uint32_t owner;
  uint32_t count;
} portMUX_TYPE;
#define portMUX_INITIALIZER_UNLOCKED {.owner = 0xB33FFFFFu, .count = 0}

extern "C" {
void vPortEnterCriticalSafe(portMUX_TYPE* mux);
void vPortExitCriticalSafe(portMUX_TYPE* mux);
void vPortYieldFromISR(void);
BaseType_t xPortInIsrContext(void);
}
#define portENTER_CRITICAL_SAFE(mux) vPortEnterCriticalSafe(mux)
#define portEXIT_CRITICAL_SAFE(mux) vPortExitCriticalSafe(mux)
#define portYIELD_FROM_ISR(xHigherPriorityTaskWoken) \
  if ((xHigherPriorityTaskWoken) != pdFALSE) vPortYieldFromISR()
