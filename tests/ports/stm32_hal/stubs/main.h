/* SPDX-License-Identifier: Apache-2.0 */
/* What ports/sdk/stm32_hal uses of a project that STM32CubeMX has written: its Core/Inc/main.h, with the HAL of an
   STM32F4. Declarations as in stm32f4xx_hal_driver v1.8.3: Inc/stm32f4xx_hal_def.h, Inc/stm32f4xx_hal_uart.h,
   Inc/stm32f4xx_hal_i2c.h,
   Inc/stm32f4xx_hal_gpio.h, Inc/stm32f4xx_hal.h; and in CMSIS 5.9.0: CMSIS/Core/Include/cmsis_gcc.h. The handle has the members that the tests
   need. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Inc/stm32f4xx_hal_def.h */
typedef enum { HAL_OK = 0x00U, HAL_ERROR = 0x01U, HAL_BUSY = 0x02U, HAL_TIMEOUT = 0x03U } HAL_StatusTypeDef;

/* The registers of a USART (RM0090, 30.6). A read of SR or DR has effects, so both are read through functions here. */
typedef struct {
  uint32_t SR;
  uint32_t DR;
  uint32_t CR1;
  uint32_t CR3;
} USART_TypeDef;
#define USART_SR_FE 0x00000002UL
#define USART_SR_NE 0x00000004UL
#define USART_SR_ORE 0x00000008UL
#define USART_SR_RXNE 0x00000020UL
#define USART_CR1_RXNEIE 0x00000020UL
#define USART_CR3_EIE 0x00000001UL
uint32_t stub_read_sr(USART_TypeDef* usart);
uint32_t stub_read_dr(USART_TypeDef* usart);

/* Inc/stm32f4xx_hal_uart.h */
typedef enum {
  HAL_UART_STATE_RESET = 0x00U,
  HAL_UART_STATE_READY = 0x20U,
  HAL_UART_STATE_BUSY_RX = 0x22U
} HAL_UART_StateTypeDef;
typedef struct __UART_HandleTypeDef {
  USART_TypeDef* Instance;
  const uint8_t* pTxBuffPtr;
  uint16_t TxXferCount;
  uint8_t* pRxBuffPtr;
  uint16_t RxXferCount;
  HAL_UART_StateTypeDef RxState;
  uint32_t ErrorCode;
} UART_HandleTypeDef;
#define HAL_UART_ERROR_NONE 0x00000000U
#define HAL_UART_ERROR_NE 0x00000002U
#define HAL_UART_ERROR_FE 0x00000004U
#define HAL_UART_ERROR_ORE 0x00000008U
#define UART_FLAG_RXNE ((uint32_t)USART_SR_RXNE)
#define UART_FLAG_ORE ((uint32_t)USART_SR_ORE)
#define __HAL_UART_GET_FLAG(__HANDLE__, __FLAG__) ((stub_read_sr((__HANDLE__)->Instance) & (__FLAG__)) == (__FLAG__))
#define __HAL_UART_CLEAR_OREFLAG(__HANDLE__) \
  ((void)stub_read_sr((__HANDLE__)->Instance), (void)stub_read_dr((__HANDLE__)->Instance))

HAL_StatusTypeDef HAL_UART_Transmit_IT(UART_HandleTypeDef* huart, const uint8_t* pData, uint16_t Size);
HAL_StatusTypeDef HAL_UART_Receive_IT(UART_HandleTypeDef* huart, uint8_t* pData, uint16_t Size);
void HAL_UART_TxCpltCallback(UART_HandleTypeDef* huart);
void HAL_UART_RxCpltCallback(UART_HandleTypeDef* huart);
void HAL_UART_ErrorCallback(UART_HandleTypeDef* huart);

/* Inc/stm32f4xx_hal_gpio.h */
typedef struct {
  uint32_t number;
} GPIO_TypeDef;
typedef struct {
  uint32_t Pin;
  uint32_t Mode;
  uint32_t Pull;
  uint32_t Speed;
  uint32_t Alternate;
} GPIO_InitTypeDef;
typedef enum { GPIO_PIN_RESET = 0, GPIO_PIN_SET } GPIO_PinState;
#define GPIO_PIN_6 ((uint16_t)0x0040)
#define GPIO_PIN_7 ((uint16_t)0x0080)
#define GPIO_MODE_OUTPUT_OD 0x00000011U
#define GPIO_PULLUP 0x00000001U
#define GPIO_SPEED_FREQ_LOW 0x00000000U
void HAL_GPIO_Init(GPIO_TypeDef* GPIOx, GPIO_InitTypeDef* GPIO_Init);
GPIO_PinState HAL_GPIO_ReadPin(GPIO_TypeDef* GPIOx, uint16_t GPIO_Pin);
void HAL_GPIO_WritePin(GPIO_TypeDef* GPIOx, uint16_t GPIO_Pin, GPIO_PinState PinState);

/* Core/Inc/stm32f4xx_hal_conf.h, if the project has an I2C */
#define HAL_I2C_MODULE_ENABLED

/* Inc/stm32f4xx_hal_i2c.h */
typedef struct __I2C_HandleTypeDef {
  uint32_t ErrorCode;
} I2C_HandleTypeDef;
#define HAL_I2C_ERROR_NONE 0x00000000U
#define HAL_I2C_ERROR_BERR 0x00000001U
#define HAL_I2C_ERROR_ARLO 0x00000002U
#define HAL_I2C_ERROR_AF 0x00000004U
#define HAL_I2C_ERROR_TIMEOUT 0x00000020U
#define I2C_MEMADD_SIZE_8BIT 0x00000001U
#define I2C_MEMADD_SIZE_16BIT 0x00000010U
HAL_StatusTypeDef HAL_I2C_Init(I2C_HandleTypeDef* hi2c);
HAL_StatusTypeDef HAL_I2C_DeInit(I2C_HandleTypeDef* hi2c);
HAL_StatusTypeDef HAL_I2C_Master_Transmit(I2C_HandleTypeDef* hi2c, uint16_t DevAddress, uint8_t* pData, uint16_t Size,
                                          uint32_t Timeout);
HAL_StatusTypeDef HAL_I2C_Master_Receive(I2C_HandleTypeDef* hi2c, uint16_t DevAddress, uint8_t* pData, uint16_t Size,
                                         uint32_t Timeout);
HAL_StatusTypeDef HAL_I2C_Mem_Read(I2C_HandleTypeDef* hi2c, uint16_t DevAddress, uint16_t MemAddress,
                                   uint16_t MemAddSize, uint8_t* pData, uint16_t Size, uint32_t Timeout);
HAL_StatusTypeDef HAL_I2C_IsDeviceReady(I2C_HandleTypeDef* hi2c, uint16_t DevAddress, uint32_t Trials,
                                        uint32_t Timeout);
uint32_t HAL_I2C_GetError(const I2C_HandleTypeDef* hi2c);

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
