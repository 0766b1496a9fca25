/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOS V9 to V11 on the MPS2 AN385. The first part is for mote. */
#pragma once

#define configSUPPORT_STATIC_ALLOCATION 1
#define configSUPPORT_DYNAMIC_ALLOCATION 0
#define configUSE_TASK_NOTIFICATIONS 1
#define INCLUDE_vTaskSuspend 1 /* portMAX_DELAY is a sleep without an end */
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_xTaskGetSchedulerState 1
#define INCLUDE_uxTaskGetStackHighWaterMark 1

#define configCPU_CLOCK_HZ 25000000UL
#define configTICK_RATE_HZ 1000
#define configUSE_16_BIT_TICKS 0
#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 1
#define configUSE_TICK_HOOK 0
#define configUSE_MUTEXES 0
#define configUSE_TIMERS 0
#define configMAX_PRIORITIES 4
#define configMAX_TASK_NAME_LEN 8
#define configMINIMAL_STACK_SIZE 128
#define configCHECK_FOR_STACK_OVERFLOW 2
#define INCLUDE_vTaskDelay 1

/* The processor has 3 bits of priority, and 7 is the lowest. Interrupts of 1 to 7 may call FreeRTOS. */
#define configKERNEL_INTERRUPT_PRIORITY (7 << 5)
#define configMAX_SYSCALL_INTERRUPT_PRIORITY (1 << 5)

#define vPortSVCHandler svcall_handler
#define xPortPendSVHandler pendsv_handler
#define xPortSysTickHandler systick_handler

#ifdef __cplusplus
#include <mcp/assert.hpp>
#else
void mcp_assert_failed(const char* file, int line);
#endif
#define configASSERT(condition) ((condition) ? (void)0 : mcp_assert_failed(__FILE_NAME__, __LINE__))
