// SPDX-License-Identifier: Apache-2.0
// Source: RP2040 Datasheet, sections 2.19.6.1 and 4.3.
#include "Wire.h"

TwoWire Wire;

namespace {

volatile uint32_t& at(uint32_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }

constexpr uint32_t control = 0x4004'4000, target = 0x4004'4004, data_command = 0x4004'4010;
constexpr uint32_t high_count = 0x4004'401C, low_count = 0x4004'4020, raw_interrupts = 0x4004'4034;
constexpr uint32_t clear_abort = 0x4004'4054, clear_stop = 0x4004'4060, enable = 0x4004'406C;
constexpr uint32_t received = 0x4004'4078, abort_source = 0x4004'4080;
constexpr uint32_t is_sent = 1u << 4, is_aborted = 1u << 6, has_stopped = 1u << 9;
constexpr uint32_t read_bit = 1u << 8, stop_bit = 1u << 9, restart_bit = 1u << 10;
constexpr uint32_t no_acknowledge = 1u << 0;

// Some registers change when they are read.
uint32_t take(uint32_t address) { return at(address); }
void set_function(uint32_t pin, uint32_t function) { at(0x4001'4004 + 8 * pin) = function; }

}  // namespace

void TwoWire::begin() {
  at(enable) = 0;
  at(control) = 1u << 0 | 2u << 1 | 1u << 5 | 1u << 6 | 1u << 8;  // controller, fast counts, restart, TX_EMPTY_CTRL
  at(high_count) = 500;                                           // 100 kHz of 125 MHz
  at(low_count) = 750;
  at(enable) = 1;
  set_function(4, 3);
  set_function(5, 3);
  is_in_transaction_ = false;
}
void TwoWire::end() {
  at(enable) = 0;
  set_function(4, 5);
  set_function(5, 5);
}
void TwoWire::setTimeout(uint32_t ms, bool) { limit_us_ = ms * 1000; }

void TwoWire::beginTransmission(uint8_t address) {
  address_ = address;
  count_ = 0;
}
size_t TwoWire::write(const uint8_t* bytes, size_t size) {
  size_t moved = 0;
  while (moved < size && count_ < capacity) bytes_[count_++] = bytes[moved++];
  return moved;
}

TwoWire::Result TwoWire::abort() {
  const bool is_missing = (at(abort_source) & no_acknowledge) != 0;
  take(clear_abort);
  is_in_transaction_ = false;
  return is_missing ? no_device : other;
}

// Sends a byte, or receives one.
TwoWire::Result TwoWire::send(uint32_t command) {
  const unsigned long begin = micros();
  const uint32_t before = at(received);
  at(data_command) = command;
  const bool is_read = (command & read_bit) != 0;
  for (;;) {
    const uint32_t raw = at(raw_interrupts);
    if ((raw & is_aborted) != 0) return abort();
    const bool is_moved = is_read ? at(received) != before : (raw & is_sent) != 0;
    if (is_moved && ((command & stop_bit) == 0 || (raw & has_stopped) != 0)) break;
    if (micros() - begin > limit_us_) {
      has_timed_out_ = true;
      return late;
    }
  }
  if ((command & stop_bit) != 0) take(clear_stop);
  is_in_transaction_ = (command & stop_bit) == 0;
  return done;
}

uint8_t TwoWire::endTransmission(bool stop) {
  at(enable) = 0;
  at(target) = address_;
  at(enable) = 1;
  if (count_ == 0) {
    // The hardware sends no transaction without bytes. A read of one byte also shows whether there is a device.
    const Result result = send(read_bit | stop_bit);
    if (result == done) take(data_command);
    return result;
  }
  for (size_t i = 0; i < count_; ++i) {
    const Result result = send(bytes_[i] | (stop && i + 1 == count_ ? stop_bit : 0));
    if (result != done) return result;
  }
  return done;
}

size_t TwoWire::requestFrom(uint8_t address, size_t size, bool) {
  count_ = at_ = 0;
  if (size > capacity) return 0;
  if (!is_in_transaction_) {
    at(enable) = 0;
    at(target) = address;
    at(enable) = 1;
  }
  for (size_t i = 0; i < size; ++i) {
    const uint32_t restart = i == 0 && is_in_transaction_ ? restart_bit : 0;
    if (send(read_bit | restart | (i + 1 == size ? stop_bit : 0)) != done) return 0;
    bytes_[count_++] = static_cast<uint8_t>(take(data_command));
  }
  return count_;
}
int TwoWire::read() { return at_ < count_ ? bytes_[at_++] : -1; }
