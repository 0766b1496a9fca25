// SPDX-License-Identifier: Apache-2.0
// Finds the id and the kind of a message that cannot be read, because it is too long or no JSON, while its bytes go by.
// Knows just enough JSON to tell the members of the envelope from others; it checks nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mcp::rpc {

/// Fed with a message in pieces of any size. Source for what an id may be: basic#requests, 2025-11-25.
class IdFinder {
 public:
  /// Longest id that is found, in bytes with its quotes.
  static constexpr std::size_t max_size = 40;

  /// Looks at the next bytes of the message.
  void feed(std::string_view bytes);

  /// The id as it stood in the message, or empty: there was none, it was given twice, it was too long, or it is neither
  /// a string nor an integer. A view into this object.
  [[nodiscard]] std::string_view id() const;

  /// True when the message has a `result` or an `error`, and no `method` that is a string.
  [[nodiscard]] bool is_response() const { return has_outcome_ && !has_method_; }

 private:
  enum class Place : std::uint8_t { key, value, value_of_id, value_of_method };

  void take(char c);
  void keep(char c);
  void end_piece(char mark);
  [[nodiscard]] Place value_of(std::string_view key);

  std::uint32_t depth_ = 0;  // open brackets
  bool in_string_ = false;
  bool escaped_ = false;  // behind a backslash
  bool unusable_ = false;
  bool has_outcome_ = false;
  bool has_method_ = false;
  Place place_ = Place::key;  // where in the envelope
  std::uint8_t id_size_ = 0;  // of the id that was found
  std::uint8_t end_ = 0;      // of the piece that goes by: it stands behind the id
  // The id, and behind it a key or value of the envelope itself. What does not fit is longer than each key that counts.
  char text_[max_size + sizeof("\"result\"")] = {};
};

}  // namespace mcp::rpc
