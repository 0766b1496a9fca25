// SPDX-License-Identifier: Apache-2.0
// USB Serial/JTAG: ESP32-C3, C6, H2, S3 and later chips.
#include <driver/usb_serial_jtag.h>
#include <esp_err.h>
#include <mcp/ports/esp_idf.hpp>

#include "board.hpp"

namespace board {

mcp::ByteStream& open_stream() {
  // The driver discards bytes that have no space. This is enough for three of the longest requests without a pause.
  constexpr std::uint32_t receive_ring_size = 4096;
  usb_serial_jtag_driver_config_t config = USB_SERIAL_JTAG_DRIVER_CONFIG_DEFAULT();
  config.rx_buffer_size = receive_ring_size;
  ESP_ERROR_CHECK(usb_serial_jtag_driver_install(&config));
  static mcp::esp_idf::UsbSerialJtag usb(receive_ring_size);
  return usb;
}

}  // namespace board
