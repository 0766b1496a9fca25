// SPDX-License-Identifier: Apache-2.0
// The pins of the LM3S6965 against an imitation of its GPIO ports, by the data sheet: a write to the data register
// changes outputs only, and a pin without digital enable drives nothing.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>

#include "mcp/ports/lm3s6965evb.hpp"
#include "registers.hpp"

namespace {

using mcp::PinError;
using mcp::PinPull;

constexpr std::uint32_t rcgc2 = 0x400F'E108;
constexpr std::uint32_t port_a = 0x4000'4000;
constexpr std::uint32_t port_d = 0x4000'7000;
constexpr std::uint32_t port_f = 0x4002'5000;
constexpr std::uint8_t pf1 = 41;

struct Chip {
  std::map<std::uint32_t, std::uint32_t> registers;
  std::uint32_t wires = 0;  // of inputs
  std::string log;          // levels that PF1 drives, z for none
};
Chip chip;

std::uint32_t gate_of(std::uint32_t address) {
  const std::uint32_t port = (address >= 0x4002'4000 ? 4 : 0) + (address >> 12 & 7) - 4;
  return 1U << port;
}

void follow_pf1() {
  const bool is_driven = (chip.registers[port_f + 0x400] & chip.registers[port_f + 0x51C] & 2) != 0;
  const char level = !is_driven ? 'z' : (chip.registers[port_f] & 2) != 0 ? '1' : '0';
  if (chip.log.empty() || chip.log.back() != level) chip.log += level;
}

std::uint32_t read(std::uint32_t address) {
  if (address == rcgc2) return chip.registers[rcgc2];
  EXPECT_NE(chip.registers[rcgc2] & gate_of(address), 0U) << "the port has no clock";
  const std::uint32_t offset = address & 0xFFF;
  const std::uint32_t port = address - offset;
  if (offset >= 0x400) return chip.registers[address];
  const std::uint32_t outputs = chip.registers[port + 0x400];
  return ((chip.registers[port] & outputs) | (chip.wires & ~outputs)) & offset >> 2;
}

void write(std::uint32_t address, std::uint32_t value) {
  const std::uint32_t offset = address & 0xFFF;
  const std::uint32_t port = address - offset;
  if (address != rcgc2 && offset < 0x400) {
    const std::uint32_t mask = offset >> 2 & chip.registers[port + 0x400];
    chip.registers[port] = (chip.registers[port] & ~mask) | (value & mask);
  } else {
    chip.registers[address] = value;
  }
  follow_pf1();
}

class Lm3s6965Pins : public testing::Test {
 protected:
  Lm3s6965Pins() {
    chip = {};
    imitate({.read = read, .write = write, .wake = {}});
  }
  bool is_high_ = false;
};

TEST_F(Lm3s6965Pins, ReadsInputsWithTheirPulls) {
  EXPECT_EQ(board::pins().input(pf1, PinPull::up), PinError::none);
  EXPECT_EQ(chip.registers[port_f + 0x510], 2U);
  EXPECT_EQ(chip.registers[port_f + 0x514], 0U);
  EXPECT_EQ(chip.registers[port_f + 0x51C], 2U);
  EXPECT_EQ(board::pins().input(pf1, PinPull::down), PinError::none);
  EXPECT_EQ(chip.registers[port_f + 0x510], 0U);
  EXPECT_EQ(chip.registers[port_f + 0x514], 2U);
  EXPECT_EQ(board::pins().input(pf1), PinError::none);
  EXPECT_EQ(chip.registers[port_f + 0x514], 0U);
  EXPECT_EQ(board::pins().level(pf1, is_high_), PinError::none);
  EXPECT_FALSE(is_high_);
  chip.wires = 2;
  EXPECT_EQ(board::pins().level(pf1, is_high_), PinError::none);
  EXPECT_TRUE(is_high_);
  EXPECT_EQ(board::pins().level(pf1 - 1, is_high_), PinError::failed) << "the pin is off";
}

TEST_F(Lm3s6965Pins, MakesAnOutputWithoutAPulse) {
  EXPECT_EQ(board::pins().input(pf1, PinPull::up), PinError::none);
  chip.log.clear();
  EXPECT_EQ(board::pins().output(pf1, true), PinError::none);
  EXPECT_EQ(chip.log, "z1");
  EXPECT_EQ(board::pins().level(pf1, is_high_), PinError::none);
  EXPECT_TRUE(is_high_);
  EXPECT_EQ(board::pins().output(pf1, false), PinError::none);
  EXPECT_EQ(chip.log, "z10");
  EXPECT_EQ(board::pins().input(pf1), PinError::none);
  EXPECT_EQ(board::pins().output(pf1, true), PinError::none);
  EXPECT_EQ(chip.log, "z10z1");
}

TEST_F(Lm3s6965Pins, LeavesOtherPinsAlone) {
  chip.registers[port_d + 0x400] = 0xF0;
  EXPECT_EQ(board::pins().output(24, true), PinError::none);
  EXPECT_EQ(chip.registers[port_d + 0x400], 0xF1U);
  EXPECT_EQ(chip.registers[port_d], 1U);
}

TEST_F(Lm3s6965Pins, AreBusyWithAnAlternateFunction) {
  chip.registers[port_a + 0x420] = 3;
  EXPECT_EQ(board::pins().input(1), PinError::busy);
  EXPECT_EQ(board::pins().output(1, true), PinError::busy);
  EXPECT_EQ(board::pins().level(1, is_high_), PinError::busy);
  EXPECT_EQ(board::pins().input(2), PinError::none);
}

TEST_F(Lm3s6965Pins, ExistOnlyWhereTheChipHasThem) {
  for (const std::uint8_t last : std::initializer_list<std::uint8_t>{31, 35, 43, 49})
    EXPECT_EQ(board::pins().input(last), PinError::none) << int{last};
  for (const std::uint8_t none : std::initializer_list<std::uint8_t>{36, 39, 44, 47, 50, 56, 255}) {
    EXPECT_EQ(board::pins().input(none), PinError::no_pin) << int{none};
    EXPECT_EQ(board::pins().output(none, true), PinError::no_pin) << int{none};
    EXPECT_EQ(board::pins().level(none, is_high_), PinError::no_pin) << int{none};
  }
}

}  // namespace
