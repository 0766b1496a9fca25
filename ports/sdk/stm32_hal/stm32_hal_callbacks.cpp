// SPDX-License-Identifier: Apache-2.0
// The callbacks of the HAL. A project with its own callbacks leaves this file out, and calls these functions in them.
#include "mcp/ports/stm32_hal.hpp"

extern "C" {
void HAL_UART_RxCpltCallback(UART_HandleTypeDef* huart) { mcp::stm32::Uart::received(huart); }
void HAL_UART_TxCpltCallback(UART_HandleTypeDef* huart) { mcp::stm32::Uart::sent(huart); }
void HAL_UART_ErrorCallback(UART_HandleTypeDef* huart) { mcp::stm32::Uart::failed(huart); }
}
