// SPDX-License-Identifier: Apache-2.0
// The times of the edges of a pin, by the interrupt of its port. An application may have the interrupt of a port.
#include <atomic>

#include "ports/boards/lm3s6965evb/lm3s6965_clock.hpp"
#include "ports/boards/lm3s6965evb/lm3s6965_pins.hpp"

extern "C" {
void record_edge();
// A handler of the application, or of on_button(), replaces one of these.
[[gnu::weak, gnu::alias("record_edge")]] void gpio_a_handler();
[[gnu::weak, gnu::alias("record_edge")]] void gpio_b_handler();
[[gnu::weak, gnu::alias("record_edge")]] void gpio_c_handler();
[[gnu::weak, gnu::alias("record_edge")]] void gpio_d_handler();
[[gnu::weak, gnu::alias("record_edge")]] void gpio_e_handler();
[[gnu::weak, gnu::alias("record_edge")]] void gpio_f_handler();
[[gnu::weak, gnu::alias("record_edge")]] void gpio_g_handler();
}

namespace board {
namespace {

using Handler = void (*)();
constexpr Handler handlers[] = {gpio_a_handler, gpio_b_handler, gpio_c_handler, gpio_d_handler,
                                gpio_e_handler, gpio_f_handler, gpio_g_handler};
constexpr std::uint8_t interrupts[] = {0, 1, 2, 3, 4, 30, 31};

struct Record {
  std::span<std::uint32_t> times_us;  // while there is a capture
  std::atomic<std::size_t> count;
  std::atomic<bool> has_lost;
  std::uint32_t begin_us;
  std::uint8_t pin;
  bool is_both;
  bool was_high;  // after the last edge
};
constinit Record record{};

}  // namespace

bool is_captured(std::uint8_t number) { return !record.times_us.empty() && record.pin == number; }

mcp::PinError ChipPins::do_begin_capture(std::uint8_t number, mcp::PinEdges edges, std::span<std::uint32_t> times_us) {
  if (!record.times_us.empty()) return mcp::PinError::busy;
  const mcp::PinError error = check_pin(number);
  if (error != mcp::PinError::none) return error;
  const GpioPin pin(number);
  if (!pin.is_set(gpio_den) || pin.is_set(gpio_dir)) return mcp::PinError::failed;
  if (handlers[number / 8] != record_edge) return mcp::PinError::busy;
  record.times_us = times_us;
  record.count.store(0, std::memory_order_relaxed);
  record.has_lost.store(false, std::memory_order_relaxed);
  record.pin = number;
  record.is_both = edges == mcp::PinEdges::both;
  pin.set(gpio_is, false);
  pin.set(gpio_ibe, record.is_both);
  pin.set(gpio_iev, edges == mcp::PinEdges::rising);
  record.was_high = pin.is_high();
  pin.clear_interrupt();
  record.begin_us = micros();
  std::atomic_signal_fence(std::memory_order_seq_cst);  // the interrupt reads the record
  pin.set(gpio_im, true);
  reg(nvic_iser0) = bit(interrupts[number / 8]);
  return mcp::PinError::none;
}

mcp::Pins::Capture ChipPins::do_captured() {
  if (record.times_us.empty()) return {0, false};
  const std::size_t count = record.count.load(std::memory_order_acquire);
  return {count, record.has_lost.load(std::memory_order_relaxed)};
}

void ChipPins::do_end_capture() {
  if (record.times_us.empty()) return;
  GpioPin(record.pin).set(gpio_im, false);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  record.times_us = {};
}

}  // namespace board

extern "C" void record_edge() {
  using board::record;
  const std::uint32_t time_us = board::micros() - record.begin_us;
  const board::GpioPin pin(record.pin);
  if (!pin.is_set(board::gpio_mis)) return;  // the interrupt was pending when the capture ended
  // An edge after this causes another interrupt.
  pin.clear_interrupt();
  const bool is_high = pin.is_high();
  // A level that has not changed has changed twice.
  if (record.is_both && is_high == record.was_high) record.has_lost.store(true, std::memory_order_relaxed);
  record.was_high = is_high;
  const std::size_t count = record.count.load(std::memory_order_relaxed);
  record.times_us[count] = time_us;
  if (count + 1 == record.times_us.size()) pin.set(board::gpio_im, false);
  record.count.store(count + 1, std::memory_order_release);
}
