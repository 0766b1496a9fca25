// SPDX-License-Identifier: Apache-2.0
// A bus with devices that the tests of drivers plug in and out, and the devices.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "mcp/ports/i2c.hpp"

namespace test {

/// A device on the bus.
class Device {
 public:
  virtual mcp::BusError transfer(std::span<const std::uint8_t> out, std::span<std::uint8_t> in) = 0;

 protected:
  ~Device() = default;
};

class FakeBus final : public mcp::I2cBus {
 public:
  FakeBus() : I2cBus({.most_bytes = 64, .limit_ms = 10}) {}

  std::map<std::uint8_t, Device*> devices;
  mcp::BusError error = mcp::BusError::none;  // of each transaction
  std::vector<std::vector<std::uint8_t>> writes;
  int transactions = 0;

 private:
  mcp::BusError do_transfer(std::uint8_t address, std::span<const std::uint8_t> out,
                            std::span<std::uint8_t> in) override {
    ++transactions;
    std::ranges::fill(in, std::uint8_t{0xA5});  // undefined after an error
    if (error != mcp::BusError::none) return error;
    const auto device = devices.find(address);
    if (device == devices.end()) return mcp::BusError::no_device;
    if (in.empty()) writes.emplace_back(out.begin(), out.end());
    return device->second->transfer(out, in);
  }
  bool do_recover() override { return true; }
};

/// The bus of the running test.
inline FakeBus* current_bus = nullptr;
inline mcp::I2cBus& bus() { return *current_bus; }

/// Answers each transaction with the same bytes.
class Rubbish final : public Device {
 public:
  explicit Rubbish(std::uint8_t byte) : byte_(byte) {}
  mcp::BusError transfer(std::span<const std::uint8_t>, std::span<std::uint8_t> in) override {
    std::ranges::fill(in, byte_);
    return mcp::BusError::none;
  }

 private:
  std::uint8_t byte_;
};

/// Registers of 16 bits behind a pointer. A read repeats the register, as the LM75, the ADS1115 and the INA219 do.
class Words : public Device {
 public:
  std::map<std::uint8_t, std::uint16_t> words;
  int byte_registers = -1;  // the number of a register of one byte, as the configuration of an LM75

  mcp::BusError transfer(std::span<const std::uint8_t> out, std::span<std::uint8_t> in) override {
    if (!out.empty()) {
      pointer_ = out[0];
      const bool is_byte = pointer_ == byte_registers;
      if (out.size() == 2 && is_byte) written(pointer_, static_cast<std::uint16_t>(out[1] << 8));
      if (out.size() >= 3 && !is_byte) written(pointer_, static_cast<std::uint16_t>(out[1] << 8 | out[2]));
    }
    for (std::size_t i = 0; i < in.size(); ++i) {
      const std::uint16_t word = words[pointer_];
      const bool is_high = i % 2 == 0 || pointer_ == byte_registers;
      in[i] = static_cast<std::uint8_t>(is_high ? word >> 8 : word);
    }
    if (!in.empty()) was_read(pointer_);
    return mcp::BusError::none;
  }

 protected:
  virtual void written(std::uint8_t number, std::uint16_t value) { words[number] = value; }
  virtual void was_read(std::uint8_t) {}

 private:
  std::uint8_t pointer_ = 0;
};

/// A fixture with a bus.
template <class Test>
class OnBus : public Test {
 protected:
  OnBus() { current_bus = &bus_; }
  ~OnBus() override { current_bus = nullptr; }
  FakeBus bus_;
};

}  // namespace test
