// SPDX-License-Identifier: Apache-2.0
// I2C0 of the RP2040 on the pins 4 (SDA) and 5 (SCL), with the functions of Wire that mote_wire.h uses.
#pragma once

#include <Arduino.h>

class TwoWire {
 public:
  void begin();
  void end();
  void setTimeout(uint32_t ms, bool reset_with_timeout);
  bool getTimeoutFlag() const { return has_timed_out_; }
  void clearTimeoutFlag() { has_timed_out_ = false; }
  void beginTransmission(uint8_t address);
  size_t write(const uint8_t* bytes, size_t size);
  uint8_t endTransmission(bool stop);
  size_t requestFrom(uint8_t address, size_t size, bool stop);
  int read();

 private:
  enum Result : uint8_t { done = 0, no_device = 2, other = 4, late = 5 };
  static constexpr size_t capacity = 32;

  Result send(uint32_t command);
  Result abort();

  uint32_t limit_us_ = 25'000;
  bool has_timed_out_ = false;
  bool is_in_transaction_ = false;
  uint8_t address_ = 0;
  uint8_t bytes_[capacity] = {};
  size_t count_ = 0;
  size_t at_ = 0;
};
extern TwoWire Wire;
