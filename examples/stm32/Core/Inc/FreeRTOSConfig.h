/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOS V9 to V11 on an STM32F1. The first part is for mote. */
#pragma once

#include <stdint.h>

#define configSUPPORT_STATIC_ALLOCATION 1
#define configSUPPORT_DYNAMIC_ALLOCATION 0
#define configUSE_TASK_NOTIFICATIONS 1
#define INCLUDE_vTaskSuspend 1 /* portMAX_DELAY is a sleep without an end */
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_xTaskGetSchedulerState 1
#define INCLUDE_uxTaskGetStackHighWaterMark 1

extern uint32_t SystemCoreClock;
#define configCPU_CLOCK_HZ (SystemCoreClock)
#define configTICK_RATE_HZ 1000
#define configUSE_16_BIT_TICKS 0
#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 1
#define configUSE_TICK_HOOK 0
#define configUSE_MUTEXES 0
#define configUSE_TIMERS 0
#define configMAX_PRIORITIES 4
#define configMAX_TASK_NAME_LEN 8
#define configMINIMAL_STACK_SIZE 96
#define configCHECK_FOR_STACK_OVERFLOW 2
#define INCLUDE_vTaskDelay 1

/* An STM32F1 has 4 bits of priority, and 15 is the lowest. Interrupts of 5 to 15 may call FreeRTOS. */
#define configPRIO_BITS 4
#define configKERNEL_INTERRUPT_PRIORITY (15 << (8 - configPRIO_BITS))
#define configMAX_SYSCALL_INTERRUPT_PRIORITY (5 << (8 - configPRIO_BITS))

/* SysTick_Handler() of stm32f1xx_it.c calls xPortSysTickHandler(). */
#define vPortSVCHandler SVC_Handler
#define xPortPendSVHandler PendSV_Handler

void Error_Handler(void);
#define configASSERT(condition) ((condition) ? (void)0 : Error_Handler())
