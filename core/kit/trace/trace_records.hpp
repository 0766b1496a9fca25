// SPDX-License-Identifier: Apache-2.0
// Records in the bytes of a ring, and their lines of text. All sizes are checked, because a fault may have damaged the
// ring. A record has a kind, the size of its data, a check byte, and its data. Numbers have 7 bits in each byte, the
// lowest first. A poll less than 64 ms after the last one is a single byte, because a UART may cause one for each byte.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mcp/trace.hpp"

namespace mcp::detail {

inline constexpr std::uint32_t record_head_size = 3;
inline constexpr std::uint32_t longest_record_data = 255;
// Flag of a kind: the data begins with the number of calls without a result.
inline constexpr std::uint8_t blocked_flag = 0x80;
// Flag of a poll in a single byte, with its time in the lower bits.
inline constexpr std::uint8_t short_poll = 0x40;
inline constexpr std::uint8_t longest_short_poll = 0x3F;
constexpr bool is_short_poll(std::uint8_t kind) { return (kind & ~longest_short_poll) == short_poll; }
// Size of the number of polls, at the end of a polls record.
inline constexpr std::uint32_t polls_count_size = 2;

constexpr std::uint8_t record_check(std::uint8_t check, std::uint8_t byte) {
  return static_cast<std::uint8_t>((check << 1U | check >> 7U) ^ byte);
}

// One record.
struct TraceRecord {
  TraceBytes ring;
  std::uint32_t at;  // of its data
  std::uint8_t kind;
  std::uint8_t size;

  [[nodiscard]] std::uint8_t operator[](std::uint32_t index) const {
    return ring.bytes[(at + index) & (ring.size - 1)];
  }
};

enum class NextRecord : std::uint8_t { found, none, damaged };

/// Reads the record at `range.first`, and moves `range.first` after it.
NextRecord next_record(TraceBytes ring, TraceRange& range, TraceRecord& record);

/// The output of the text: a function, or memory for a part of the text.
struct TextOut {
  void (*function)(char) = nullptr;
  char* memory = nullptr;
  std::size_t left = 0;     // bytes left in the memory
  std::size_t skip = 0;     // characters before the part
  std::uint32_t total = 0;  // characters so far

  void put(char c);
  void put(const char* text);
  void put_number(std::uint64_t number);
  void put_hex(std::uint64_t number, unsigned digits);
  void put_byte(std::uint8_t byte);
};

/// Writes the line of a record that next_record() found.
void write_record(const TraceRecord& record, TextOut& out);

/// Writes the first line.
void write_title(bool has_lost, TextOut& out);
/// Writes the last line.
void write_end(std::uint32_t count, bool is_damaged, TextOut& out);

}  // namespace mcp::detail
