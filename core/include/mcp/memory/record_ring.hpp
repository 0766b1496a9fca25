// SPDX-License-Identifier: Apache-2.0
// A ring of byte records. A new record replaces the oldest ones.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "mcp/assert.hpp"

namespace mcp::memory {

/// A view of the memory of its owner. A record is a tag and two strings, in one piece. Records are numbered from 0. The
/// ring has the records from oldest() to next() - 1.
class RecordRing {
 public:
  /// The state of a ring without its bytes. The state of an empty ring is all zero.
  struct State {
    std::uint16_t first;   // where the oldest record begins
    std::uint16_t next;    // where the next record begins
    std::uint16_t end;     // the end of the last record before the ring wraps; 0 if it does not wrap
    std::uint32_t oldest;  // number of the oldest record
    std::uint32_t count;   // records in the ring
  };

  struct Record {
    std::uint32_t tag;  // 24 bits
    std::string_view name;
    std::string_view text;
  };

  static constexpr std::size_t header_size = 6;

  constexpr RecordRing(std::span<char> bytes, State& state) : bytes_(bytes), state_(state) {}

  /// Returns the number of the oldest record in the ring.
  [[nodiscard]] std::uint32_t oldest() const { return state_.oldest; }
  /// Returns the number of the next record.
  [[nodiscard]] std::uint32_t next() const { return state_.oldest + state_.count; }

  /// Cuts both strings so that their record fits into the ring. Returns the bytes of the record.
  [[nodiscard]] std::size_t cut(std::string_view& name, std::string_view& text) const {
    MCP_DEBUG_ASSERT(bytes_.size() >= header_size);
    const std::size_t room = bytes_.size() - header_size;
    name = {name.data(), limit(name.size(), 255, room)};
    text = {text.data(), limit(text.size(), 0xFFFF, room - name.size())};
    return header_size + name.size() + text.size();
  }
  /// True if a record of this size replaces no other.
  [[nodiscard]] bool has_space(std::size_t size) const {
    const bool wrapped = state_.end != 0;
    const std::size_t limit = wrapped ? state_.first : bytes_.size();
    return limit - state_.next >= size || (!wrapped && state_.first >= size);
  }

  /// Adds a record, and removes as many of the oldest records as it needs. Limits: cuts `name` and `text` to the ring.
  void push(std::uint32_t tag, std::string_view name, std::string_view text) {
    MCP_DEBUG_ASSERT(tag >> 24 == 0);
    char* const at = make_space(cut(name, text));
    const auto size = static_cast<std::uint16_t>(text.size());
    for (unsigned i = 0; i < 3; ++i) at[i] = static_cast<char>(tag >> 8 * i);
    at[3] = static_cast<char>(name.size());
    std::memcpy(at + 4, &size, sizeof size);
    if (!name.empty()) std::memcpy(at + header_size, name.data(), name.size());
    if (!text.empty()) std::memcpy(at + header_size + name.size(), text.data(), text.size());
  }

  /// Returns the record with this number, which must be in the ring.
  [[nodiscard]] Record read(std::uint32_t number) const {
    MCP_DEBUG_ASSERT(number - state_.oldest < state_.count);
    std::size_t at = state_.first;
    for (std::uint32_t i = state_.oldest; i != number; ++i) at = after(at);
    const char* const record = bytes_.data() + at;
    const std::size_t name_size = static_cast<std::uint8_t>(record[3]);
    std::uint32_t tag = 0;
    for (unsigned i = 0; i < 3; ++i) tag |= std::uint32_t{static_cast<std::uint8_t>(record[i])} << 8 * i;
    return {tag, {record + header_size, name_size}, {record + header_size + name_size, text_size(record)}};
  }

  /// Removes the oldest record. The ring must not be empty.
  void drop_oldest() {
    MCP_DEBUG_ASSERT(state_.count != 0);
    const std::size_t next = after(state_.first);
    if (next < state_.first) state_.end = 0;  // all records are now after the wrap
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

  [[nodiscard]] std::size_t after(std::size_t at) const {
    const char* const record = bytes_.data() + at;
    at += header_size + static_cast<std::uint8_t>(record[3]) + text_size(record);
    return at == state_.end ? 0 : at;
  }

  // Makes space for a record of `size` bytes in one piece, and counts the record. `size` is at most the size of the
  // ring.
  char* make_space(std::size_t size) {
    MCP_DEBUG_ASSERT(size <= bytes_.size());
    while (!has_space(size)) drop_oldest();
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

#include <mcp/detail/epilogue.hpp>
