// SPDX-License-Identifier: Apache-2.0
// A UART through the polling API.
#include <zephyr/drivers/uart.h>
#include "mcp/ports/zephyr.hpp"
#include "ports/sdk/zephyr/zephyr_event.hpp"

namespace mcp::zephyr {
namespace {

constexpr char lost_bytes = '\xFF';
constexpr int no_byte = -1;

}  // namespace

PolledUart::PolledUart(const struct device* uart) : uart_(uart) { note_polled_stream(); }

// The driver does not say which byte is damaged, or where bytes are missing.
IoResult PolledUart::do_read(std::span<char> into) {
  if (!device_is_ready(uart_)) return {IoStatus::failed, 0};
  const bool is_damaged = uart_err_check(uart_) > 0;
  std::size_t size = 0;
  unsigned char byte = 0;
  int result = 0;
  while (size < into.size() && (result = uart_poll_in(uart_, &byte)) == 0) into[size++] = static_cast<char>(byte);
  if (is_damaged) {
    into[0] = lost_bytes;
    return {IoStatus::ok, 1};
  }
  if (size != 0) return {IoStatus::ok, size};
  return {result == no_byte ? IoStatus::would_block : IoStatus::failed, 0};
}

IoResult PolledUart::do_write(std::span<const char> from) {
  if (!device_is_ready(uart_)) return {IoStatus::failed, 0};
  for (const char byte : from) uart_poll_out(uart_, static_cast<unsigned char>(byte));
  return {IoStatus::ok, from.size()};
}

}  // namespace mcp::zephyr
