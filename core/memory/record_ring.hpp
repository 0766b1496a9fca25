// Records of bytes in a ring: the newest push out the oldest. Knows nothing of what they say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace mcp::memory {

/// A view of memory that somebody else owns. A record is a tag and two texts, in one piece; its number counts from 0
/// and tells whether it is still there.
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
    std::uint8_t tag;
    std::string_view name;
    std::string_view text;
  };

  static constexpr std::size_t header_size = 4;

  constexpr RecordRing(std::span<char> bytes, State& state) : bytes_(bytes), state_(state) {}

  /// Number of the oldest record that is held, and of the one that comes next.
  [[nodiscard]] std::uint32_t oldest() const { return state_.oldest; }
  [[nodiscard]] std::uint32_t next() const { return state_.oldest + state_.count; }

  /// Adds a record, in place of as many of the oldest as it takes. Of `name` and `text` what fits the ring is kept.
  void push(std::uint8_t tag, std::string_view name, std::string_view text) {
    const std::size_t name_size = limit(name.size(), 255, bytes_.size() - header_size);
    const std::size_t text_size = limit(text.size(), 0xFFFF, bytes_.size() - header_size - name_size);
    char* const at = make_room(header_size + name_size + text_size);
    const auto size = static_cast<std::uint16_t>(text_size);
    at[0] = static_cast<char>(tag);
    at[1] = static_cast<char>(name_size);
    std::memcpy(at + 2, &size, sizeof size);
    if (name_size != 0) std::memcpy(at + header_size, name.data(), name_size);
    if (text_size != 0) std::memcpy(at + header_size + name_size, text.data(), text_size);
  }

  /// The record with this number, which must be held.
  [[nodiscard]] Record read(std::uint32_t number) const {
    std::size_t at = state_.first;
    for (std::uint32_t i = state_.oldest; i != number; ++i) at = behind(at);
    const char* const record = bytes_.data() + at;
    const std::size_t name_size = static_cast<std::uint8_t>(record[1]);
    return {static_cast<std::uint8_t>(record[0]),
            {record + header_size, name_size},
            {record + header_size + name_size, text_size(record)}};
  }

 private:
  static std::size_t limit(std::size_t size, std::size_t a, std::size_t b) {
    const std::size_t most = a < b ? a : b;
    return size < most ? size : most;
  }

  static std::size_t text_size(const char* record) {
    std::uint16_t size = 0;
    std::memcpy(&size, record + 2, sizeof size);
    return size;
  }

  [[nodiscard]] std::size_t behind(std::size_t at) const {
    const char* const record = bytes_.data() + at;
    at += header_size + static_cast<std::uint8_t>(record[1]) + text_size(record);
    return at == state_.end ? 0 : at;
  }

  void drop_oldest() {
    const std::size_t next = behind(state_.first);
    if (next < state_.first) state_.end = 0;  // the ring begins where it begins again
    state_.first = static_cast<std::uint16_t>(next);
    ++state_.oldest;
    --state_.count;
    if (state_.count == 0) state_.first = state_.next = state_.end = 0;
  }

  // Room for `size` bytes in one piece, counted as held; `size` is at most that of the ring.
  char* make_room(std::size_t size) {
    for (;;) {
      const bool wrapped = state_.end != 0;
      const std::size_t limit = wrapped ? state_.first : bytes_.size();
      if (limit - state_.next >= size) break;
      if (!wrapped && state_.first >= size) {
        state_.end = state_.next;
        state_.next = 0;
      } else {
        drop_oldest();
      }
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
