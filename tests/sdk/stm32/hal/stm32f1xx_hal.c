/* SPDX-License-Identifier: Apache-2.0 */
/* A fake of the HAL of an STM32F1: SysTick, NVIC, GPIO and USART, with the steps of the functions of
   stm32f1xx_hal_driver v1.1.10 that have these names. qemu.c has those of the RCC and of the I2C. */
#include "stm32f1xx_hal.h"

#define REG(address) (*(volatile uint32_t*)(address))

uint32_t SystemCoreClock = 8000000U;
static volatile uint32_t tick;

/* ---- SysTick, NVIC ----------------------------------------------------------------------------------------------- */

HAL_StatusTypeDef HAL_Init(void) {
  HAL_InitTick(TICK_INT_PRIORITY);
  HAL_MspInit();
  return HAL_OK;
}

HAL_StatusTypeDef HAL_InitTick(uint32_t TickPriority) {
  REG(0xE000E014) = SystemCoreClock / 1000U - 1U; /* LOAD */
  HAL_NVIC_SetPriority(SysTick_IRQn, TickPriority, 0U);
  REG(0xE000E018) = 0U; /* VAL */
  REG(0xE000E010) = 7U; /* CTRL: on, with an interrupt, from the processor clock */
  return HAL_OK;
}

void HAL_IncTick(void) { tick = tick + 1U; }
uint32_t HAL_GetTick(void) { return tick; }

/* 4 bits of priority. */
void HAL_NVIC_SetPriority(IRQn_Type IRQn, uint32_t PreemptPriority, uint32_t SubPriority) {
  (void)SubPriority;
  volatile uint8_t* const priority =
      IRQn < 0 ? (volatile uint8_t*)0xE000ED14 + (IRQn & 15) : (volatile uint8_t*)0xE000E400 + IRQn;
  *priority = (uint8_t)(PreemptPriority << 4);
}

void HAL_NVIC_EnableIRQ(IRQn_Type IRQn) { REG(0xE000E100 + 4 * (IRQn / 32)) = 1UL << IRQn % 32; }

/* ---- GPIO -------------------------------------------------------------------------------------------------------- */

void HAL_GPIO_Init(GPIO_TypeDef* GPIOx, GPIO_InitTypeDef* GPIO_Init) {
  (void)GPIOx;
  (void)GPIO_Init;
}
void HAL_GPIO_DeInit(GPIO_TypeDef* GPIOx, uint32_t GPIO_Pin) {
  (void)GPIOx;
  (void)GPIO_Pin;
}
void HAL_GPIO_WritePin(GPIO_TypeDef* GPIOx, uint16_t GPIO_Pin, GPIO_PinState PinState) {
  GPIOx->BSRR = PinState != GPIO_PIN_RESET ? GPIO_Pin : (uint32_t)GPIO_Pin << 16;
}

/* ---- UART -------------------------------------------------------------------------------------------------------- */

HAL_StatusTypeDef HAL_UART_Init(UART_HandleTypeDef* huart) {
  HAL_UART_MspInit(huart);
  huart->Instance->BRR = SystemCoreClock / 2U / huart->Init.BaudRate;
  huart->Instance->CR1 = huart->Init.Mode | USART_CR1_UE;
  huart->gState = HAL_UART_STATE_READY;
  huart->RxState = HAL_UART_STATE_READY;
  return HAL_OK;
}

HAL_StatusTypeDef HAL_UART_Transmit_IT(UART_HandleTypeDef* huart, const uint8_t* pData, uint16_t Size) {
  if (huart->gState != HAL_UART_STATE_READY) return HAL_BUSY;
  if (pData == 0 || Size == 0U) return HAL_ERROR;
  huart->pTxBuffPtr = pData;
  huart->TxXferCount = Size;
  huart->gState = HAL_UART_STATE_BUSY_TX;
  huart->Instance->CR1 |= USART_CR1_TXEIE;
  return HAL_OK;
}

HAL_StatusTypeDef HAL_UART_Receive_IT(UART_HandleTypeDef* huart, uint8_t* pData, uint16_t Size) {
  if (huart->RxState != HAL_UART_STATE_READY) return HAL_BUSY;
  if (pData == 0 || Size == 0U) return HAL_ERROR;
  huart->pRxBuffPtr = pData;
  huart->RxXferCount = Size;
  huart->ErrorCode = HAL_UART_ERROR_NONE;
  huart->RxState = HAL_UART_STATE_BUSY_RX;
  huart->Instance->CR3 |= USART_CR3_EIE;
  huart->Instance->CR1 |= USART_CR1_RXNEIE;
  return HAL_OK;
}

static void receive(UART_HandleTypeDef* huart) {
  if (huart->RxState != HAL_UART_STATE_BUSY_RX) return;
  *huart->pRxBuffPtr++ = (uint8_t)huart->Instance->DR;
  huart->RxXferCount = huart->RxXferCount - 1U;
  if (huart->RxXferCount != 0U) return;
  huart->Instance->CR1 &= ~USART_CR1_RXNEIE;
  huart->Instance->CR3 &= ~USART_CR3_EIE;
  huart->RxState = HAL_UART_STATE_READY;
  HAL_UART_RxCpltCallback(huart);
}

/* Without errors: no emulator has any. tests/ports/stm32_hal has a fake with them. */
void HAL_UART_IRQHandler(UART_HandleTypeDef* huart) {
  USART_TypeDef* const usart = huart->Instance;
  const uint32_t flags = usart->SR;
  const uint32_t interrupts = usart->CR1;
  if ((flags & USART_SR_RXNE) != 0U && (interrupts & USART_CR1_RXNEIE) != 0U) {
    receive(huart);
    return;
  }
  if ((flags & USART_SR_TXE) != 0U && (interrupts & USART_CR1_TXEIE) != 0U) {
    usart->DR = *huart->pTxBuffPtr++;
    huart->TxXferCount = huart->TxXferCount - 1U;
    if (huart->TxXferCount == 0U) usart->CR1 = (usart->CR1 & ~USART_CR1_TXEIE) | USART_CR1_TCIE;
    return;
  }
  if ((flags & USART_SR_TC) != 0U && (interrupts & USART_CR1_TCIE) != 0U) {
    usart->CR1 &= ~USART_CR1_TCIE;
    huart->gState = HAL_UART_STATE_READY;
    HAL_UART_TxCpltCallback(huart);
  }
}
