/* SPDX-License-Identifier: Apache-2.0 */
/* The main() of a project, and functions of the HAL that do nothing. Linked, never run. */
#include <main.h>

void run_server(UART_HandleTypeDef* huart);

USART_TypeDef usart2;
UART_HandleTypeDef huart2 = {.Instance = &usart2};

uint32_t stub_read_sr(USART_TypeDef* usart) { return usart->SR; }
uint32_t stub_read_dr(USART_TypeDef* usart) { return usart->DR; }
HAL_StatusTypeDef HAL_UART_Transmit_IT(UART_HandleTypeDef* huart, const uint8_t* pData, uint16_t Size) {
  huart->pTxBuffPtr = pData;
  huart->TxXferCount = Size;
  return HAL_OK;
}
HAL_StatusTypeDef HAL_UART_Receive_IT(UART_HandleTypeDef* huart, uint8_t* pData, uint16_t Size) {
  huart->pRxBuffPtr = pData;
  huart->RxXferCount = Size;
  return HAL_OK;
}
/* Weak, as in the HAL. */
__attribute__((weak)) void HAL_UART_TxCpltCallback(UART_HandleTypeDef* huart) { (void)huart; }
__attribute__((weak)) void HAL_UART_RxCpltCallback(UART_HandleTypeDef* huart) { (void)huart; }
__attribute__((weak)) void HAL_UART_ErrorCallback(UART_HandleTypeDef* huart) { (void)huart; }
uint32_t HAL_GetTick(void) { return 0; }
uint32_t __get_PRIMASK(void) { return 0; }
void __set_PRIMASK(uint32_t priMask) { (void)priMask; }
void __disable_irq(void) {}
void __DSB(void) {}
void __WFI(void) {}
void Error_Handler(void) {}

int main(void) {
  run_server(&huart2);
  HAL_UART_RxCpltCallback(&huart2);
  HAL_UART_TxCpltCallback(&huart2);
  HAL_UART_ErrorCallback(&huart2);
}
