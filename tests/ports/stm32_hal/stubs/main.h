/* SPDX-License-Identifier: Apache-2.0 */
/* What ports/sdk/stm32_hal uses of a project that STM32CubeMX has written: its Core/Inc/main.h, with the HAL of an STM32F4.
   Declarations as in stm32f4xx_hal_driver v1.8.3: Inc/stm32f4xx_hal_def.h, Inc/stm32f4xx_hal_uart.h, Inc/stm32f4xx_hal.h;
   and in CMSIS 5.9.0: CMSIS/Core/Include/cmsis_gcc.h. The handle has members of the test instead. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Inc/stm32f4xx_hal_def.h */
typedef enum { HAL_OK = 0x00U, HAL_ERROR = 0x01U, HAL_BUSY = 0x02U, HAL_TIMEOUT = 0x03U } HAL_StatusTypeDef;

/* Inc/stm32f4xx_hal_uart.h */
typedef struct __UART_HandleTypeDef {
  const uint8_t* pTxBuffPtr;
  uint16_t TxXferCount;
  uint8_t* pRxBuffPtr;
  uint16_t RxXferCount;
} UART_HandleTypeDef;

HAL_StatusTypeDef HAL_UART_Transmit_IT(UART_HandleTypeDef* huart, const uint8_t* pData, uint16_t Size);
HAL_StatusTypeDef HAL_UART_Receive_IT(UART_HandleTypeDef* huart, uint8_t* pData, uint16_t Size);
void HAL_UART_TxCpltCallback(UART_HandleTypeDef* huart);
void HAL_UART_RxCpltCallback(UART_HandleTypeDef* huart);
void HAL_UART_ErrorCallback(UART_HandleTypeDef* huart);

/* Inc/stm32f4xx_hal.h */
uint32_t HAL_GetTick(void);

/* CMSIS/Core/Include/cmsis_gcc.h. They are inline functions and macros there. */
uint32_t __get_PRIMASK(void);
void __set_PRIMASK(uint32_t priMask);
void __disable_irq(void);
void __DSB(void);
void __WFI(void);

/* Core/Inc/main.h */
void Error_Handler(void);

#ifdef __cplusplus
}
#endif
