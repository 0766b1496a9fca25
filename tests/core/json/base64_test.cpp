// SPDX-License-Identifier: Apache-2.0
// Base64: encodes the test vectors of RFC 4648, and decodes every output with a decoder of this test.
#include "json/base64.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace mcp::json {
namespace {

using Bytes = std::vector<std::uint8_t>;

// The base64 of `bytes`; fails where its size is not the one announced, or it writes elsewhere.
std::string encoded(const Bytes& bytes) {
  std::string buffer(base64_size(bytes.size()) + 8, '#');
  const char* const end = write_base64(buffer.data() + 4, bytes);
  EXPECT_EQ(static_cast<std::size_t>(end - buffer.data()), buffer.size() - 4);
  EXPECT_EQ(buffer.substr(0, 4), "####");
  EXPECT_EQ(buffer.substr(buffer.size() - 4), "####");
  return buffer.substr(4, buffer.size() - 8);
}

// The value of a character, found by counting, so that the alphabet is not written down a second time.
std::optional<unsigned> value_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return std::nullopt;
}

// Strict: whole groups, padding only at the end, no bits left over. Bit by bit, unlike the encoder.
std::optional<Bytes> decoded(std::string text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 3 && !text.empty() && text.back() == '=') {
    text.pop_back();
    ++padding;
  }
  std::vector<bool> bits;
  for (const char c : text) {
    const auto value = value_of(c);
    if (!value) return std::nullopt;
    for (int bit = 5; bit >= 0; --bit) bits.push_back((*value >> bit & 1) != 0);
  }
  Bytes bytes;
  while (bits.size() - 8 * bytes.size() >= 8) {
    unsigned byte = 0;
    for (std::size_t i = 0; i < 8; ++i) byte = 2 * byte + (bits[8 * bytes.size() + i] ? 1 : 0);
    bytes.push_back(static_cast<std::uint8_t>(byte));
  }
  for (std::size_t i = 8 * bytes.size(); i < bits.size(); ++i) {
    if (bits[i]) return std::nullopt;
  }
  if (bits.size() - 8 * bytes.size() != 2 * padding) return std::nullopt;
  return bytes;
}

TEST(Base64, EncodesTheVectorsOfRfc4648Section10) {
  const std::array<std::array<std::string, 2>, 7> vectors = {{{"", ""},
                                                              {"f", "Zg=="},
                                                              {"fo", "Zm8="},
                                                              {"foo", "Zm9v"},
                                                              {"foob", "Zm9vYg=="},
                                                              {"fooba", "Zm9vYmE="},
                                                              {"foobar", "Zm9vYmFy"}}};
  for (const auto& [plain, text] : vectors) {
    EXPECT_EQ(encoded(Bytes(plain.begin(), plain.end())), text);
  }
}

TEST(Base64, EncodesTheWholeAlphabet) {
  Bytes bytes;
  for (unsigned i = 0; i < 64; i += 4) {  // the 6-bit groups 0, 1, 2 ... 63
    const unsigned group = i << 18 | (i + 1) << 12 | (i + 2) << 6 | (i + 3);
    for (const unsigned shift : {16U, 8U, 0U}) bytes.push_back(static_cast<std::uint8_t>(group >> shift));
  }
  EXPECT_EQ(encoded(bytes), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
}

TEST(Base64, ComputesTheSize) {
  static_assert(base64_size(0) == 0);
  static_assert(base64_size(1) == 4);
  static_assert(base64_size(3) == 4);
  static_assert(base64_size(4) == 8);
  static_assert(base64_size(3000) == 4000);
}

TEST(Base64, DecodesEveryLength) {
  std::mt19937 random(1);
  for (std::size_t size = 0; size <= 64; ++size) {
    for (int i = 0; i < 20; ++i) {
      Bytes bytes(size);
      for (auto& byte : bytes) byte = i == 0 ? 0xFF : static_cast<std::uint8_t>(random());
      EXPECT_EQ(decoded(encoded(bytes)), bytes) << size;
    }
  }
}

TEST(Base64, DecodesEveryByteAtEveryPosition) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (std::size_t place = 0; place < 3; ++place) {
      Bytes bytes(place + 1);
      bytes[place] = static_cast<std::uint8_t>(byte);
      EXPECT_EQ(decoded(encoded(bytes)), bytes) << byte << " " << place;
    }
  }
}

TEST(Base64, PiecesOfThreeBytesConcatenate) {
  Bytes bytes(31);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(37 * i);
  const Bytes head(bytes.begin(), bytes.begin() + 12);
  const Bytes tail(bytes.begin() + 12, bytes.end());
  EXPECT_EQ(encoded(head) + encoded(tail), encoded(bytes));
}

TEST(Base64, ComparesWithoutADecodedCopy) {
  const Bytes bytes{0x12, 0x34, 0x56, 0x78};
  const std::string text = encoded(bytes);
  EXPECT_TRUE(is_base64_of(text, bytes));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    Bytes other = bytes;
    other[i] ^= 1;
    EXPECT_FALSE(is_base64_of(text, other)) << i;
  }
  EXPECT_FALSE(is_base64_of(text, Bytes(3)));
  EXPECT_FALSE(is_base64_of(text, Bytes(5)));
  EXPECT_FALSE(is_base64_of("EjRWeB==", bytes)) << "bits behind the last byte";
}

TEST(Base64, RejectsEveryNonCanonicalEncoding) {
  for (unsigned c = 0; c < 256; ++c) {
    if (value_of(static_cast<char>(c))) continue;
    const std::string text = std::string("AAA") + static_cast<char>(c);
    for (std::uint8_t bits = 0; bits < 64; ++bits) EXPECT_FALSE(is_base64_of(text, Bytes{0, 0, bits})) << c;
  }
}

}  // namespace
}  // namespace mcp::json
