// SPDX-License-Identifier: Apache-2.0
// A UART of the HAL as a ByteStream. Without a lock, the HAL changes registers that its interrupts also change, so the
// main loop calls it with interrupts off.
#include <algorithm>

#include "mcp/ports/stm32_hal.hpp"

namespace mcp::stm32 {

Uart* Uart::first = nullptr;

Uart::Uart(UART_HandleTypeDef* handle) : next_(first), handle_(handle) {
  const InterruptsOff guard;
  first = this;
  receive();
}

Uart* Uart::find(const UART_HandleTypeDef* handle) {
  Uart* uart = first;
  while (uart != nullptr && uart->handle_ != handle) uart = uart->next_;
  return uart;
}

// HAL_BUSY means that it already receives. After other errors, the next read tries again.
void Uart::receive() { is_stopped_ = ring_.full() || HAL_UART_Receive_IT(handle_, &byte_, 1) == HAL_ERROR; }

// The mark of a lost byte comes before the bytes after it.
void Uart::take(char byte) {
  if (is_byte_lost_) is_byte_lost_ = !ring_.push(board::not_text);
  if (ring_.push(byte)) return;
  is_byte_lost_ = true;
  errors_ = errors_ + 1;
}

IoResult Uart::do_read(std::span<char> into) {
  const std::size_t size = ring_.pop(into);
  // Also after a lost byte, because the ring was full then.
  if (is_stopped_) {
    const InterruptsOff guard;
    if (is_byte_lost_) is_byte_lost_ = !ring_.push(board::not_text);
    receive();
  }
  if (size == 0) return {IoStatus::would_block, 0};
  return {IoStatus::ok, size};
}

IoResult Uart::do_write(std::span<const char> from) {
  if (is_sending_) return {IoStatus::would_block, 0};
  const std::size_t size = std::min(from.size(), chunk_size);
  std::copy_n(from.begin(), size, chunk_);
  const InterruptsOff guard;
  const HAL_StatusTypeDef status = HAL_UART_Transmit_IT(handle_, chunk_, static_cast<std::uint16_t>(size));
  if (status == HAL_BUSY) return {IoStatus::would_block, 0};
  if (status != HAL_OK) return {IoStatus::failed, 0};
  is_sending_ = true;
  return {IoStatus::ok, size};
}

void Uart::wipe() {
  const InterruptsOff guard;
  ring_.wipe();
  byte_ = 0;
}

void Uart::received(UART_HandleTypeDef* handle) {
  Uart* const uart = find(handle);
  if (uart == nullptr) return;
  const auto byte = static_cast<char>(uart->byte_);
  uart->take(byte);
  uart->receive();
  if (uart->ring_.is_due(byte) || uart->is_byte_lost_ || !uart->reads_lines()) wake();
}

void Uart::sent(UART_HandleTypeDef* handle) {
  Uart* const uart = find(handle);
  if (uart == nullptr) return;
  uart->is_sending_ = false;
  wake();
}

// On F1, F2, F4 and L1, an overrun stays without a byte in the register if the last byte is read while the next one
// comes. A read of both registers ends it, and the HAL reads the second one for a byte only, so its interrupt would
// come again and again. Other families have cleared it by now.
void Uart::clear_overrun(UART_HandleTypeDef* handle) {
  if (!__HAL_UART_GET_FLAG(handle, UART_FLAG_ORE) || __HAL_UART_GET_FLAG(handle, UART_FLAG_RXNE)) return;
  __HAL_UART_CLEAR_OREFLAG(handle);
}

// After an overrun the HAL has ended the reception, and after another error it has not. It may have cleared the error
// code by now, because it calls received() first.
void Uart::failed(UART_HandleTypeDef* handle) {
  Uart* const uart = find(handle);
  if (uart == nullptr) return;
  uart->errors_ = uart->errors_ + 1;
  uart->is_byte_lost_ = !uart->ring_.push(board::not_text);
  clear_overrun(handle);
  uart->receive();
  wake();
}

}  // namespace mcp::stm32
