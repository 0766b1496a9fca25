// SPDX-License-Identifier: Apache-2.0
// I2C0 of the LM3S6965 against an imitation of its registers, by the data sheet, and as QEMU has them
// (stellaris_i2c_write() of hw/arm/stellaris.c).
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mcp/ports/lm3s6965evb.hpp"
#include "registers.hpp"
#include "support/hex.hpp"
#include "support/i2c_lines.hpp"

namespace {

using mcp::BusError;
using test::hex;

constexpr std::uint32_t msa = 0x4002'0000;
constexpr std::uint32_t mcs = 0x4002'0004;
constexpr std::uint32_t mdr = 0x4002'0008;
constexpr std::uint32_t mcr = 0x4002'0020;
constexpr std::uint32_t rcgc1 = 0x400F'E104;
constexpr std::uint32_t srcr1 = 0x400F'E044;
constexpr std::uint32_t i2c0_gate = 1 << 12;
constexpr std::uint32_t gpio_b = 0x4000'5000;
constexpr std::uint32_t gpio_b_dir = gpio_b + 0x400;
constexpr std::uint32_t gpio_b_afsel = gpio_b + 0x420;
constexpr std::uint32_t clock_line = 1 << 2;
constexpr std::uint32_t data_line = 1 << 3;

constexpr std::uint32_t busy = 1 << 0;
constexpr std::uint32_t error = 1 << 1;
constexpr std::uint32_t address_refused = 1 << 2;
constexpr std::uint32_t data_refused = 1 << 3;
constexpr std::uint32_t lost = 1 << 4;
constexpr std::uint32_t taken = 1 << 6;

constexpr std::uint8_t sensor = 0x48;

struct Chip {
  bool is_emulated = false;
  std::map<std::uint32_t, std::uint32_t> registers;
  std::uint32_t status = 0;
  mcp::Millis now_ms = 0;

  std::string log;                  // S and address, bytes, P, as in "S90 05 P"
  std::vector<std::uint8_t> reply;  // of the sensor
  std::size_t sent = 0;             // bytes of the reply
  std::size_t taken_bytes = 0;      // bytes that the sensor acknowledged
  std::size_t most_bytes = 99;      // bytes that the sensor acknowledges
  int holds_clock_at = -1;          // the step that does not end, and how many steps there were
  int steps = 0;
  bool takes_time = false;  // 90 us for each step
  bool was_busy = false;    // in this step
  int loses_at = -1;        // the step that loses the arbitration
  test::I2cLines lines;
};
Chip chip;

std::uint32_t levels() {
  return ~((chip.lines.is_data_high() ? 0 : data_line) | (chip.lines.is_clock_high() ? 0 : clock_line));
}

void follow_pins() {
  const std::uint32_t low = chip.registers[gpio_b_dir] & ~chip.registers[gpio_b_afsel] & ~chip.registers[gpio_b];
  chip.lines.pull_clock((low & clock_line) != 0);
  chip.lines.pull_data((low & data_line) != 0);
}

void stop() {
  chip.log += "P ";
  chip.status &= ~taken;
}

// One byte: written from the data register, or read into it. Returns whether the sensor acknowledges it.
bool transfer_byte(std::uint32_t control) {
  const bool is_read = (chip.registers[msa] & 1) != 0;
  if (is_read) {
    chip.registers[mdr] = chip.sent < chip.reply.size() ? chip.reply[chip.sent] : 0xFF;
    ++chip.sent;
    EXPECT_NE((control & 8) != 0, (control & 4) != 0) << "the last byte, and only this one, is not acknowledged";
  } else if (++chip.taken_bytes > chip.most_bytes) {
    return false;
  }
  chip.log += hex(chip.registers[mdr]) + " ";
  return true;
}

void emulate(std::uint32_t control) {
  if ((control & 2) != 0 && (chip.status & taken) == 0) {
    const bool is_there = chip.registers[msa] >> 1 == sensor;
    chip.log += "S" + hex(chip.registers[msa]) + " ";
    chip.status = is_there ? (chip.status & ~lost) | taken : chip.status | lost;
  }
  if ((chip.status & taken) == 0) {
    chip.status |= error;
    return;
  }
  chip.status &= ~error;
  if ((control & 1) != 0) static_cast<void>(transfer_byte(control));
  if ((control & 4) != 0) stop();
}

void step(std::uint32_t control) {
  EXPECT_EQ(chip.status & busy, 0U) << "the controller is busy";
  EXPECT_EQ(chip.registers[mcr], 0x10U);
  EXPECT_EQ(chip.registers[gpio_b_afsel], clock_line | data_line);
  if (chip.is_emulated) return emulate(control);
  chip.status &= taken;
  if ((control & 1) == 0) return stop();
  const int number = chip.steps++;
  if (number == chip.holds_clock_at || chip.lines.holds_clock) {
    chip.status |= busy;
    return;
  }
  if ((control & 2) != 0) {
    chip.log += "S" + hex(chip.registers[msa]) + " ";
    chip.status |= taken;
  }
  if (number == chip.loses_at || chip.lines.holds_data) {
    chip.status |= error | lost;
    return;
  }
  if (chip.registers[msa] >> 1 != sensor) {
    chip.status |= error | address_refused;
  } else if (!transfer_byte(control)) {
    chip.status |= error | data_refused;
  }
  if ((control & 4) != 0) stop();
}

std::uint32_t read(std::uint32_t address) {
  if (address == mcs) {
    EXPECT_NE(chip.registers[rcgc1] & i2c0_gate, 0U);
    if ((chip.status & busy) != 0) ++chip.now_ms;
    if (chip.takes_time && !std::exchange(chip.was_busy, true)) {
      if (chip.steps % 11 == 0) ++chip.now_ms;
      return busy;
    }
    return chip.status;
  }
  // The emulator connects nothing to the lines, which are then low.
  if (address > gpio_b && address < gpio_b_dir) return chip.is_emulated ? 0 : levels() & (address - gpio_b) >> 2;
  return chip.registers[address];
}

void write(std::uint32_t address, std::uint32_t value) {
  if (address == mcs) {
    chip.was_busy = false;
    return step(value);
  }
  if (address > gpio_b && address < gpio_b_dir) {
    const std::uint32_t mask = (address - gpio_b) >> 2 & chip.registers[gpio_b_dir];
    chip.registers[gpio_b] = (chip.registers[gpio_b] & ~mask) | (value & mask);
  } else {
    chip.registers[address] = value;
  }
  if (address == srcr1 && value != 0) chip.status = 0;
  if (address >= gpio_b && address < gpio_b + 0x1000) follow_pins();
}

class Lm3s6965I2c : public testing::Test {
 protected:
  Lm3s6965I2c() {
    chip = {};
    imitate({.read = read, .write = write, .wake_from_isr = {}, .millis = [] { return chip.now_ms; }, .micros = {}});
  }

  static constexpr std::uint8_t one[] = {0x01};
  static constexpr std::uint8_t three[] = {0x01, 0x02, 0x03};
  std::uint8_t in_[2] = {};
};

TEST_F(Lm3s6965I2c, WritesThenReads) {
  chip.reply = {0x19, 0x80};
  EXPECT_EQ(board::i2c0().transfer(sensor, one, in_), BusError::none);
  EXPECT_EQ(chip.log, "S90 01 P S91 19 80 P ");
  EXPECT_EQ(in_[0], 0x19);
  EXPECT_EQ(in_[1], 0x80);
  EXPECT_TRUE(board::i2c0().stops_between());
}

TEST_F(Lm3s6965I2c, WritesAndReadsAlone) {
  EXPECT_EQ(board::i2c0().write(sensor, three), BusError::none);
  EXPECT_EQ(chip.log, "S90 01 02 03 P ");
  chip.log.clear();
  chip.reply = {7};
  EXPECT_EQ(board::i2c0().probe(sensor), BusError::none);
  EXPECT_EQ(chip.log, "S91 07 P ");
}

TEST_F(Lm3s6965I2c, SwitchesTheControllerOnAgainAfterAReset) {
  EXPECT_EQ(board::i2c0().write(sensor, one), BusError::none);
  chip = {};
  EXPECT_EQ(board::i2c0().write(sensor, one), BusError::none);
  EXPECT_EQ(chip.registers[0x4002'000C], 24U) << "100 kHz";
}

TEST_F(Lm3s6965I2c, ReportsAMissingDevice) {
  EXPECT_EQ(board::i2c0().write(0x50, three), BusError::no_device);
  EXPECT_EQ(chip.log, "Sa0 P ") << "the controller frees the bus";
  EXPECT_EQ(board::i2c0().read(0x50, in_), BusError::no_device);
  EXPECT_EQ(board::i2c0().write(0x50, one), BusError::no_device);
  EXPECT_EQ(board::i2c0().write(sensor, one), BusError::none);
}

TEST_F(Lm3s6965I2c, ReportsAByteThatTheDeviceRefuses) {
  chip.most_bytes = 1;
  EXPECT_EQ(board::i2c0().write(sensor, three), BusError::data_refused);
  EXPECT_EQ(chip.log, "S90 01 P ");
  chip.taken_bytes = 0;
  chip.most_bytes = 2;
  EXPECT_EQ(board::i2c0().write(sensor, three), BusError::data_refused) << "the last byte";
}

TEST_F(Lm3s6965I2c, ReportsALostArbitration) {
  chip.loses_at = 1;
  EXPECT_EQ(board::i2c0().write(sensor, three), BusError::arbitration_lost);
  EXPECT_EQ(chip.log, "S90 01 ") << "the bus belongs to another controller";
}

TEST_F(Lm3s6965I2c, EndsATransactionWhoseClockADeviceHolds) {
  chip.holds_clock_at = 1;
  EXPECT_EQ(board::i2c0().write(sensor, three), BusError::too_late);
  EXPECT_GE(chip.now_ms, 4U);
  EXPECT_LE(chip.now_ms, board::i2c0().limit_ms());
  EXPECT_EQ(board::i2c0().write(sensor, one), BusError::none) << "the next transaction works";
}

TEST_F(Lm3s6965I2c, LimitsTheTimeOfAllBytesTogether) {
  std::array<std::uint8_t, 1000> many{};
  chip.most_bytes = many.size();
  chip.holds_clock_at = 999;
  EXPECT_EQ(board::i2c0().write(sensor, many), BusError::too_late);
  EXPECT_LE(chip.now_ms, 91U + board::i2c0().limit_ms());
}

TEST_F(Lm3s6965I2c, GivesALongTransactionTheTimeOfItsBytes) {
  std::array<std::uint8_t, 1000> many{};
  chip.most_bytes = many.size();
  chip.takes_time = true;
  EXPECT_EQ(board::i2c0().write(sensor, many), BusError::none);
  EXPECT_EQ(chip.now_ms, 90U);
}

TEST_F(Lm3s6965I2c, RecoversFromADeviceThatHoldsTheDataLine) {
  chip.lines.holds_data = true;
  chip.lines.pulses_to_release = 4;
  chip.reply = {0x19, 0x80};
  EXPECT_EQ(board::i2c0().transfer(sensor, one, in_), BusError::none);
  EXPECT_EQ(chip.lines.pulses, 5) << "four, and the one of the stop";
  EXPECT_EQ(chip.lines.stops, 1);
  EXPECT_EQ(in_[0], 0x19);
}

TEST_F(Lm3s6965I2c, ReportsADataLineThatStaysLow) {
  chip.lines.holds_data = true;
  EXPECT_EQ(board::i2c0().transfer(sensor, one, in_), BusError::stuck);
  EXPECT_EQ(chip.lines.pulses, 10) << "nine, and the one of the stop";
  chip.lines.holds_data = false;
  EXPECT_TRUE(board::i2c0().recover());
}

TEST_F(Lm3s6965I2c, ReportsAClockLineThatStaysLow) {
  chip.lines.holds_clock = true;
  EXPECT_EQ(board::i2c0().transfer(sensor, one, in_), BusError::stuck);
  EXPECT_FALSE(board::i2c0().recover());
  EXPECT_LE(chip.now_ms, 2 * board::i2c0().limit_ms());
}

TEST_F(Lm3s6965I2c, RecoversBeforeTheFirstTransaction) {
  EXPECT_TRUE(board::i2c0().recover());
  EXPECT_EQ(board::i2c0().write(sensor, one), BusError::none);
}

TEST_F(Lm3s6965I2c, ReportsADeviceThatTheEmulatorDoesNotHave) {
  chip.is_emulated = true;
  EXPECT_EQ(board::i2c0().transfer(0x50, one, in_), BusError::no_device);
  EXPECT_EQ(board::i2c0().probe(0x50), BusError::no_device);
  chip.reply = {0x19, 0x80};
  EXPECT_EQ(board::i2c0().transfer(sensor, one, in_), BusError::none);
  EXPECT_EQ(in_[0], 0x19);
}

TEST_F(Lm3s6965I2c, RejectsWhatNoBusCanDo) {
  std::array<std::uint8_t, 0x10000> many{};
  EXPECT_EQ(board::i2c0().write(sensor, many), BusError::too_long);
  EXPECT_EQ(board::i2c0().write(sensor, {}), BusError::unsupported);
  EXPECT_EQ(board::i2c0().write(0x80, one), BusError::unsupported);
}

}  // namespace
