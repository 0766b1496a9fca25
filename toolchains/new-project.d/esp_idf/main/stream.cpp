// SPDX-License-Identifier: Apache-2.0
// The stream of the client: USB Serial/JTAG, or UART1 on a chip without it, or stdin and stdout of the target linux.
#include "stream.hpp"

#include <sdkconfig.h>

#if defined(CONFIG_IDF_TARGET_LINUX)

#include <mcp/ports/posix.hpp>

const mcp::Millis longest_sleep_ms = 10;  // no interrupt wakes the task

mcp::ByteStream& open_stream() {
  static mcp::posix::Stdio stream;
  return stream;
}

#elif defined(CONFIG_SOC_USB_SERIAL_JTAG_SUPPORTED)

#include <driver/usb_serial_jtag.h>
#include <esp_err.h>
#include <mcp/ports/esp_idf.hpp>

const mcp::Millis longest_sleep_ms = mcp::forever;

mcp::ByteStream& open_stream() {
  // The driver discards what has no space: at least Limits::receive_size and 128 bytes.
  constexpr std::uint32_t receive_ring_size = 4096;
  usb_serial_jtag_driver_config_t config = USB_SERIAL_JTAG_DRIVER_CONFIG_DEFAULT();
  config.rx_buffer_size = receive_ring_size;
  ESP_ERROR_CHECK(usb_serial_jtag_driver_install(&config));
  static mcp::esp_idf::UsbSerialJtag usb(receive_ring_size);
  return usb;
}

#else

#include <driver/uart.h>
#include <esp_err.h>
#include <mcp/ports/esp_idf.hpp>

const mcp::Millis longest_sleep_ms = mcp::forever;

// UART0 has the console.
mcp::ByteStream& open_stream() {
  constexpr int transmit_pin = 17;
  constexpr int receive_pin = 16;
  uart_config_t config{};
  config.baud_rate = 115'200;
  config.data_bits = UART_DATA_8_BITS;
  config.parity = UART_PARITY_DISABLE;
  config.stop_bits = UART_STOP_BITS_1;
  config.source_clk = UART_SCLK_DEFAULT;
  ESP_ERROR_CHECK(uart_param_config(UART_NUM_1, &config));
  ESP_ERROR_CHECK(uart_set_pin(UART_NUM_1, transmit_pin, receive_pin, UART_PIN_NO_CHANGE, UART_PIN_NO_CHANGE));
  ESP_ERROR_CHECK(uart_driver_install(UART_NUM_1, 4096, 0, 0, nullptr, 0));
  static mcp::esp_idf::Uart uart(UART_NUM_1);
  return uart;
}

#endif
