/* SPDX-License-Identifier: Apache-2.0 */
/* What examples/stm32 and ports/sdk/stm32_hal use of the HAL of an STM32F1, with the registers at their addresses.
   Declarations as in stm32f1xx_hal_driver v1.1.10 (Inc/stm32f1xx_hal_*.h), in cmsis_device_f1 v4.3.5
   (Include/stm32f103xb.h) and in CMSIS 5.9.0 (CMSIS/Core/Include). Structs have the members that the fakes need. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- CMSIS ------------------------------------------------------------------------------------------------------- */

typedef enum { SysTick_IRQn = -1, USART2_IRQn = 38 } IRQn_Type;
extern uint32_t SystemCoreClock;

static inline uint32_t __get_PRIMASK(void) {
  uint32_t mask;
  __asm__ volatile("mrs %0, primask" : "=r"(mask)::"memory");
  return mask;
}
static inline void __set_PRIMASK(uint32_t mask) { __asm__ volatile("msr primask, %0" ::"r"(mask) : "memory"); }
static inline void __disable_irq(void) { __asm__ volatile("cpsid i" ::: "memory"); }
static inline void __DSB(void) { __asm__ volatile("dsb 0xf" ::: "memory"); }
#define __WFI() __asm__ volatile("wfi" ::: "memory")

/* ---- The device: RM0008 ------------------------------------------------------------------------------------------ */

typedef struct {
  volatile uint32_t SR, DR, BRR, CR1, CR2, CR3, GTPR;
} USART_TypeDef;
typedef struct {
  volatile uint32_t CRL, CRH, IDR, ODR, BSRR, BRR, LCKR;
} GPIO_TypeDef;
typedef struct {
  volatile uint32_t CR1, CR2;
} I2C_TypeDef;
#define USART2 ((USART_TypeDef*)0x40004400UL)
#define I2C1 ((I2C_TypeDef*)0x40005400UL)
#define GPIOA ((GPIO_TypeDef*)0x40010800UL)
#define GPIOB ((GPIO_TypeDef*)0x40010C00UL)
#define USART_SR_PE 0x00000001UL
#define USART_SR_FE 0x00000002UL
#define USART_SR_NE 0x00000004UL
#define USART_SR_ORE 0x00000008UL
#define USART_SR_RXNE 0x00000020UL
#define USART_SR_TC 0x00000040UL
#define USART_SR_TXE 0x00000080UL
#define USART_CR1_RE 0x00000004UL
#define USART_CR1_TE 0x00000008UL
#define USART_CR1_RXNEIE 0x00000020UL
#define USART_CR1_TCIE 0x00000040UL
#define USART_CR1_TXEIE 0x00000080UL
#define USART_CR1_UE 0x00002000UL
#define USART_CR3_EIE 0x00000001UL

/* ---- HAL --------------------------------------------------------------------------------------------------------- */

typedef enum { HAL_OK = 0x00U, HAL_ERROR = 0x01U, HAL_BUSY = 0x02U, HAL_TIMEOUT = 0x03U } HAL_StatusTypeDef;
#define TICK_INT_PRIORITY 15U

HAL_StatusTypeDef HAL_Init(void);
void HAL_MspInit(void);
HAL_StatusTypeDef HAL_InitTick(uint32_t TickPriority);
void HAL_IncTick(void);
uint32_t HAL_GetTick(void);
void HAL_NVIC_SetPriority(IRQn_Type IRQn, uint32_t PreemptPriority, uint32_t SubPriority);
void HAL_NVIC_EnableIRQ(IRQn_Type IRQn);

/* ---- RCC --------------------------------------------------------------------------------------------------------- */

typedef struct {
  uint32_t PLLState, PLLSource, PLLMUL;
} RCC_PLLInitTypeDef;
typedef struct {
  uint32_t OscillatorType, HSIState, HSICalibrationValue;
  RCC_PLLInitTypeDef PLL;
} RCC_OscInitTypeDef;
typedef struct {
  uint32_t ClockType, SYSCLKSource, AHBCLKDivider, APB1CLKDivider, APB2CLKDivider;
} RCC_ClkInitTypeDef;
#define RCC_OSCILLATORTYPE_HSI 0x00000002U
#define RCC_HSI_ON 0x00000001U
#define RCC_HSICALIBRATION_DEFAULT 0x10U
#define RCC_PLL_ON 0x00000002U
#define RCC_PLLSOURCE_HSI_DIV2 0x00000000U
#define RCC_PLL_MUL16 0x00380000U
#define RCC_CLOCKTYPE_SYSCLK 0x00000001U
#define RCC_CLOCKTYPE_HCLK 0x00000002U
#define RCC_CLOCKTYPE_PCLK1 0x00000004U
#define RCC_CLOCKTYPE_PCLK2 0x00000008U
#define RCC_SYSCLKSOURCE_PLLCLK 0x00000002U
#define RCC_SYSCLK_DIV1 0x00000000U
#define RCC_HCLK_DIV1 0x00000000U
#define RCC_HCLK_DIV2 0x00000400U
#define FLASH_LATENCY_2 0x00000002U
HAL_StatusTypeDef HAL_RCC_OscConfig(RCC_OscInitTypeDef* RCC_OscInitStruct);
HAL_StatusTypeDef HAL_RCC_ClockConfig(RCC_ClkInitTypeDef* RCC_ClkInitStruct, uint32_t FLatency);

/* They set bits of the RCC and of the AFIO, which no emulator has. */
#define __HAL_RCC_AFIO_CLK_ENABLE() ((void)0)
#define __HAL_RCC_PWR_CLK_ENABLE() ((void)0)
#define __HAL_RCC_GPIOA_CLK_ENABLE() ((void)0)
#define __HAL_RCC_GPIOB_CLK_ENABLE() ((void)0)
#define __HAL_RCC_USART2_CLK_ENABLE() ((void)0)
#define __HAL_RCC_I2C1_CLK_ENABLE() ((void)0)
#define __HAL_RCC_I2C1_CLK_DISABLE() ((void)0)
#define __HAL_AFIO_REMAP_SWJ_NOJTAG() ((void)0)
#define __HAL_AFIO_REMAP_I2C1_ENABLE() ((void)0)

/* ---- GPIO -------------------------------------------------------------------------------------------------------- */

typedef struct {
  uint32_t Pin, Mode, Pull, Speed;
} GPIO_InitTypeDef;
typedef enum { GPIO_PIN_RESET = 0U, GPIO_PIN_SET } GPIO_PinState;
#define GPIO_PIN_2 ((uint16_t)0x0004)
#define GPIO_PIN_3 ((uint16_t)0x0008)
#define GPIO_PIN_5 ((uint16_t)0x0020)
#define GPIO_PIN_8 ((uint16_t)0x0100)
#define GPIO_PIN_9 ((uint16_t)0x0200)
#define GPIO_MODE_INPUT 0x00000000U
#define GPIO_MODE_OUTPUT_PP 0x00000001U
#define GPIO_MODE_OUTPUT_OD 0x00000011U
#define GPIO_MODE_AF_PP 0x00000002U
#define GPIO_MODE_AF_OD 0x00000012U
#define GPIO_NOPULL 0x00000000U
#define GPIO_PULLUP 0x00000001U
#define GPIO_SPEED_FREQ_LOW 0x00000002U
#define GPIO_SPEED_FREQ_HIGH 0x00000003U
void HAL_GPIO_Init(GPIO_TypeDef* GPIOx, GPIO_InitTypeDef* GPIO_Init);
void HAL_GPIO_DeInit(GPIO_TypeDef* GPIOx, uint32_t GPIO_Pin);
GPIO_PinState HAL_GPIO_ReadPin(GPIO_TypeDef* GPIOx, uint16_t GPIO_Pin);
void HAL_GPIO_WritePin(GPIO_TypeDef* GPIOx, uint16_t GPIO_Pin, GPIO_PinState PinState);

/* ---- UART -------------------------------------------------------------------------------------------------------- */

typedef struct {
  uint32_t BaudRate, WordLength, StopBits, Parity, Mode, HwFlowCtl, OverSampling;
} UART_InitTypeDef;
typedef enum {
  HAL_UART_STATE_RESET = 0x00U,
  HAL_UART_STATE_READY = 0x20U,
  HAL_UART_STATE_BUSY_TX = 0x21U,
  HAL_UART_STATE_BUSY_RX = 0x22U
} HAL_UART_StateTypeDef;
typedef struct __UART_HandleTypeDef {
  USART_TypeDef* Instance;
  UART_InitTypeDef Init;
  const uint8_t* pTxBuffPtr;
  volatile uint16_t TxXferCount;
  uint8_t* pRxBuffPtr;
  volatile uint16_t RxXferCount;
  volatile HAL_UART_StateTypeDef gState;
  volatile HAL_UART_StateTypeDef RxState;
  volatile uint32_t ErrorCode;
} UART_HandleTypeDef;
#define HAL_UART_ERROR_NONE 0x00000000U
#define HAL_UART_ERROR_NE 0x00000002U
#define HAL_UART_ERROR_FE 0x00000004U
#define HAL_UART_ERROR_ORE 0x00000008U
#define UART_FLAG_RXNE ((uint32_t)USART_SR_RXNE)
#define UART_FLAG_ORE ((uint32_t)USART_SR_ORE)
#define UART_WORDLENGTH_8B 0x00000000U
#define UART_STOPBITS_1 0x00000000U
#define UART_PARITY_NONE 0x00000000U
#define UART_MODE_TX_RX (USART_CR1_TE | USART_CR1_RE)
#define UART_HWCONTROL_NONE 0x00000000U
#define UART_OVERSAMPLING_16 0x00000000U
#define __HAL_UART_GET_FLAG(__HANDLE__, __FLAG__) (((__HANDLE__)->Instance->SR & (__FLAG__)) == (__FLAG__))
#define __HAL_UART_CLEAR_OREFLAG(__HANDLE__) ((void)(__HANDLE__)->Instance->SR, (void)(__HANDLE__)->Instance->DR)
HAL_StatusTypeDef HAL_UART_Init(UART_HandleTypeDef* huart);
void HAL_UART_MspInit(UART_HandleTypeDef* huart);
HAL_StatusTypeDef HAL_UART_Transmit_IT(UART_HandleTypeDef* huart, const uint8_t* pData, uint16_t Size);
HAL_StatusTypeDef HAL_UART_Receive_IT(UART_HandleTypeDef* huart, uint8_t* pData, uint16_t Size);
void HAL_UART_IRQHandler(UART_HandleTypeDef* huart);
void HAL_UART_TxCpltCallback(UART_HandleTypeDef* huart);
void HAL_UART_RxCpltCallback(UART_HandleTypeDef* huart);
void HAL_UART_ErrorCallback(UART_HandleTypeDef* huart);

/* ---- I2C --------------------------------------------------------------------------------------------------------- */

#define HAL_I2C_MODULE_ENABLED
typedef struct {
  uint32_t ClockSpeed, DutyCycle, OwnAddress1, AddressingMode, DualAddressMode, OwnAddress2, GeneralCallMode;
  uint32_t NoStretchMode;
} I2C_InitTypeDef;
typedef struct __I2C_HandleTypeDef {
  I2C_TypeDef* Instance;
  I2C_InitTypeDef Init;
  volatile uint32_t ErrorCode;
} I2C_HandleTypeDef;
#define I2C_DUTYCYCLE_2 0x00000000U
#define I2C_ADDRESSINGMODE_7BIT 0x00004000U
#define I2C_DUALADDRESS_DISABLE 0x00000000U
#define I2C_GENERALCALL_DISABLE 0x00000000U
#define I2C_NOSTRETCH_DISABLE 0x00000000U
#define I2C_MEMADD_SIZE_8BIT 0x00000001U
#define I2C_MEMADD_SIZE_16BIT 0x00000010U
#define HAL_I2C_ERROR_NONE 0x00000000U
#define HAL_I2C_ERROR_ARLO 0x00000002U
#define HAL_I2C_ERROR_AF 0x00000004U
#define HAL_I2C_ERROR_TIMEOUT 0x00000020U
HAL_StatusTypeDef HAL_I2C_Init(I2C_HandleTypeDef* hi2c);
HAL_StatusTypeDef HAL_I2C_DeInit(I2C_HandleTypeDef* hi2c);
void HAL_I2C_MspInit(I2C_HandleTypeDef* hi2c);
void HAL_I2C_MspDeInit(I2C_HandleTypeDef* hi2c);
HAL_StatusTypeDef HAL_I2C_Master_Transmit(I2C_HandleTypeDef* hi2c, uint16_t DevAddress, uint8_t* pData, uint16_t Size,
                                          uint32_t Timeout);
HAL_StatusTypeDef HAL_I2C_Master_Receive(I2C_HandleTypeDef* hi2c, uint16_t DevAddress, uint8_t* pData, uint16_t Size,
                                         uint32_t Timeout);
HAL_StatusTypeDef HAL_I2C_Mem_Read(I2C_HandleTypeDef* hi2c, uint16_t DevAddress, uint16_t MemAddress,
                                   uint16_t MemAddSize, uint8_t* pData, uint16_t Size, uint32_t Timeout);
HAL_StatusTypeDef HAL_I2C_IsDeviceReady(I2C_HandleTypeDef* hi2c, uint16_t DevAddress, uint32_t Trials,
                                        uint32_t Timeout);
uint32_t HAL_I2C_GetError(const I2C_HandleTypeDef* hi2c);

#ifdef __cplusplus
}
#endif
