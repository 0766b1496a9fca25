// SPDX-License-Identifier: Apache-2.0
/// @file
/// mote in a project of ESP-IDF: bytes of a UART or USB Serial/JTAG, time, sleep and random bytes.
/// @code
/// extern "C" void app_main() {
///   usb_serial_jtag_driver_config_t config = USB_SERIAL_JTAG_DRIVER_CONFIG_DEFAULT();
///   config.rx_buffer_size = 4096;  // the default of 256 bytes loses bytes of longer messages
///   ESP_ERROR_CHECK(usb_serial_jtag_driver_install(&config));
///   mcp::esp_idf::UsbSerialJtag usb(config.rx_buffer_size);
///   mcp::StdioTransport transport{server, usb};
///   for (;;) mcp::esp_idf::wait_for_event(transport.poll(mcp::esp_idf::millis()));
/// }
/// @endcode
///
/// The application installs the driver with its own pins and buffers. The console and the log of ESP-IDF must not use
/// the same UART or USB. By default they use USB Serial/JTAG, too: set CONFIG_ESP_CONSOLE_SECONDARY_NONE.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/port.hpp>
#include <span>

#include <soc/soc_caps.h>
#if SOC_UART_SUPPORTED
#include <driver/uart.h>
#endif

namespace mcp::esp_idf {

// ---- Time and sleep ------------------------------------------------------------------------------------------------

/// Returns the milliseconds since start-up. Context: any task or interrupt; never blocks.
Millis millis();

/// Sleeps until an event: received bytes, or a call of wake(). The first call returns at once, and so does a call after
/// an event that no call has returned for. While a write waits for space, it returns after one tick, because the driver
/// of a UART notifies no task of space. It may also return without an event, so poll everything again. If the task has
/// not slept for 500 ms, because it always has work or events, the call sleeps for one tick. Otherwise the idle task
/// would never run, and the task watchdog would report it. Context: the task that runs the server; blocks for at most
/// `timeout_ms` milliseconds, rounded up to ticks (mcp::forever: no limit). It uses the task notification with index 0.
void wait_for_event(Millis timeout_ms);

/// Makes wait_for_event() return. Context: any task or interrupt, on both cores; never blocks.
void wake();

// ---- UART ----------------------------------------------------------------------------------------------------------

#if SOC_UART_SUPPORTED
/// A UART whose driver the application has installed (`uart_driver_install`), with any size of its transmit buffer.
///
/// Receive: the driver moves the bytes to its receive buffer when the FIFO of the UART has 120 bytes, and after a
/// silence of one byte time. wait_for_event() then returns. If the buffer is full, bytes stay in the FIFO. If the FIFO
/// is full, too, bytes are lost. Transmit: bytes go to the FIFO of the UART.
///
/// Errors: if the driver reports damaged or lost bytes, one byte 0xFF replaces all bytes that the driver has at this
/// time. It is never valid in UTF-8, so the server rejects the message. The driver reports framing errors only after
/// `uart_enable_intr_mask(port, UART_INTR_FRAM_ERR)`. An error of the driver, such as a driver that is not installed,
/// is `failed`. Lifetime: the object receives the notifications of the driver for select() until the program ends, so
/// do not call select() on this UART. Limits: one object for each UART. Context: the task that runs the server; never
/// blocks.
class Uart final : public ByteStream {
 public:
  /// Uses `port`, such as UART_NUM_1. Call it after `uart_driver_install`.
  explicit Uart(uart_port_t port);
  Uart(const Uart&) = delete;
  Uart& operator=(const Uart&) = delete;

 private:
  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;

  uart_port_t port_;
};
#endif

// ---- USB -----------------------------------------------------------------------------------------------------------

#if SOC_USB_SERIAL_JTAG_SUPPORTED
/// The USB Serial/JTAG port of the chip, without a USB stack (ESP32-C3, C6, H2, S3 and later chips). The application
/// has installed its driver (`usb_serial_jtag_driver_install`), with a transmit buffer of at least 64 bytes.
///
/// Receive: the driver has a ring. USB does not wait for space in it: the driver discards a packet of up to 64 bytes
/// that does not fit, and reports nothing. So the ring needs Limits::receive_size + 128 bytes at least, and this size
/// again for each further request that clients send without waiting for a response.
/// Transmit: while no program on the PC reads, writes return `would_block` after the buffer is full.
///
/// Errors: if packets may have been lost, one byte 0xFF replaces all bytes that the driver has then. It is never valid
/// in UTF-8, so the server rejects the message. Packets may have been lost if the ring could be full but for 127 bytes,
/// each packet since it was empty counted as 64 bytes. A driver that is not installed is `failed`.
/// Lifetime: as for Uart. Limits: one object. Context: the task that runs the server; never blocks.
class UsbSerialJtag final : public ByteStream {
 public:
  /// Call it after `usb_serial_jtag_driver_install`. `rx_buffer_size`: the member of the driver's configuration with
  /// this name. Errors: asserts that it is more than 128, because each packet would be a loss.
  explicit UsbSerialJtag(std::size_t rx_buffer_size);
  UsbSerialJtag(const UsbSerialJtag&) = delete;
  UsbSerialJtag& operator=(const UsbSerialJtag&) = delete;

 private:
  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;
  [[nodiscard]] bool may_be_full() const;
  std::size_t take(std::span<char> into);

  std::size_t ring_size_;
  std::uint32_t packets_ = 0;  // received when the ring was empty for the last time
  std::size_t bytes_ = 0;      // read since then
};
#endif

// ---- The chip ------------------------------------------------------------------------------------------------------

/// Random bytes of the chip (`esp_fill_random`). They are true random bytes while Wi-Fi or Bluetooth is on, or after
/// `bootloader_random_enable()`. Otherwise they are pseudo-random, so do not open sessions before.
/// Context: any task; never blocks for long. Never fails.
class SdkEntropy final : public Entropy {
 private:
  bool do_fill(std::span<std::uint8_t> into) override;
};

/// Returns a number of `esp_random` for mcp::Services::boot_id, which does not change until a reset and is never 0.
/// Context: one task; never blocks for long.
std::uint32_t boot_id();

}  // namespace mcp::esp_idf

#include <mcp/detail/epilogue.hpp>
