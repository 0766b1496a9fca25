// SPDX-License-Identifier: Apache-2.0
#include "mcp/memory/secrets.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace {

using mcp::memory::same_bytes;

TEST(SameBytes, ComparesBytesOfEverySize) {
  const std::uint8_t a[] = {1, 2, 3};
  const std::uint8_t b[] = {1, 2, 4};
  EXPECT_TRUE(same_bytes(a, a));
  EXPECT_TRUE(same_bytes({}, {}));
  EXPECT_FALSE(same_bytes(a, b));
  EXPECT_FALSE(same_bytes(a, std::span(a).first(2)));
  EXPECT_FALSE(same_bytes(std::span(a).first(2), a));
  EXPECT_FALSE(same_bytes(a, {}));
  EXPECT_FALSE(same_bytes({}, a));
}

TEST(WriteHex, WritesBothDigitsOfEachByte) {
  const std::uint8_t bytes[] = {0x00, 0x1F, 0xA0, 0xFF};
  char text[8];
  mcp::memory::write_hex(text, bytes);
  EXPECT_EQ(std::string_view(text, sizeof text), "001fa0ff");
}

TEST(Wipe, SetsAllBytesToZero) {
  char bytes[] = {'x', 's', 'e', 'c', 'x'};
  mcp::memory::wipe(std::span(bytes).subspan(1, 3));
  EXPECT_EQ(std::string_view(bytes, 5), std::string_view("x\0\0\0x", 5));
  mcp::memory::wipe({});
}

}  // namespace
