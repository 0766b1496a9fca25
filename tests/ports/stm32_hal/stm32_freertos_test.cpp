// SPDX-License-Identifier: Apache-2.0
// A project of STM32CubeMX whose server runs in a task of FreeRTOS: the UART of the HAL wakes the task. The example in
// ports/sdk/stm32_hal/README.md has this function wake().
#include <gtest/gtest.h>

#include <string_view>

#include "mcp/ports/freertos.hpp"
#include "mcp/ports/stm32_hal.hpp"

namespace {

constinit mcp::freertos::Task task;
char server_task;
char* current = &server_task;
bool is_in_interrupt = false;
int gives = 0;
int yields = 0;

}  // namespace

void mcp::stm32::wake() { task.wake(); }

namespace {

TEST(Stm32FreeRtos, AnEventOfTheUartWakesTheTaskOfTheServer) {
  UART_HandleTypeDef handle{};
  USART_TypeDef registers{};
  handle.Instance = &registers;
  static mcp::stm32::Uart uart{&handle};
  task.wait_for_event(0);
  is_in_interrupt = true;
  *handle.pRxBuffPtr = '\n';
  HAL_UART_RxCpltCallback(&handle);
  EXPECT_EQ(gives, 1);
  HAL_UART_TxCpltCallback(&handle);
  EXPECT_EQ(gives, 2);
  HAL_UART_ErrorCallback(&handle);
  EXPECT_EQ(gives, 3);
  EXPECT_EQ(yields, 3);
  is_in_interrupt = false;
  char bytes[4];
  EXPECT_EQ(std::string_view(bytes, uart.read(bytes).size), "\n\xFF");
  mcp::stm32::wake();
  EXPECT_EQ(gives, 4);
}

}  // namespace

extern "C" {
HAL_StatusTypeDef HAL_UART_Receive_IT(UART_HandleTypeDef* huart, uint8_t* pData, uint16_t) {
  huart->pRxBuffPtr = pData;
  return HAL_OK;
}
HAL_StatusTypeDef HAL_UART_Transmit_IT(UART_HandleTypeDef*, const uint8_t*, uint16_t) { return HAL_OK; }
uint32_t stub_read_sr(USART_TypeDef* usart) { return usart->SR; }
uint32_t stub_read_dr(USART_TypeDef* usart) { return usart->DR; }
uint32_t HAL_GetTick() { return 0; }
uint32_t __get_PRIMASK() { return 0; }
void __set_PRIMASK(uint32_t) {}
void __disable_irq() {}
void __DSB() {}
void __WFI() {}
void Error_Handler() {}

TaskHandle_t xTaskGetCurrentTaskHandle() { return reinterpret_cast<TaskHandle_t>(current); }
UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t) { return 0; }
uint32_t ulTaskNotifyTake(BaseType_t, TickType_t) { return 0; }
BaseType_t xPortIsInsideInterrupt() { return is_in_interrupt ? pdTRUE : pdFALSE; }
BaseType_t xStubNotifyGive(TaskHandle_t) {
  ++gives;
  return pdTRUE;
}
void vTaskNotifyGiveFromISR(TaskHandle_t, BaseType_t* woken) {
  ++gives;
  *woken = pdTRUE;
}
void vStubYieldFromIsr(BaseType_t woken) { yields += woken != pdFALSE ? 1 : 0; }
}
