// SPDX-License-Identifier: Apache-2.0
// A UART through the interrupt-driven API. The interrupt is the only user of the FIFOs.
#include <zephyr/drivers/uart.h>
#include <zephyr/irq.h>
#include "mcp/ports/zephyr.hpp"

namespace mcp::zephyr {
namespace {

// Also between cores: with several of them, this lock is one for all.
class Lock {
 public:
  Lock() : key_(irq_lock()) {}
  ~Lock() { irq_unlock(key_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  unsigned int key_;
};

}  // namespace

Uart::Uart(const struct device* uart) : uart_(uart) {
  is_ready_ = device_is_ready(uart) && uart_irq_callback_user_data_set(uart, handle, this) == 0;
  if (is_ready_) uart_irq_rx_enable(uart);
}

void Uart::handle(const struct device*, void* self) {
  Uart& uart = *static_cast<Uart*>(self);
  uart.is_due_ = !uart.reads_lines();
  // From Zephyr 4.5 on it returns nothing. Before, the result said nothing that the next three functions do not say: a
  // device that has failed now is not ready, and the next interrupt tries again.
  uart_irq_update(uart.uart_);
  const bool is_damaged = uart_err_check(uart.uart_) > 0;
  if (is_damaged) uart.discard();
  if (is_damaged || uart_irq_rx_ready(uart.uart_) > 0) uart.receive();
  if (uart_irq_tx_ready(uart.uart_) > 0) uart.send();
  if (uart.is_due_ || uart.has_failed_.load()) wake();
}

bool Uart::take(std::uint8_t& byte) {
  const int size = uart_fifo_read(uart_, &byte, 1);
  if (size < 0) has_failed_.store(true);
  return size > 0;
}

// The driver does not report which byte of the FIFO is damaged, or where bytes are missing.
void Uart::discard() {
  const Lock lock;
  std::uint8_t byte = 0;
  while (take(byte)) {
  }
  is_byte_lost_ = true;
}

void Uart::receive() {
  if (!fill()) return;
  uart_irq_rx_disable(uart_);
  // The thread may have read on another core.
  if (!received_.full()) uart_irq_rx_enable(uart_);
}

// Moves bytes into the ring. Returns false if the FIFO was empty before the ring was full. The lock excludes wipe().
bool Uart::fill() {
  const Lock lock;
  if (is_byte_lost_) {
    is_byte_lost_ = !received_.push(board::not_text);
    is_due_ = true;
  }
  while (!received_.full()) {
    std::uint8_t byte = 0;
    if (!take(byte)) return false;
    received_.push(static_cast<char>(byte));
    if (received_.is_due(static_cast<char>(byte))) is_due_ = true;
  }
  return true;
}

void Uart::wipe() {
  const Lock lock;
  received_.wipe();
}

void Uart::send() {
  is_due_ = true;  // there is space in the ring
  for (;;) {
    if (!has_next_) has_next_ = to_send_.pop({&next_, 1}) == 1;
    if (!has_next_) {
      uart_irq_tx_disable(uart_);
      // The thread may have written on another core.
      if (to_send_.size() != 0) uart_irq_tx_enable(uart_);
      return;
    }
    const auto byte = static_cast<std::uint8_t>(next_);
    const int size = uart_fifo_fill(uart_, &byte, 1);
    if (size < 0) has_failed_.store(true);
    if (size <= 0) return;
    has_next_ = false;
  }
}

IoResult Uart::do_read(std::span<char> into) {
  if (!is_ready_ || has_failed_.load()) return {IoStatus::failed, 0};
  const std::size_t size = received_.pop(into);
  if (size == 0) return {IoStatus::would_block, 0};
  uart_irq_rx_enable(uart_);
  return {IoStatus::ok, size};
}

IoResult Uart::do_write(std::span<const char> from) {
  if (!is_ready_ || has_failed_.load()) return {IoStatus::failed, 0};
  std::size_t size = 0;
  while (size < from.size() && to_send_.push(from[size])) ++size;
  // Also if the ring was full, because the interrupt that empties it wakes the server.
  uart_irq_tx_enable(uart_);
  if (size == 0) return {IoStatus::would_block, 0};
  return {IoStatus::ok, size};
}

}  // namespace mcp::zephyr
