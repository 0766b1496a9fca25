// SPDX-License-Identifier: Apache-2.0
// The UART of the micro:bit against an imitation of its registers, with the receive FIFO of 6 bytes.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "mcp/ports/microbit.hpp"
#include "ports/boards/microbit/nrf51_clock.hpp"
#include "registers.hpp"

extern "C" void uart0_handler();

namespace {

constexpr std::uint32_t uart = 0x4000'2000;
constexpr std::uint32_t received_event = uart + 0x108;
constexpr std::uint32_t error_source = uart + 0x480;
constexpr std::uint32_t receive_register = uart + 0x518;
constexpr std::uint32_t interrupts_on = uart + 0x304;
constexpr std::uint32_t interrupts_off = uart + 0x308;
constexpr std::uint32_t interrupt_received = 1 << 2;
constexpr std::uint32_t sent_event = uart + 0x11C;
constexpr std::uint32_t interrupt_sent = 1 << 7;
constexpr std::uint32_t framing = 1 << 2;

struct Chip {
  std::map<std::uint32_t, std::uint32_t> registers;
  std::string fifo;
  std::uint32_t interrupts = 0;
  unsigned wakes = 0;
};
Chip chip;

class Nrf51Uart : public testing::Test {
 protected:
  Nrf51Uart() {
    chip = {};
    imitate({.read = read, .write = write, .wake_from_isr = [] { ++chip.wakes; }, .millis = {}, .micros = {}});
    static_cast<void>(board::uart0());
    static_cast<void>(read_all());
  }

  static std::uint32_t read(std::uint32_t address) {
    if (address == interrupts_on) return chip.interrupts;
    if (address != receive_register) return chip.registers[address];
    const char byte = chip.fifo.empty() ? '?' : chip.fifo.front();
    chip.fifo.erase(0, 1);
    chip.registers[received_event] = chip.fifo.empty() ? 0 : 1;
    return static_cast<unsigned char>(byte);
  }
  static void write(std::uint32_t address, std::uint32_t value) {
    if (address == interrupts_on) {
      chip.interrupts |= value;
    } else if (address == interrupts_off) {
      chip.interrupts &= ~value;
    } else if (address == error_source) {
      chip.registers[address] &= ~value;
    } else {
      chip.registers[address] = value;
    }
  }

  // Bytes arrive while the interrupt has to wait.
  static void receive(std::string_view bytes, std::uint32_t errors = 0) {
    chip.fifo += bytes;
    chip.registers[received_event] = 1;
    chip.registers[error_source] |= errors;
  }
  static void run() {
    if ((chip.interrupts & interrupt_received) != 0 && chip.registers[received_event] != 0) uart0_handler();
  }
  static std::string read_all() {
    std::string all;
    char part[16];
    for (auto result = board::uart0().read(part); result.status == mcp::IoStatus::ok;
         result = board::uart0().read(part)) {
      all.append(part, result.size);
      run();
    }
    return all;
  }
};

TEST_F(Nrf51Uart, WakesAReaderOfLinesAtTheirEndAndOnceInHalfOfTheRing) {
  receive("a");
  run();
  EXPECT_EQ(chip.wakes, 1U);
  board::uart0().read_lines();
  chip.registers[sent_event] = 1;  // no write waits for the transmitter
  for (unsigned i = 0; i < 8; ++i) {
    receive("b");
    run();
  }
  EXPECT_EQ(chip.wakes, 2U);
  EXPECT_EQ(read_all(), "abbbbbbbb");
  receive("c\n");
  run();
  EXPECT_EQ(chip.wakes, 3U);
}

TEST_F(Nrf51Uart, WakesAWriterWhenTheTransmitterHasSpaceAgain) {
  chip.registers[sent_event] = 1;
  EXPECT_EQ(board::uart0().write(std::string_view("xy")).size, 1U);
  uart0_handler();
  EXPECT_EQ(chip.wakes, 0U);
  chip.registers[sent_event] = 1;
  uart0_handler();
  EXPECT_EQ(chip.wakes, 1U);
  EXPECT_EQ(chip.interrupts & interrupt_sent, 0U);
}

TEST_F(Nrf51Uart, LosesNothingWhileTheRingIsFull) {
  for (const std::string_view bytes : {"012345", "678901", "234567", "8\n"}) {
    receive(bytes);
    run();
  }
  EXPECT_EQ(chip.interrupts & interrupt_received, 0U);
  EXPECT_EQ(read_all(), "0123456789012345678\n");
}

// The chip does not say which byte of the FIFO is damaged.
TEST_F(Nrf51Uart, AMarkReplacesTheBytesAroundAnError) {
  const std::uint32_t errors = board::uart0_errors();
  receive("{:1");
  run();
  receive("2}\n{", framing);
  run();
  receive("}\n");
  run();
  EXPECT_EQ(read_all(), "{:1\xFF}\n");
  EXPECT_EQ(board::uart0_errors(), errors + 1);
}

TEST_F(Nrf51Uart, TheMarkWaitsForSpaceInTheRing) {
  receive("0123456789012345");
  run();
  receive("damage", framing);
  EXPECT_EQ(read_all(), "0123456789012345\xFF");
}

}  // namespace

void board::wake_soon() {}
