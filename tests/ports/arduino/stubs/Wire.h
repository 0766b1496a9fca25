// SPDX-License-Identifier: Apache-2.0
// The Wire of the tests, with one device of registers. Results as in libraries/Wire/src/Wire.cpp of arduino-pico.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

class TwoWire {
 public:
  void begin() { is_running = true; }
  void end() { is_running = false; }
  void beginTransmission(std::uint8_t address) {
    address_ = address;
    out_.clear();
  }
  std::size_t write(const std::uint8_t* bytes, std::size_t size) {
    out_.insert(out_.end(), bytes, bytes + size);
    return size;
  }
  std::uint8_t endTransmission(bool) {
    const bool is_there = is_running && address_ == device;
    if (out_.empty()) return is_there ? 0 : 2;
    if (!is_there) return 4;
    pointer_ = out_[0];
    for (std::size_t i = 1; i < out_.size(); ++i) registers[pointer_ * 16 + static_cast<int>(i) - 1] = out_[i];
    return 0;
  }
  std::size_t requestFrom(std::uint8_t address, std::size_t size, bool) {
    in_.clear();
    at_ = 0;
    if (!is_running || address != device) return 0;
    for (std::size_t i = 0; i < size; ++i) in_.push_back(registers[pointer_ * 16 + static_cast<int>(i)]);
    return size;
  }
  int read() { return at_ < in_.size() ? in_[at_++] : -1; }

  bool is_running = false;
  int device = -1;                        // its address
  std::map<int, std::uint8_t> registers;  // by 16 times the number, and the byte

 private:
  int address_ = 0;
  int pointer_ = 0;
  std::vector<std::uint8_t> out_, in_;
  std::size_t at_ = 0;
};
inline TwoWire Wire;
