// SPDX-License-Identifier: Apache-2.0
// StreamPort at a port on USB that a program on the PC opens and closes.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "arduino_fakes.hpp"

// Last: its macros have names of the standard library.
#include <mote.h>

namespace {

// The USB of arduino-pico, stm32duino and Renesas. While it is closed, it has space and takes nothing, and its bytes
// stay for the next program. Sources: SerialUSB.cpp of arduino-pico and of ArduinoCore-renesas, USBSerial.cpp of
// Arduino_Core_STM32.
class FakeUsb : public Stream {
 public:
  static constexpr size_t buffer_size = 8;
  using Print::write;
  size_t write(uint8_t byte) override { return write(&byte, 1); }
  size_t write(const uint8_t* bytes, size_t size) override {
    if (!is_open) return 0;
    EXPECT_LE(size, buffer_size - buffer.size()) << "this write blocks";
    buffer.append(reinterpret_cast<const char*>(bytes), size);
    return size;
  }
  int availableForWrite() override { return static_cast<int>(buffer_size - buffer.size()); }
  int available() override { return 0; }
  int read() override { return -1; }
  int peek() override { return -1; }

  // What the program on the PC reads.
  std::string take() { return std::exchange(buffer, {}); }

  std::string buffer;
  bool is_open = true;
};

// Writes as a transport does, until the port blocks or has all. Returns the bytes that were not written.
std::string_view send(mcp::ByteStream& port, std::string_view text) {
  while (!text.empty()) {
    const mcp::IoResult result = port.write(text);
    if (result.status != mcp::IoStatus::ok) break;
    text.remove_prefix(result.size);
  }
  return text;
}

void begin_clock() { test::board.now_ms = 0xFFFF'FFF0; }  // the clock wraps in the tests
void wait(std::uint32_t milliseconds) { test::board.now_ms += milliseconds; }

class ArduinoUsb : public testing::Test {
 protected:
  void SetUp() override { begin_clock(); }

  FakeUsb usb;
  mcp::arduino::StreamPort port_{usb};
  mcp::ByteStream& port = port_;
};

TEST_F(ArduinoUsb, TheNextProgramReadsNoRestOfAnAnswer) {
  const std::string_view answer = "answer for one\n";
  std::string_view rest = send(port, answer);
  EXPECT_EQ(usb.take(), "answer f");
  usb.is_open = false;
  EXPECT_EQ(send(port, rest), "or one\n");
  wait(50);
  EXPECT_EQ(send(port, rest), "");
  EXPECT_EQ(send(port, "news\n"), "");
  usb.is_open = true;
  EXPECT_EQ(send(port, "two\n"), "");
  EXPECT_EQ(usb.take(), "\ntwo\n");
}

TEST_F(ArduinoUsb, ALineThatWasBegunWithoutAProgramIsDiscarded) {
  usb.is_open = false;
  EXPECT_EQ(send(port, "be"), "be");
  wait(50);
  EXPECT_EQ(send(port, "be"), "");
  usb.is_open = true;
  EXPECT_EQ(send(port, "gin\n"), "");
  EXPECT_EQ(send(port, "two\n"), "");
  EXPECT_EQ(usb.take(), "two\n") << "without a program before, no line end is needed";
}

TEST_F(ArduinoUsb, APortThatIsClosedForAMomentLosesNothing) {
  EXPECT_EQ(send(port, "one\n"), "");
  usb.is_open = false;
  EXPECT_EQ(send(port, "t\n"), "t\n");
  wait(49);
  EXPECT_EQ(send(port, "t\n"), "t\n");
  usb.is_open = true;
  EXPECT_EQ(send(port, "t\n"), "");
  EXPECT_EQ(usb.take(), "one\nt\n");
  wait(1'000);
  usb.is_open = false;
  EXPECT_EQ(send(port, "x\n"), "x\n") << "the time counts from the first refusal";
}

TEST_F(ArduinoUsb, AProgramThatReadsNothingBlocksForTwoSeconds) {
  const std::string_view answer = "answer for one\n";
  std::string_view rest = send(port, answer);
  ASSERT_EQ(rest, "or one\n");
  wait(1'999);
  EXPECT_EQ(send(port, rest), rest);
  wait(1);
  EXPECT_EQ(send(port, rest), "");
  EXPECT_EQ(send(port, "news\n"), "") << "the server continues";
  EXPECT_EQ(usb.take(), "answer f") << "the core has no function that removes it";
  EXPECT_EQ(send(port, "two\n"), "");
  EXPECT_EQ(usb.take(), "\ntwo\n");
}

TEST_F(ArduinoUsb, AProgramMayReadSlowly) {
  std::string_view rest = send(port, "12345678abcdefghABCDEFGH\n");
  std::string all;
  while (!rest.empty()) {
    EXPECT_EQ(send(port, rest), rest);
    wait(1'999);
    all += usb.take();
    rest = send(port, rest);
  }
  EXPECT_EQ(all + usb.take(), "12345678abcdefghABCDEFGH\n");
}

// The USB of ESP32-C3 and others (HWCDC). Without a reader, a full buffer loses its oldest bytes, and flush() discards
// all of them after 100 ms. Source: HWCDC.cpp of arduino-esp32.
class FakeHwCdc final : public FakeUsb {
 public:
  using FakeUsb::write;
  size_t write(const uint8_t* bytes, size_t size) override {
    if (is_connected) return FakeUsb::write(bytes, size);
    buffer.append(reinterpret_cast<const char*>(bytes), size);
    if (buffer.size() > buffer_size) buffer.erase(0, buffer.size() - buffer_size);
    return size;
  }
  void flush() override {
    if (is_connected && is_open) return;
    if (is_connected && !buffer.empty()) {
      wait(100);
      is_connected = false;
    }
    if (!is_connected) buffer.clear();
  }
  static bool isPlugged() { return true; }
  static bool isConnected() { return is_connected; }

  static inline bool is_connected = false;  // the core knows of a program
};

class ArduinoHwCdc : public testing::Test {
 protected:
  void SetUp() override {
    begin_clock();
    FakeHwCdc::is_connected = false;
  }

  FakeHwCdc usb;
  mcp::arduino::StreamPort port_{usb};
  mcp::ByteStream& port = port_;
};

TEST_F(ArduinoHwCdc, NothingIsKeptForAProgramThatComesLater) {
  EXPECT_EQ(send(port, "boot\n"), "");
  EXPECT_EQ(send(port, "12345678 "), "");
  EXPECT_EQ(usb.buffer, "");
  FakeHwCdc::is_connected = true;
  EXPECT_EQ(send(port, "end\n"), "");
  EXPECT_EQ(send(port, "one\n"), "");
  EXPECT_EQ(usb.take(), "one\n");
}

TEST_F(ArduinoHwCdc, AnAnswerThatNobodyReadsIsDiscarded) {
  char into[4];
  const auto poll = [&] { EXPECT_EQ(port.read(into).status, mcp::IoStatus::would_block); };
  FakeHwCdc::is_connected = true;
  poll();
  EXPECT_EQ(send(port, "one\n"), "");
  wait(5'000);
  poll();
  EXPECT_EQ(usb.take(), "one\n") << "the time counts from the poll that has seen it";
  poll();
  EXPECT_EQ(send(port, "two\n"), "");
  usb.is_open = false;
  poll();
  wait(1'999);
  poll();
  EXPECT_EQ(usb.buffer, "two\n");
  wait(1);
  poll();
  EXPECT_EQ(usb.buffer, "");
  FakeHwCdc::is_connected = usb.is_open = true;
  EXPECT_EQ(send(port, "three\n"), "");
  EXPECT_EQ(usb.take(), "\nthree\n");
}

TEST_F(ArduinoHwCdc, TheNextProgramReadsNothingOfTheAnswerBefore) {
  FakeHwCdc::is_connected = true;
  std::string_view rest = send(port, "answer for one\n");
  ASSERT_EQ(rest, "or one\n");
  usb.is_open = false;
  wait(10);
  EXPECT_EQ(send(port, rest), rest);
  wait(2'000);
  EXPECT_EQ(send(port, rest), "");
  EXPECT_EQ(send(port, "news\n"), "");
  EXPECT_EQ(usb.buffer, "");
  FakeHwCdc::is_connected = usb.is_open = true;
  EXPECT_EQ(send(port, "two\n"), "");
  EXPECT_EQ(usb.take(), "\ntwo\n");
}

}  // namespace
