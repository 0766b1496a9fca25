// SPDX-License-Identifier: Apache-2.0
// UartStream with a driver whose registers are variables.
#include <gtest/gtest.h>

#include <cstdint>
#include <mcp/ports/uart_stream.hpp>
#include <span>
#include <string>
#include <string_view>

namespace {

int locks;
int write_locks;

struct Lock {
  Lock() { ++locks; }
  ~Lock() { --locks; }
};
struct WriteLock {
  WriteLock() { ++write_locks; }
  ~WriteLock() { --write_locks; }
};

// Its ring knows whether interrupts are off.
class Receiver {
 public:
  template <class Next>
  bool fill(Next next) {
    return received_.fill(next);
  }
  void count_error() { received_.count_error(); }
  std::size_t pop(std::span<char> into) { return received_.pop(into); }
  void wipe() {
    EXPECT_EQ(locks, 1);
    received_.wipe();
  }
  [[nodiscard]] std::uint32_t errors() const {
    EXPECT_EQ(locks, 1);
    return received_.errors();
  }

 private:
  board::UartReceiver<4> received_;
};

struct Registers {
  std::string wire;  // bytes that have arrived; '?' is a damaged one
  std::string sent;
  unsigned space = 0;
  unsigned looks = 0;
  unsigned receive_interrupts = 0;
  unsigned transmit_interrupts = 0;
};

class Uart final : public board::UartStream<Uart, Lock> {
 public:
  // Returns whether a reader of lines has a reason to read.
  bool handle() {
    return received.fill([this](char& byte) {
      if (registers.wire.empty()) return false;
      if (registers.wire.front() == '?') {
        received.count_error();
      } else {
        byte = registers.wire.front();
      }
      registers.wire.erase(0, 1);
      return true;
    });
  }
  auto& receiver() { return received; }
  [[nodiscard]] const auto& receiver() const { return received; }
  bool is_free() { return ++registers.looks > 3 || registers.space != 0; }
  bool has_space() const { return registers.space != 0; }
  void send(char byte) {
    registers.sent.push_back(byte);
    if (registers.space != 0) --registers.space;
  }
  void enable_receive_interrupt() { ++registers.receive_interrupts; }
  void enable_transmit_interrupt() { ++registers.transmit_interrupts; }

  Registers registers;
  Receiver received;
};

// Without has_space().
class LockedUart final : public board::UartStream<LockedUart, Lock, WriteLock> {
 public:
  auto& receiver() { return received; }
  static bool is_free() { return write_locks == 1; }
  void send(char byte) { sent.push_back(byte); }
  static void enable_receive_interrupt() {}
  static void enable_transmit_interrupt() {}

  std::string sent;
  board::UartReceiver<2> received;
};

TEST(UartStream, ReadsWhatTheInterruptHasTaken) {
  Uart uart;
  char into[8];
  EXPECT_EQ(uart.read(into).status, mcp::IoStatus::would_block);
  EXPECT_EQ(uart.registers.receive_interrupts, 0U);
  uart.registers.wire = "a";
  EXPECT_FALSE(uart.handle());
  uart.registers.wire = "b";
  EXPECT_TRUE(uart.handle()) << "half of the ring";
  uart.registers.wire = "?\nxy";
  EXPECT_TRUE(uart.handle());
  EXPECT_EQ(uart.registers.wire, "xy") << "the ring is full";
  EXPECT_EQ(uart.read(into).size, 4U);
  EXPECT_EQ(std::string_view(into, 4), "ab\xFF\n");
  EXPECT_EQ(uart.registers.receive_interrupts, 1U);
  EXPECT_EQ(uart.errors(), 1U);
}

TEST(UartStream, WritesWhileTheTransmitterHasSpace) {
  Uart uart;
  uart.registers.space = 3;
  EXPECT_EQ(uart.write(std::string_view("ab")).size, 2U);
  EXPECT_EQ(uart.registers.transmit_interrupts, 0U);
  EXPECT_EQ(uart.write(std::string_view("cd")).size, 1U);
  EXPECT_EQ(uart.registers.transmit_interrupts, 1U);
  EXPECT_EQ(uart.write(std::string_view("d")).status, mcp::IoStatus::would_block);
  EXPECT_EQ(uart.registers.transmit_interrupts, 2U);
  EXPECT_EQ(uart.registers.sent, "abc");
}

TEST(UartStream, WritesWithInterruptsOffIfTheDriverSaysSo) {
  LockedUart uart;
  EXPECT_EQ(uart.write(std::string_view("ab")).size, 2U);
  EXPECT_EQ(uart.sent, "ab");
  EXPECT_EQ(write_locks, 0);
}

TEST(UartStream, PolledWriteLooksOnlySoManyTimes) {
  Uart uart;
  uart.write_polled('a', 2);
  EXPECT_EQ(uart.registers.looks, 2U);
  uart.write_polled('b', 9);
  EXPECT_EQ(uart.registers.looks, 4U);
  EXPECT_EQ(uart.registers.sent, "ab");
}

TEST(UartStream, WipeOverwritesWhatWasRead) {
  Uart uart;
  uart.registers.wire = "key";
  uart.handle();
  char into[4];
  EXPECT_EQ(uart.read(into).size, 3U);
  uart.wipe();
  const std::string_view memory(reinterpret_cast<const char*>(&uart.received), sizeof uart.received);
  EXPECT_EQ(memory.find("key"), std::string_view::npos);
  EXPECT_EQ(locks, 0);
}

}  // namespace
