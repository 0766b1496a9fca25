// SPDX-License-Identifier: Apache-2.0
// Bytes in words, in pieces of each length. The words are compared as the bytes that a controller makes of them.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <mcp/ports/word_fifo.hpp>
#include <span>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_from(std::uint8_t first, std::size_t size) {
  Bytes bytes(size);
  for (std::uint8_t& byte : bytes) byte = first++;
  return bytes;
}

// The end of a cable: the bytes of each word, the lowest first.
struct Cable {
  Bytes bytes;

  void put(std::uint32_t word) {
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> 8 * i));
  }
};

TEST(WordFifo, WritesPiecesOfEachLength) {
  for (const bool has_length : {false, true}) {
    for (std::size_t first = 0; first < 9; ++first) {
      for (std::size_t second = 0; second < 9; ++second) {
        Cable cable;
        const auto put = [&](std::uint32_t word) { cable.put(word); };
        auto fifo = has_length ? board::WordWriter(put, 0x0100) : board::WordWriter(put);
        const Bytes all = bytes_from(has_length ? 2 : 0, first + second);
        fifo.write(std::span(all).first(first));
        fifo.write(std::span(all).subspan(first));
        fifo.end();
        Bytes expected = bytes_from(0, first + second + (has_length ? 2 : 0));
        while (expected.size() % 4 != 0) expected.push_back(0);
        EXPECT_EQ(cable.bytes, expected) << first << ' ' << second;
      }
    }
  }
}

TEST(WordFifo, ReadsEachLengthToEachAddress) {
  for (std::size_t size = 0; size < 10; ++size) {
    for (std::size_t at = 0; at < 4; ++at) {
      Bytes memory(at + size + 1, 0xFF);
      std::uint32_t word = 0x0302'0100;
      std::size_t words = 0;
      const auto next = [&] {
        ++words;
        const std::uint32_t now = word;
        word += 0x0404'0404;
        return now;
      };
      board::read_words(next, std::span(memory).subspan(at, size));
      Bytes expected(at, 0xFF);
      for (const std::uint8_t byte : bytes_from(0, size)) expected.push_back(byte);
      expected.push_back(0xFF);
      EXPECT_EQ(memory, expected) << size;
      EXPECT_EQ(words, (size + 3) / 4);
    }
  }
}

}  // namespace
