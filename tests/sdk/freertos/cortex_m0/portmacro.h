/* SPDX-License-Identifier: Apache-2.0 */
/* As in FreeRTOS V9.0.0: Source/portable/GCC/ARM_CM0/portmacro.h. */
#pragma once

typedef uint32_t StackType_t;
typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;

#define portSTACK_TYPE uint32_t
#define portBASE_TYPE long
#define portMAX_DELAY 0xFFFFFFFFUL
#define portSTACK_GROWTH (-1)
#define portBYTE_ALIGNMENT 8
#define portTICK_TYPE_IS_ATOMIC 1

extern void vPortYield(void);
#define portYIELD() vPortYield()
#define portYIELD_FROM_ISR(x) \
  if (x) portYIELD()

extern void vPortEnterCritical(void);
extern void vPortExitCritical(void);
extern uint32_t ulSetInterruptMaskFromISR(void);
extern void vClearInterruptMaskFromISR(uint32_t mask);
#define portSET_INTERRUPT_MASK_FROM_ISR() ulSetInterruptMaskFromISR()
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(x) vClearInterruptMaskFromISR(x)
#define portDISABLE_INTERRUPTS() __asm volatile("cpsid i")
#define portENABLE_INTERRUPTS() __asm volatile("cpsie i")
#define portENTER_CRITICAL() vPortEnterCritical()
#define portEXIT_CRITICAL() vPortExitCritical()

#define portTASK_FUNCTION_PROTO(function, parameters) void function(void* parameters)
#define portTASK_FUNCTION(function, parameters) void function(void* parameters)
