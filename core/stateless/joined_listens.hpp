// SPDX-License-Identifier: Apache-2.0
// Several subscriptions/listen of one wire in one slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/detail/server_state.hpp"

namespace mcp::protocol {

/// The listens that share the slot of another one. Each names one resource, which no other listen of the slot names.
/// They are stored after the id of the first one: the size of the id, the target, and the id. A size of 0 ends them.
class JoinedListens {
 public:
  /// The bytes of a listen; nullptr: none.
  using Entry = char*;

  JoinedListens(const mcp::detail::StorageView& storage, std::size_t subscription);

  /// Removes all.
  void clear();
  /// Adds a listen whose acknowledgement is due. False if the slot has no space for it.
  bool add(std::size_t target, std::string_view id);
  void remove(Entry entry);
  /// Moves them to the begin of the memory, in place of the id of the first listen.
  void move_to_begin();

  [[nodiscard]] Entry first() const { return at(bytes_.data()); }
  [[nodiscard]] Entry next(Entry entry) const { return at(entry + head_size + size_of(entry)); }
  /// The listen that names this target.
  [[nodiscard]] Entry find(std::size_t target) const;
  /// The listen with this id, which may be written in another way.
  [[nodiscard]] Entry find(std::string_view id) const;
  /// The first listen whose acknowledgement is due.
  [[nodiscard]] Entry first_due() const;

  [[nodiscard]] static std::string_view id(Entry entry) { return {entry + head_size, size_of(entry)}; }
  [[nodiscard]] static std::size_t target(Entry entry) { return word(entry) & most_targets; }
  static void set_acknowledged(Entry entry) { entry[2] = static_cast<char>(entry[2] & 0x7F); }
  /// Its target is gone. Its number may name another one later. The acknowledgement stays due.
  static void forget_target(Entry entry) {
    entry[1] = static_cast<char>(most_targets);
    entry[2] = static_cast<char>(entry[2] | 0x7F);
  }

  /// Targets have smaller numbers. This one is no target.
  static constexpr std::size_t most_targets = 0x7FFF;

 private:
  static constexpr std::size_t head_size = 3;
  static std::size_t size_of(Entry entry) { return static_cast<std::uint8_t>(*entry); }
  static std::size_t word(Entry entry) {
    return static_cast<std::size_t>(static_cast<std::uint8_t>(entry[1]) | static_cast<std::uint8_t>(entry[2]) << 8);
  }
  [[nodiscard]] Entry at(Entry entry) const {
    const bool ends = entry == bytes_.data() + bytes_.size() || *entry == 0;
    return ends ? nullptr : entry;
  }

  std::span<char> bytes_;
  char* id_;  // of the first listen
};

}  // namespace mcp::protocol
