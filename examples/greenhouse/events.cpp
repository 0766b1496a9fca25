// SPDX-License-Identifier: Apache-2.0
#include "events.hpp"

#include <algorithm>

#include "greenhouse.hpp"
#include "platform.hpp"

namespace events {
namespace {

struct Event {
  mcp::Millis at_ms;
  Kind kind;
  std::uint8_t bed;
};

constexpr std::uint32_t capacity = 96;
constinit Event ring[capacity]{};
std::uint32_t added;  // since the start
// Of the body that is being read. One is enough, because Limits::streams is 1.
std::uint32_t first;
mcp::Millis read_ms;

constexpr std::string_view texts[] = {"valve open",  "valve closed", "watering",     "watered",
                                      "not watered", "tank level",   "schedule set", "dosed"};

// Each line has the same size, so that an offset names a line: `       123 watering       2`.
constexpr std::uint32_t line_size = 28;
void write_line(char (&line)[line_size], const Event& event) {
  std::fill(std::begin(line), std::end(line), ' ');
  const mcp::Millis age_ms = read_ms - event.at_ms;
  std::uint32_t seconds = age_ms < 0x8000'0000 ? age_ms / 1000 : 0;  // 0 for one that came during the read
  std::size_t at = 10;
  do {
    line[--at] = static_cast<char>('0' + seconds % 10);
    seconds /= 10;
  } while (seconds != 0);
  const std::string_view text = texts[static_cast<std::size_t>(event.kind)];
  text.copy(line + 11, text.size());
  if (event.bed != 0) line[line_size - 2] = static_cast<char>('0' + event.bed);
  line[line_size - 1] = '\n';
}

}  // namespace

void add(Kind kind, std::uint8_t bed) {
  ring[added++ % capacity] = {platform::now(), kind, bed};
  greenhouse::log(kind == Kind::refused ? mcp::LogLevel::warning : mcp::LogLevel::info,
                  texts[static_cast<std::size_t>(kind)], bed);
}

namespace {

// An event that comes while a client reads is appended. In a full ring, it replaces the oldest one.
void begin(std::uint32_t offset) {
  if (offset != 0) return;
  first = added > capacity ? added - capacity : 0;
  read_ms = platform::now();
}

mcp::Chunk send(const Event& event, std::uint32_t offset, std::span<std::uint8_t> into) {
  char line[line_size];
  write_line(line, event);
  const std::size_t begin = offset % line_size;
  const std::size_t size = std::min<std::size_t>(line_size - begin, into.size());
  std::copy_n(line + begin, size, into.begin());
  return mcp::Chunk::bytes(size);
}

}  // namespace

mcp::Chunk read(std::uint32_t offset, std::span<std::uint8_t> into) {
  begin(offset);
  const std::uint32_t index = first + offset / line_size;
  if (index >= added || index - first >= capacity) return mcp::Chunk::end();
  return send(ring[index % capacity], offset, into);
}

mcp::Chunk read_bed(const beds::WhichBed& variables, std::uint32_t offset, std::span<std::uint8_t> into) {
  begin(offset);
  std::uint32_t lines = offset / line_size;  // before this one
  for (std::uint32_t index = first; index < added && index - first < capacity; ++index) {
    const Event& event = ring[index % capacity];
    if (event.bed != variables.bed) continue;
    if (lines-- == 0) return send(event, offset, into);
  }
  return mcp::Chunk::end();
}

}  // namespace events
