// SPDX-License-Identifier: Apache-2.0
// StreamPort, RandomBits, and the end of a sketch.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "arduino_fakes.hpp"

// Last: its macros have names of the standard library.
#include <mote.h>

extern "C" [[noreturn]] void stop_sketch(const char* file, int line);

namespace {

// A Stream with a script.
class FakeStream final : public Stream {
 public:
  using Print::write;
  size_t write(uint8_t byte) override { return write(&byte, 1); }
  size_t write(const uint8_t* bytes, size_t size) override {
    ++writes;
    if (fails) return static_cast<uint32_t>(-1);
    const size_t moved = size < takes ? size : takes;
    written.append(reinterpret_cast<const char*>(bytes), moved);
    return moved;
  }
  int availableForWrite() override { return space; }
  int available() override { return claimed != 0 ? claimed : static_cast<int>(received.size()); }
  int read() override {
    if (received.empty()) return -1;
    const auto byte = static_cast<unsigned char>(received.front());
    received.erase(0, 1);
    return byte;
  }
  int peek() override { return -1; }

  std::string received, written;
  int claimed = 0;  // what available() says, if not the truth
  int space = 0;
  size_t takes = 1'000;
  bool fails = false;  // as Serial_ of ArduinoCore-samd, which returns the -1 of its USB driver
  unsigned writes = 0;
};

void expect_result(mcp::IoResult result, mcp::IoStatus status, std::size_t size) {
  EXPECT_EQ(result.status, status);
  EXPECT_EQ(result.size, size);
}

TEST(Arduino, ReadsTheBytesThatAreThere) {
  FakeStream stream;
  mcp::arduino::StreamPort port{stream};
  char into[4];
  expect_result(port.read(into), mcp::IoStatus::would_block, 0);
  stream.received = "abc\xFF\x80";
  expect_result(port.read(into), mcp::IoStatus::ok, 4);
  EXPECT_EQ(std::string_view(into, 4), "abc\xFF");
  expect_result(port.read(into), mcp::IoStatus::ok, 1);
  EXPECT_EQ(into[0], '\x80');
  expect_result(port.read(into), mcp::IoStatus::would_block, 0);
}

TEST(Arduino, StopsReadingAtAByteThatIsNotThere) {
  FakeStream stream;
  mcp::arduino::StreamPort port{stream};
  stream.received = "ab";
  stream.claimed = 4;
  char into[4];
  expect_result(port.read(into), mcp::IoStatus::ok, 2);
  expect_result(port.read(into), mcp::IoStatus::would_block, 0);
}

TEST(Arduino, WritesAsMuchAsThereIsSpace) {
  FakeStream stream;
  mcp::arduino::StreamPort port{stream};
  stream.space = 3;
  expect_result(port.write(std::string_view("abcdef")), mcp::IoStatus::ok, 3);
  stream.space = 0;
  expect_result(port.write(std::string_view("def")), mcp::IoStatus::would_block, 0);
  EXPECT_EQ(stream.writes, 1U) << "a full stream would block";
  stream.space = 10;
  stream.takes = 2;
  expect_result(port.write(std::string_view("def")), mcp::IoStatus::ok, 2);
  EXPECT_EQ(stream.written, "abcde");
}

TEST(Arduino, WritesToAStreamThatDoesNotCountItsSpace) {
  FakeStream stream;
  mcp::arduino::StreamPort port{stream};
  stream.takes = 4;
  expect_result(port.write(std::string_view("abcdef")), mcp::IoStatus::ok, 4);
  stream.takes = 0;
  expect_result(port.write(std::string_view("ef")), mcp::IoStatus::would_block, 0);
  EXPECT_EQ(stream.written, "abcd");
}

TEST(Arduino, TakesAnErrorOfAWriteForNothingWritten) {
  FakeStream stream;
  mcp::arduino::StreamPort port{stream};
  stream.space = 10;
  stream.fails = true;
  expect_result(port.write(std::string_view("abc")), mcp::IoStatus::would_block, 0);
  stream.fails = false;
  expect_result(port.write(std::string_view("abc")), mcp::IoStatus::ok, 3);
}

TEST(Arduino, PollsWithTheTimeOfMillis) {
  struct {
    mcp::Millis poll(mcp::Millis now) {
      times.push_back(now);
      return 0;
    }
    std::vector<mcp::Millis> times;
  } transport;
  test::board.now_ms = 7;
  mcp::arduino::poll(transport);
  test::board.now_ms = 0xFFFF'FFFF;
  mcp::arduino::poll(transport);
  EXPECT_EQ(transport.times, (std::vector<mcp::Millis>{7, 0xFFFF'FFFF}));
}

TEST(Arduino, FillsAllBytesFromTheRandomBits) {
  static std::uint32_t count;
  count = 0;
  mcp::arduino::RandomBits random{[] { return ++count * 0x01010101; }};
  std::uint8_t into[10] = {};
  EXPECT_TRUE(random.fill(into));
  EXPECT_EQ(count, 3U);
  EXPECT_EQ(std::vector<int>(into, into + 10), (std::vector<int>{1, 1, 1, 1, 2, 2, 2, 2, 3, 3}));
}

TEST(Arduino, AFailedAssertionPrintsItsLineAndStops) {
  const auto stop = [] {
    test::board.from_serial.clear();
    test::board.delay_ends = true;
    stop_sketch("updates.cpp", 42);
  };
  EXPECT_EXIT(stop(), testing::ExitedWithCode(3), "^\r\nmote: updates.cpp:42: MCP_ASSERT failed\r\n$");
}

}  // namespace
