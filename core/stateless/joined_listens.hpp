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
  /// A position of a listen; nullptr: none.
  using Place = char*;

  JoinedListens(const mcp::detail::StorageView& storage, std::size_t subscription);

  /// Removes all.
  void clear();
  /// Adds a listen whose acknowledgement is due. False if the slot has no space for it.
  bool add(std::size_t target, std::string_view id);
  void remove(Place place);
  /// Moves them to the begin of the memory, in place of the id of the first listen.
  void take_first_place();

  [[nodiscard]] Place first() const { return at(bytes_.data()); }
  [[nodiscard]] Place next(Place place) const { return at(place + head_size + size_of(place)); }
  /// The listen that names this target.
  [[nodiscard]] Place find(std::size_t target) const;
  /// The listen with this id, which may be written in another way.
  [[nodiscard]] Place find(std::string_view id) const;
  /// The first listen whose acknowledgement is due.
  [[nodiscard]] Place first_due() const;

  [[nodiscard]] static std::string_view id(Place place) { return {place + head_size, size_of(place)}; }
  [[nodiscard]] static std::size_t target(Place place) { return word(place) & most_targets; }
  static void set_acknowledged(Place place) { place[2] = static_cast<char>(place[2] & 0x7F); }
  /// Its target is gone. Its number may name another one later.
  static void forget_target(Place place) {
    place[1] = static_cast<char>(most_targets);
    place[2] = static_cast<char>(most_targets >> 8);
  }

  /// Targets have smaller numbers.
  static constexpr std::size_t most_targets = 0x7FFF;

 private:
  static constexpr std::size_t head_size = 3;
  static std::size_t size_of(Place place) { return static_cast<std::uint8_t>(*place); }
  static std::size_t word(Place place) {
    return static_cast<std::size_t>(static_cast<std::uint8_t>(place[1]) | static_cast<std::uint8_t>(place[2]) << 8);
  }
  [[nodiscard]] Place at(Place place) const {
    const bool ends = place == bytes_.data() + bytes_.size() || *place == 0;
    return ends ? nullptr : place;
  }

  std::span<char> bytes_;
  char* id_;  // of the first listen
};

}  // namespace mcp::protocol
