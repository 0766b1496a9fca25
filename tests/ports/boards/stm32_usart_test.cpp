// SPDX-License-Identifier: Apache-2.0
// The USART of an STM32 against an imitation of its registers: a data register that holds one byte.
#include "mcp/ports/stm32_usart.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "registers.hpp"

namespace {

constexpr std::uint32_t received_flag = 1 << 5;
constexpr std::uint32_t overrun_flag = 1 << 3;
constexpr std::uint32_t noise_flag = 1 << 2;
constexpr std::uint32_t transmit_flag = 1 << 7;
constexpr std::uint32_t receive_interrupt = 1 << 5;
constexpr std::uint32_t transmit_interrupt = 1 << 7;

struct Chip {
  std::uint32_t status = transmit_flag;
  std::uint32_t control = 0;
  std::uint32_t divisor = 0;
  char held = 0;
  std::string sent;
  unsigned space = 2;
  bool is_enabled = false;
  unsigned wakes = 0;
};
Chip chip;

// USART3 of an STM32F1, interrupt 39, and USART6 of an STM32F4, interrupt 71.
constexpr std::uint32_t usart3 = 0x4000'4800;

class Stm32Usart : public testing::Test {
 protected:
  Stm32Usart() {
    chip = {};
    imitate({.read = read, .write = write, .wake_from_isr = [] { ++chip.wakes; }, .millis = {}, .micros = {}});
    usart.begin(313);
  }

  static std::uint32_t read(std::uint32_t address) {
    switch (address - usart3) {
      case 0: return chip.status;
      case 4: chip.status &= ~(received_flag | overrun_flag | noise_flag); return static_cast<unsigned char>(chip.held);
      case 0xC: return chip.control;
      default: ADD_FAILURE() << std::hex << address; return 0;
    }
  }

  static void write(std::uint32_t address, std::uint32_t value) {
    switch (address) {
      case usart3 + 4:
        chip.sent.push_back(static_cast<char>(value));
        if (--chip.space == 0) chip.status &= ~transmit_flag;
        break;
      case usart3 + 8: chip.divisor = value; break;
      case usart3 + 0xC: chip.control = value; break;
      case 0xE000'E104:
        EXPECT_EQ(value, 1U << 7);
        chip.is_enabled = true;
        break;
      case 0xE000'E184:
        EXPECT_EQ(value, 1U << 7);
        chip.is_enabled = false;
        break;
      default: ADD_FAILURE() << std::hex << address;
    }
  }

  // A byte arrives. If the one before was not read, it is lost.
  void receive(char byte, std::uint32_t errors = 0) {
    if ((chip.status & received_flag) != 0) {
      chip.status |= overrun_flag;
    } else {
      chip.held = byte;
      chip.status |= received_flag | errors;
    }
    run();
  }
  void run() {
    if (chip.is_enabled && (chip.control & receive_interrupt) != 0 &&
        (chip.status & (received_flag | overrun_flag)) != 0)
      usart.handle();
    if (chip.is_enabled && (chip.control & chip.status & transmit_interrupt) != 0) usart.handle();
  }
  std::string read_all() {
    std::string all;
    char part[3];
    for (mcp::IoResult result = usart.read(part); result.status == mcp::IoStatus::ok; result = usart.read(part)) {
      all.append(part, result.size);
      run();
    }
    return all;
  }

  board::Stm32Usart<usart3, 39, 4> usart;
};

TEST_F(Stm32Usart, ReceivesBytesInOrder) {
  EXPECT_TRUE(usart.is_on());
  EXPECT_EQ(chip.divisor, 313U);
  for (const char byte : std::string_view("abc\n")) receive(byte);
  EXPECT_EQ(chip.wakes, 4U);
  EXPECT_EQ(read_all(), "abc\n");
  EXPECT_EQ(read_all(), "");
  EXPECT_EQ(usart.errors(), 0U);
}

TEST_F(Stm32Usart, WakesAReaderOfLinesAtTheirEndAndWhenTheRingIsHalfFull) {
  usart.read_lines();
  receive('a');
  EXPECT_EQ(chip.wakes, 0U);
  receive('b');
  EXPECT_EQ(chip.wakes, 1U);
  EXPECT_EQ(read_all(), "ab");
  receive('\n');
  EXPECT_EQ(chip.wakes, 2U);
  EXPECT_EQ(read_all(), "\n");
}

TEST_F(Stm32Usart, LosesNothingWhileTheRingIsFullAndOneByteWaits) {
  for (const char byte : std::string_view("abcde")) receive(byte);
  EXPECT_EQ(chip.control & receive_interrupt, 0U);
  EXPECT_FALSE(chip.is_enabled);
  EXPECT_EQ(read_all(), "abcde");
  EXPECT_TRUE(chip.is_enabled);
  EXPECT_EQ(usart.errors(), 0U);
}

TEST_F(Stm32Usart, MarksLostBytesWhereTheyAreMissing) {
  for (const char byte : std::string_view("abcdefgh")) receive(byte);
  const std::string first = read_all();
  receive('\n');
  EXPECT_EQ(first + read_all(), "abcde\xFF\n");
  EXPECT_EQ(usart.errors(), 1U);
}

TEST_F(Stm32Usart, ReplacesADamagedByte) {
  receive('a');
  receive('b', noise_flag);
  receive('\n');
  EXPECT_EQ(read_all(), "a\xFF\n");
  EXPECT_EQ(usart.errors(), 1U);
}

TEST_F(Stm32Usart, WakesWhenTheTransmitterHasSpaceAgain) {
  EXPECT_EQ(usart.write(std::string_view("abcd")).size, 2U);
  EXPECT_EQ(usart.write(std::string_view("cd")).status, mcp::IoStatus::would_block);
  EXPECT_NE(chip.control & transmit_interrupt, 0U);
  run();
  EXPECT_EQ(chip.wakes, 0U);
  chip.space = 2;
  chip.status |= transmit_flag;
  run();
  EXPECT_EQ(chip.wakes, 1U);
  EXPECT_EQ(chip.control & transmit_interrupt, 0U);
  EXPECT_EQ(usart.write(std::string_view("cd")).size, 2U);
  EXPECT_EQ(chip.sent, "abcd");
}

TEST_F(Stm32Usart, PolledWriteEndsAlsoIfTheTransmitterStandsStill) {
  usart.write_polled('a');
  usart.write_polled('b');
  EXPECT_EQ(chip.sent, "ab");
  chip.space = 9;
  usart.write_polled('c');
  EXPECT_EQ(chip.sent, "abc");
}

TEST_F(Stm32Usart, WipeOverwritesWhatWasRead) {
  for (const char byte : std::string_view("key\n")) receive(byte);
  EXPECT_EQ(read_all(), "key\n");
  usart.wipe();
  const std::string_view memory(reinterpret_cast<const char*>(&usart), sizeof usart);
  EXPECT_EQ(memory.find("key"), std::string_view::npos);
}

}  // namespace
