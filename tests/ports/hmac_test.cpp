// SPDX-License-Identifier: Apache-2.0
// HMAC-SHA-256 of the mbedTLS port against RFC 4231.
#include "mcp/ports/mbedtls_hmac.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes from_hex(std::string_view hex) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

Bytes from_text(std::string_view text) { return {text.begin(), text.end()}; }

struct Vector {
  Bytes key;
  Bytes data;
  std::string_view code;
};

// Keys of RFC 4231 that are shorter than ours are filled up with zeros there, too; one that is longer than a block is
// hashed first (its hash is given here).
const Vector vectors[] = {
    {Bytes(20, 0x0B), from_text("Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
    {from_text("Jefe"), from_text("what do ya want for nothing?"),
     "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
    {Bytes(20, 0xAA), Bytes(50, 0xDD), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
    {from_hex("0102030405060708090a0b0c0d0e0f10111213141516171819"), Bytes(50, 0xCD),
     "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
    {from_hex("45ad4b37c6e2fc0a2cfcc1b5da524132ec707615c2cae1dbbc43c97aa521db81"),
     from_text("Test Using Larger Than Block-Size Key - Hash Key First"),
     "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
};

std::array<std::uint8_t, 32> padded(const Bytes& key) {
  std::array<std::uint8_t, 32> all{};
  std::copy(key.begin(), key.end(), all.begin());
  return all;
}

// In pieces of every size, with one object for all.
TEST(Hmac, MatchesTheVectorsOfRfc4231) {
  mcp::mbedtls::Hmac hmac;
  for (const Vector& vector : vectors) {
    for (std::size_t piece = 1; piece <= vector.data.size(); ++piece) {
      hmac.start(padded(vector.key));
      const std::span<const std::uint8_t> data(vector.data);
      for (std::size_t at = 0; at < data.size(); at += piece) {
        hmac.update(data.subspan(at, std::min(piece, data.size() - at)));
      }
      Bytes code(32);
      ASSERT_TRUE(hmac.finish(std::span<std::uint8_t, 32>(code)));
      ASSERT_EQ(code, from_hex(vector.code));
    }
  }
}

TEST(Hmac, FinishWithoutStartFails) {
  mcp::mbedtls::Hmac hmac;
  std::array<std::uint8_t, 32> code{};
  EXPECT_FALSE(hmac.finish(code));
  hmac.start(padded({}));
  EXPECT_TRUE(hmac.finish(code));
  EXPECT_FALSE(hmac.finish(code));
}

}  // namespace
