// SPDX-License-Identifier: Apache-2.0
// A UART through its driver. uart_tx_chars() is the only write that never waits: uart_write_bytes() waits for space in
// the transmit buffer, and uart_get_tx_buffer_free_size() counts only the item that the interrupt sends.
#include "mcp/ports/esp_idf.hpp"

#if SOC_UART_SUPPORTED
#include <atomic>

#include <driver/uart_select.h>
#include "ports/sdk/esp_idf/esp_idf_event.hpp"

namespace mcp::esp_idf {
namespace {

constexpr char lost_bytes = '\xFF';

// Byte times of silence until the driver moves the bytes from the FIFO to its buffer. With the default of 10, each
// response would wait for this time.
constexpr std::uint8_t silence = 1;

std::atomic<bool> has_lost[UART_NUM_MAX];

// The driver calls it in its interrupt.
void notify(uart_port_t port, uart_select_notif_t what, BaseType_t* task_woken) {
  if (what == UART_SELECT_ERROR_NOTIF) has_lost[port].store(true);
  if (wake_from_isr()) *task_woken = pdTRUE;
}

}  // namespace

Uart::Uart(uart_port_t port) : port_(port) {
  uart_set_rx_timeout(port, silence);
  uart_set_select_notif_callback(port, notify);
}

// The error may be in any byte that the driver has or that this call has read, so all of them are discarded.
IoResult Uart::do_read(std::span<char> into) {
  const int size = uart_read_bytes(port_, into.data(), static_cast<std::uint32_t>(into.size()), 0);
  if (size < 0) return {IoStatus::failed, 0};
  if (has_lost[port_].load()) {
    has_lost[port_].store(false);
    static_cast<void>(uart_flush_input(port_));
    into[0] = lost_bytes;
    return {IoStatus::ok, 1};
  }
  if (size == 0) return {IoStatus::would_block, 0};
  return {IoStatus::ok, static_cast<std::size_t>(size)};
}

IoResult Uart::do_write(std::span<const char> from) {
  const int size = uart_tx_chars(port_, from.data(), static_cast<std::uint32_t>(from.size()));
  if (size < 0) return {IoStatus::failed, 0};
  if (static_cast<std::size_t>(size) < from.size()) note_blocked_write();
  if (size == 0) return {IoStatus::would_block, 0};
  return {IoStatus::ok, static_cast<std::size_t>(size)};
}

}  // namespace mcp::esp_idf
#endif
