// SPDX-License-Identifier: Apache-2.0
// UART1, for a chip without USB Serial/JTAG. UART0 has the console.
#include <driver/uart.h>
#include <esp_err.h>
#include <mcp/ports/esp_idf.hpp>

#include "board.hpp"

namespace board {
namespace {

constexpr int transmit_pin = 17;
constexpr int receive_pin = 16;
constexpr int receive_ring_size = 4096;

}  // namespace

mcp::ByteStream& open_stream() {
  uart_config_t config{};
  config.baud_rate = 115'200;
  config.data_bits = UART_DATA_8_BITS;
  config.parity = UART_PARITY_DISABLE;
  config.stop_bits = UART_STOP_BITS_1;
  config.source_clk = UART_SCLK_DEFAULT;
  ESP_ERROR_CHECK(uart_param_config(UART_NUM_1, &config));
  ESP_ERROR_CHECK(uart_set_pin(UART_NUM_1, transmit_pin, receive_pin, UART_PIN_NO_CHANGE, UART_PIN_NO_CHANGE));
  ESP_ERROR_CHECK(uart_driver_install(UART_NUM_1, receive_ring_size, 0, 0, nullptr, 0));
  static mcp::esp_idf::Uart uart(UART_NUM_1);
  return uart;
}

}  // namespace board
