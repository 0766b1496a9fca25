// SPDX-License-Identifier: Apache-2.0
// Finds the id and the kind of a message that is too long or invalid JSON, while its bytes arrive. It distinguishes the
// members of the envelope from other members, and checks nothing else.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mcp::rpc {

/// Searches one message, in pieces of any size. Source: basic#requests, 2025-11-25.
class IdFinder {
 public:
  /// The longest id that it finds, in bytes with its quotes.
  static constexpr std::size_t max_size = 40;

  /// Searches the next bytes of the message.
  void feed(std::string_view bytes);

  /// Returns the id as in the message. Lifetime: a view into this object. Errors: empty if the message has no id or two
  /// ids, or if the id is too long, or neither a string nor an integer.
  [[nodiscard]] std::string_view id() const;

  /// True if the message has a `result` or an `error`, and no `method` that is a string.
  [[nodiscard]] bool is_response() const { return has_outcome_ && !has_method_; }

 private:
  enum class Expected : std::uint8_t { key, value, value_of_id, value_of_method };

  void feed_char(char c);
  [[nodiscard]] bool feed_escape(char c, bool was_escaped);
  void append(char c);
  void end_piece(char mark);
  [[nodiscard]] Expected value_of(std::string_view key);

  std::uint32_t depth_ = 0;  // open brackets
  std::uint16_t unit_ = 0;   // code unit of a Unicode escape in a key
  std::uint8_t digits_ = 0;  // remaining digits of this escape
  bool in_string_ = false;
  bool escaped_ = false;  // after a backslash
  bool unusable_ = false;
  bool has_outcome_ = false;
  bool has_method_ = false;
  Expected expected_ = Expected::key;  // the position in the envelope
  std::uint8_t id_size_ = 0;  // bytes of the id
  std::uint8_t end_ = 0;      // end of the current key or value, which is stored after the id
  // The id, then the current decoded key or the current value. A key that does not fit is longer than each key of
  // interest.
  char text_[max_size + sizeof("\"result\"")] = {};
};

}  // namespace mcp::rpc

#include <mcp/detail/epilogue.hpp>
