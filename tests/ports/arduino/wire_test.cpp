// SPDX-License-Identifier: Apache-2.0
// WireBus on Wires that behave as those of two cores.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "arduino_fakes.hpp"
#include "support/hex.hpp"

// Last: its macros have names of the standard library.
#include <mote.h>
#include <mote_wire.h>

namespace {

using mcp::BusError;
using test::hex;

constexpr int data_pin = 4;
constexpr int clock_pin = 5;

// What happens on the wires.
struct Bus {
  std::uint8_t device = 0x48;
  std::size_t acknowledges = 999;  // bytes of a write
  bool is_late = false;
  bool loses_arbitration = false;
  bool is_data_low = false;
  bool is_clock_driven = false;  // by hand
  int pulses = 0;                // of the clock, by hand
  int pulses_to_release = 0;
  std::string log;
};
Bus bus;

enum class Wired { done, no_device, refused, late, other };

Wired write_bytes(std::uint8_t address, const std::vector<std::uint8_t>& bytes, bool stop) {
  bus.log += "W" + hex(address);
  if (bus.is_late || bus.is_data_low) return Wired::late;
  if (address != bus.device) return Wired::no_device;
  if (bus.loses_arbitration) return Wired::other;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == bus.acknowledges) return Wired::refused;
    bus.log += " " + hex(bytes[i]);
  }
  bus.log += stop ? "P " : "S ";
  return Wired::done;
}
Wired read_bytes(std::uint8_t address, std::size_t size, std::vector<std::uint8_t>& bytes) {
  bus.log += "R" + hex(address);
  bytes.clear();
  if (bus.is_late || bus.is_data_low) return Wired::late;
  if (address != bus.device) return Wired::no_device;
  if (bus.loses_arbitration) return Wired::other;
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(0xA0 + i));
  bus.log += "P ";
  return Wired::done;
}

// The common part of both: buffers, and begin() and end().
class Buffers {
 public:
  void begin() { is_running = true; }
  void end() { is_running = false; }
  std::size_t write(const std::uint8_t* bytes, std::size_t size) {
    const std::size_t moved = (std::min)(size, capacity - out_.size());
    out_.insert(out_.end(), bytes, bytes + moved);
    return moved;
  }
  int read() {
    if (at_ == in_.size()) return -1;
    return in_[at_++];
  }
  bool is_running = true;
  std::size_t capacity = 256;

 protected:
  std::uint8_t address_ = 0;
  std::vector<std::uint8_t> out_, in_;
  std::size_t at_ = 0;
};

// As libraries/Wire/src/Wire.cpp of the core of Earle Philhower (version 4): a device that does not exist is error 4, a
// write without bytes looks for it, and a timeout sets a flag.
class PicoWire : public Buffers {
 public:
  void setTimeout(std::uint32_t ms, bool reset) {
    limit_ms = ms;
    resets = reset;
  }
  bool getTimeoutFlag() { return has_timed_out_; }
  void clearTimeoutFlag() { has_timed_out_ = false; }
  void beginTransmission(std::uint8_t address) {
    address_ = address;
    out_.clear();
  }
  std::uint8_t endTransmission(bool stop) {
    if (!is_running) return 4;
    if (out_.empty()) return bus.is_data_low || address_ != bus.device ? 2 : 0;
    const Wired result = write_bytes(address_, out_, stop);
    has_timed_out_ = has_timed_out_ || result == Wired::late;
    return result == Wired::late ? 5 : result == Wired::done ? 0 : 4;
  }
  std::size_t requestFrom(std::uint8_t address, std::size_t size, bool) {
    if (!is_running || size == 0 || size > capacity) return 0;
    at_ = 0;
    const Wired result = read_bytes(address, size, in_);
    has_timed_out_ = has_timed_out_ || result == Wired::late;
    return in_.size();
  }
  std::uint32_t limit_ms = 0;
  bool resets = false;

 private:
  bool has_timed_out_ = false;
};

// As libraries/Wire/src/Wire.cpp of arduino-esp32 (version 3): a write without a stop waits for requestFrom(), which
// returns 0 after each error.
class Esp32Wire : public Buffers {
 public:
  void setTimeOut(std::uint16_t ms) { limit_ms = ms; }
  void beginTransmission(std::uint8_t address) {
    address_ = address;
    is_waiting_ = false;
    out_.clear();
  }
  std::uint8_t endTransmission(bool stop) {
    if (!stop) return is_waiting_ = true, 0;
    switch (write_bytes(address_, out_, true)) {
      case Wired::done: return 0;
      case Wired::no_device:
      case Wired::refused: return 2;
      case Wired::late: return 5;
      default: return 4;
    }
  }
  std::size_t requestFrom(std::uint8_t address, std::size_t size, bool) {
    at_ = 0;
    in_.clear();
    if (std::exchange(is_waiting_, false) && write_bytes(address, out_, false) != Wired::done) return 0;
    static_cast<void>(read_bytes(address, size, in_));
    return in_.size();
  }
  std::uint16_t limit_ms = 0;

 private:
  bool is_waiting_ = false;
};

// As Wire.cpp of ArduinoCore-avr (1.8.6), with the errors of its twi_writeTo(), and a limit in microseconds.
class ClassicWire : public Buffers {
 public:
  void setWireTimeout(std::uint32_t us, bool) { limit_us = us; }
  bool getWireTimeoutFlag() { return has_timed_out_; }
  void clearWireTimeoutFlag() { has_timed_out_ = false; }
  void beginTransmission(std::uint8_t address) {
    address_ = address;
    out_.clear();
  }
  std::uint8_t endTransmission(bool stop) {
    if (out_.size() > 32) return 1;
    switch (write_bytes(address_, out_, stop)) {
      case Wired::done: return 0;
      case Wired::no_device: return 2;
      case Wired::refused: return 3;
      case Wired::late: has_timed_out_ = true; return 5;
      default: return 4;
    }
  }
  std::uint8_t requestFrom(std::uint8_t address, std::size_t size, bool) {
    at_ = 0;
    has_timed_out_ = read_bytes(address, size, in_) == Wired::late;
    return static_cast<std::uint8_t>(in_.size());
  }
  std::uint32_t limit_us = 0;

 private:
  bool has_timed_out_ = false;
};

class ArduinoWire : public testing::Test {
 protected:
  ArduinoWire() {
    bus = {};
    test::board = {};
    test::board.on_mode = [](int pin, int mode) {
      if (pin != clock_pin) return;
      const bool falls = mode == OUTPUT && !bus.is_clock_driven;
      bus.is_clock_driven = mode == OUTPUT;
      if (falls && ++bus.pulses == bus.pulses_to_release) bus.is_data_low = false;
    };
    test::board.level = [](int pin) { return pin == data_pin && bus.is_data_low ? LOW : HIGH; };
  }
  ~ArduinoWire() override { test::board = {}; }

  static constexpr std::uint8_t two[] = {0x05, 0x11};
  std::uint8_t in_[2] = {};
};

TEST_F(ArduinoWire, WritesAndReadsWithARepeatedStart) {
  PicoWire wire;
  mcp::arduino::WireBus i2c{wire, {.most_bytes = 256, .limit_ms = 10}};
  EXPECT_EQ(i2c.transfer(0x48, two, in_), BusError::none);
  EXPECT_EQ(bus.log, "W48 05 11S R48P ");
  EXPECT_EQ(in_[1], 0xA1);
  EXPECT_EQ(wire.limit_ms, 10U);
  EXPECT_TRUE(wire.resets);
  EXPECT_EQ(i2c.most_bytes(), 256U);
  EXPECT_EQ(i2c.limit_ms(), 30U);
  bus.log.clear();
  EXPECT_EQ(i2c.write(0x48, two), BusError::none);
  EXPECT_EQ(i2c.probe(0x48), BusError::none);
  EXPECT_EQ(bus.log, "W48 05 11P R48P ");
}

TEST_F(ArduinoWire, AddsTheTimeOfTheBytesToTheLimit) {
  PicoWire wire;
  mcp::arduino::WireBus i2c{wire, {.most_bytes = 256, .limit_ms = 10}};
  const std::array<std::uint8_t, 220> many{};
  EXPECT_EQ(i2c.write(0x48, many), BusError::none);
  EXPECT_EQ(wire.limit_ms, 30U);
}

TEST_F(ArduinoWire, TellsTheErrorsOfRp2040Apart) {
  PicoWire wire;
  mcp::arduino::WireBus i2c{wire};
  EXPECT_EQ(i2c.write(0x50, two), BusError::no_device);
  EXPECT_EQ(i2c.read(0x50, in_), BusError::no_device);
  bus.acknowledges = 1;
  EXPECT_EQ(i2c.write(0x48, two), BusError::failed) << "the core does not report a refused byte";
  bus.acknowledges = 999;
  bus.loses_arbitration = true;
  EXPECT_EQ(i2c.read(0x48, in_), BusError::failed);
  bus.loses_arbitration = false;
  bus.is_late = true;
  EXPECT_EQ(i2c.write(0x48, two), BusError::too_late);
  EXPECT_EQ(i2c.read(0x48, in_), BusError::too_late);
  bus.is_late = false;
  EXPECT_EQ(i2c.read(0x50, in_), BusError::no_device) << "the flag of an earlier transaction is clear";
}

TEST_F(ArduinoWire, TellsTheErrorsOfEsp32Apart) {
  Esp32Wire wire;
  mcp::arduino::WireBus i2c{wire, {.limit_ms = 10}};
  EXPECT_EQ(i2c.transfer(0x48, two, in_), BusError::none);
  EXPECT_EQ(wire.limit_ms, 10U);
  EXPECT_EQ(i2c.transfer(0x50, two, in_), BusError::no_device) << "the error of the write comes with the read";
  EXPECT_EQ(i2c.write(0x50, two), BusError::no_device);
  bus.loses_arbitration = true;
  EXPECT_EQ(i2c.transfer(0x48, two, in_), BusError::failed);
  bus.loses_arbitration = false;
  bus.is_late = true;
  EXPECT_EQ(i2c.transfer(0x48, two, in_), BusError::too_late);
  EXPECT_EQ(i2c.write(0x48, two), BusError::too_late);
}

TEST_F(ArduinoWire, TellsTheErrorsOfAClassicWireApart) {
  ClassicWire wire;
  mcp::arduino::WireBus i2c{wire, {.most_bytes = 64, .limit_ms = 10}};
  EXPECT_EQ(i2c.transfer(0x48, two, in_), BusError::none);
  EXPECT_EQ(wire.limit_us, 10'000U);
  EXPECT_EQ(i2c.write(0x50, two), BusError::no_device);
  bus.acknowledges = 1;
  EXPECT_EQ(i2c.write(0x48, two), BusError::data_refused);
  bus.acknowledges = 999;
  bus.is_late = true;
  EXPECT_EQ(i2c.write(0x48, two), BusError::too_late);
  EXPECT_EQ(i2c.read(0x48, in_), BusError::too_late);
  bus.is_late = false;
  const std::array<std::uint8_t, 40> many{};
  EXPECT_EQ(i2c.write(0x48, many), BusError::too_long);
}

TEST_F(ArduinoWire, ReportsMoreBytesThanTheBufferHolds) {
  PicoWire wire;
  wire.capacity = 32;
  mcp::arduino::WireBus i2c{wire, {.most_bytes = 64}};
  const std::array<std::uint8_t, 40> many{};
  EXPECT_EQ(i2c.write(0x48, many), BusError::too_long);
}

TEST_F(ArduinoWire, RecoversWithItsPins) {
  PicoWire wire;
  mcp::arduino::WireBus i2c{wire, {.data_pin = data_pin, .clock_pin = clock_pin}};
  bus.is_data_low = true;
  bus.pulses_to_release = 4;
  EXPECT_EQ(i2c.transfer(0x48, two, in_), BusError::none);
  EXPECT_EQ(bus.pulses, 5) << "four, and the one of the stop";
  EXPECT_TRUE(wire.is_running);
}

TEST_F(ArduinoWire, ReportsADataLineThatStaysLow) {
  PicoWire wire;
  mcp::arduino::WireBus i2c{wire, {.data_pin = data_pin, .clock_pin = clock_pin}};
  bus.is_data_low = true;
  EXPECT_EQ(i2c.write(0x48, two), BusError::stuck);
  EXPECT_EQ(bus.pulses, 10) << "nine, and the one of the stop";
  EXPECT_TRUE(wire.is_running);
  mcp::arduino::WireBus without{wire};
  EXPECT_EQ(without.write(0x48, two), BusError::too_late) << "the bus does not know its pins";
  EXPECT_FALSE(without.recover());
}

}  // namespace
