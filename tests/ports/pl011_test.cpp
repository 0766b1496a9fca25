// SPDX-License-Identifier: Apache-2.0
// The receive side of a PL011, with values of its data register as the manual describes them.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <mcp/ports/pl011.hpp>
#include <string>
#include <string_view>

namespace {

constexpr std::uint32_t framing = 0x100;
constexpr std::uint32_t parity = 0x200;
constexpr std::uint32_t line_break = 0x400;
constexpr std::uint32_t overrun = 0x800;

template <std::size_t capacity>
std::string pop(board::Pl011Receiver<capacity>& receiver) {
  char bytes[16];
  return {bytes, receiver.pop(bytes)};
}

std::string received(std::initializer_list<std::uint32_t> values) {
  board::Pl011Receiver<16> receiver;
  for (const std::uint32_t value : values) receiver.take(value);
  return pop(receiver);
}

TEST(Pl011, MarksADamagedByte) {
  EXPECT_EQ(received({'a', 'b' | framing, 'c' | parity, line_break | framing, 'd'}),
            "a\xFF\xFF\xFF"
            "d");
}

TEST(Pl011, MarksALossBeforeTheFirstByteAfterIt) {
  EXPECT_EQ(received({'a', 'b' | overrun, '\n' | overrun, 'c' | overrun | parity}),
            "a\xFF"
            "b\xFF\n\xFF\xFF");
}

TEST(Pl011, ReportsTheEndOfALineAndEachHalfOfTheRing) {
  board::Pl011Receiver<8> receiver;
  EXPECT_FALSE(receiver.take('a'));
  EXPECT_TRUE(receiver.take('\n'));
  EXPECT_FALSE(receiver.take('b'));
  EXPECT_TRUE(receiver.take('c'));
  EXPECT_EQ(pop(receiver), "a\nbc");
  EXPECT_TRUE(receiver.take('d' | framing));
}

TEST(Pl011, ReportsAHalfOfTheRingThatALossPasses) {
  board::Pl011Receiver<8> receiver;
  bool is_due = false;
  for (const std::uint32_t value : {'a' | 0U, 'b' | 0U, 'c' | 0U, 'd' | overrun, 'e' | 0U, 'f' | 0U}) {
    ASSERT_TRUE(receiver.has_room());
    is_due |= receiver.take(value);
  }
  EXPECT_FALSE(receiver.has_room());
  EXPECT_TRUE(is_due);
}

TEST(Pl011, CountsErrors) {
  board::Pl011Receiver<16> receiver;
  for (const std::uint32_t value : {framing, parity, parity, line_break, line_break | framing, line_break, overrun}) {
    receiver.take(value);
  }
  const board::UartErrors& errors = receiver.errors();
  EXPECT_EQ(errors.framing, 1U);
  EXPECT_EQ(errors.parity, 2U);
  EXPECT_EQ(errors.breaks, 3U);
  EXPECT_EQ(errors.overrun, 1U);
}

TEST(Pl011, HasRoomForAMarkAndAByte) {
  board::Pl011Receiver<4> receiver;
  receiver.take('a');
  receiver.take('b');
  EXPECT_TRUE(receiver.has_room());
  receiver.take('c' | overrun);
  EXPECT_FALSE(receiver.has_room());
  EXPECT_EQ(pop(receiver),
            "ab\xFF"
            "c");
  receiver.take('d');
  EXPECT_TRUE(receiver.has_room());
  receiver.take('e');
  receiver.take('f');
  EXPECT_FALSE(receiver.has_room());
  EXPECT_EQ(pop(receiver), "def");
}

TEST(Pl011, WipesTheBytesThatWereRead) {
  board::Pl011Receiver<4> receiver;
  for (const char byte : {'k', 'e', 'y'}) receiver.take(static_cast<unsigned char>(byte));
  EXPECT_EQ(pop(receiver), "key");
  const std::string_view memory(reinterpret_cast<const char*>(&receiver), sizeof receiver);
  EXPECT_NE(memory.find("key"), std::string_view::npos);
  receiver.wipe();
  EXPECT_EQ(memory.find("key"), std::string_view::npos);
}

}  // namespace
