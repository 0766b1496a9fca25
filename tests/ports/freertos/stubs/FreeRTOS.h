/* SPDX-License-Identifier: Apache-2.0 */
/* As in FreeRTOS V9.0.0 and V11.1.0: include/FreeRTOS.h, include/projdefs.h, and portmacro.h of a port. */
#pragma once

#include <cstdint>

typedef std::uintptr_t StackType_t;
typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef STUB_TICKS TickType_t;

#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)
#define portMAX_DELAY ((TickType_t) ~(TickType_t)0)

typedef void (*TaskFunction_t)(void*);
typedef struct {
  void* pxDummy1;
} StaticTask_t;

/* portable/GCC/ARM_CM3/portmacro.h */
extern "C" BaseType_t xPortIsInsideInterrupt();
extern "C" void vStubYieldFromIsr(BaseType_t woken);
#define portYIELD_FROM_ISR(x) vStubYieldFromIsr(x)
