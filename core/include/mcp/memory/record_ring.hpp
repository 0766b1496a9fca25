// SPDX-License-Identifier: Apache-2.0
// Records of bytes in a ring: the newest push out the oldest. Knows nothing of what they say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace mcp::memory {

/// A view of memory of its owner. A record is a tag and two texts, in one piece. Records are numbered from 0, and the
/// ring holds those from oldest() to next() - 1.
class RecordRing {
 public:
  /// What must be kept beside the bytes. All zero is an empty ring.
  struct State {
    std::uint16_t first;   // where the oldest record begins
    std::uint16_t next;    // where the next would begin
    std::uint16_t end;     // behind the last record before the ring wraps; 0 while it does not
    std::uint32_t oldest;  // number of the oldest record
    std::uint32_t count;   // records held
  };

  struct Record {
    std::uint32_t tag;  // 24 bits
    std::string_view name;
    std::string_view text;
  };

  static constexpr std::size_t header_size = 6;

  constexpr RecordRing(std::span<char> bytes, State& state) : bytes_(bytes), state_(state) {}

  /// Number of the oldest record that is held, and of the one that comes next.
  [[nodiscard]] std::uint32_t oldest() const { return state_.oldest; }
  [[nodiscard]] std::uint32_t next() const { return state_.oldest + state_.count; }

  /// Cuts both to what fits the ring. Returns the bytes that their record takes.
  [[nodiscard]] std::size_t cut(std::string_view& name, std::string_view& text) const {
    const std::size_t room = bytes_.size() - header_size;
    name = {name.data(), limit(name.size(), 255, room)};
    text = {text.data(), limit(text.size(), 0xFFFF, room - name.size())};
    return header_size + name.size() + text.size();
  }
  /// True when a record of this size takes the place of no other.
  [[nodiscard]] bool has_room(std::size_t size) const {
    const bool wrapped = state_.end != 0;
    const std::size_t limit = wrapped ? state_.first : bytes_.size();
    return limit - state_.next >= size || (!wrapped && state_.first >= size);
  }

  /// Adds a record, in place of as many of the oldest as it takes. Of `name` and `text` what fits the ring is kept.
  void push(std::uint32_t tag, std::string_view name, std::string_view text) {
    char* const at = make_room(cut(name, text));
    const auto size = static_cast<std::uint16_t>(text.size());
    for (unsigned i = 0; i < 3; ++i) at[i] = static_cast<char>(tag >> 8 * i);
    at[3] = static_cast<char>(name.size());
    std::memcpy(at + 4, &size, sizeof size);
    if (!name.empty()) std::memcpy(at + header_size, name.data(), name.size());
    if (!text.empty()) std::memcpy(at + header_size + name.size(), text.data(), text.size());
  }

  /// The record with this number, which must be held.
  [[nodiscard]] Record read(std::uint32_t number) const {
    std::size_t at = state_.first;
    for (std::uint32_t i = state_.oldest; i != number; ++i) at = behind(at);
    const char* const record = bytes_.data() + at;
    const std::size_t name_size = static_cast<std::uint8_t>(record[3]);
    std::uint32_t tag = 0;
    for (unsigned i = 0; i < 3; ++i) tag |= std::uint32_t{static_cast<std::uint8_t>(record[i])} << 8 * i;
    return {tag, {record + header_size, name_size}, {record + header_size + name_size, text_size(record)}};
  }

  /// Forgets the oldest record; there must be one.
  void drop_oldest() {
    const std::size_t next = behind(state_.first);
    if (next < state_.first) state_.end = 0;  // the ring begins where it begins again
    state_.first = static_cast<std::uint16_t>(next);
    ++state_.oldest;
    --state_.count;
    if (state_.count == 0) state_.first = state_.next = state_.end = 0;
  }

 private:
  static std::size_t limit(std::size_t size, std::size_t a, std::size_t b) {
    const std::size_t most = a < b ? a : b;
    return size < most ? size : most;
  }

  static std::size_t text_size(const char* record) {
    std::uint16_t size = 0;
    std::memcpy(&size, record + 4, sizeof size);
    return size;
  }

  [[nodiscard]] std::size_t behind(std::size_t at) const {
    const char* const record = bytes_.data() + at;
    at += header_size + static_cast<std::uint8_t>(record[3]) + text_size(record);
    return at == state_.end ? 0 : at;
  }

  // Room for `size` bytes in one piece, counted as held; `size` is at most that of the ring.
  char* make_room(std::size_t size) {
    while (!has_room(size)) drop_oldest();
    if (state_.end == 0 && bytes_.size() - state_.next < size) {
      state_.end = state_.next;
      state_.next = 0;
    }
    char* const at = bytes_.data() + state_.next;
    state_.next = static_cast<std::uint16_t>(state_.next + size);
    ++state_.count;
    return at;
  }

  std::span<char> bytes_;
  State& state_;
};

}  // namespace mcp::memory
