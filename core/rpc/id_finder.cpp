// SPDX-License-Identifier: Apache-2.0
#include "mcp/rpc/id_finder.hpp"

#include "mcp/json/scan.hpp"
#include "mcp/json/text.hpp"
#include "mcp/json/validate.hpp"

namespace mcp::rpc {

void IdFinder::feed(std::string_view bytes) {
  for (const char c : bytes) feed_char(c);
}

std::string_view IdFinder::id() const {
  const std::string_view text(text_, id_size_);
  // The id goes into a response, so it is checked as strictly as in a complete message.
  if (unusable_ || json::validate(text).fault != json::ErrorKind::none) return {};
  for (const char c : text.front() == '"' ? std::string_view() : text) {
    if (c != '-' && (c < '0' || c > '9')) return {};
  }
  return text;
}

// Stores a byte of the id. If the id is too long, each further byte replaces the last one, so it stays too long.
void IdFinder::append(char c) {
  const bool is_full = end_ == sizeof text_;
  if (json::is_space(c) && (end_ == id_size_ || is_full)) return;
  if (!is_full) ++end_;
  text_[end_ - 1] = c;
}

IdFinder::Expected IdFinder::value_of(std::string_view key) {
  if (json::equal(key, "\"id\"")) return Expected::value_of_id;
  if (json::equal(key, "\"method\"")) return Expected::value_of_method;
  has_outcome_ = has_outcome_ || json::equal(key, "\"result\"") || json::equal(key, "\"error\"");
  return Expected::value;
}

void IdFinder::end_piece(char mark) {
  while (end_ != id_size_ && json::is_space(text_[end_ - 1])) --end_;
  const std::string_view piece(text_ + id_size_, end_ - id_size_);
  if (mark == ':') {
    expected_ = expected_ == Expected::key ? value_of(piece) : Expected::value;
  } else {
    if (expected_ == Expected::value_of_id) {
      unusable_ = unusable_ || id_size_ != 0 || piece.empty() || end_ > max_size;
      id_size_ = unusable_ ? 0 : end_;  // the keys that follow use the space
    } else if (expected_ == Expected::value_of_method) {
      has_method_ = has_method_ || (!piece.empty() && piece.front() == '"');
    }
    expected_ = Expected::key;
  }
  end_ = id_size_;
}

// Decodes the escapes of a key. Returns false for a byte outside of escapes. Keys of interest have no character with a
// two-byte escape and none beyond ASCII, so a backslash replaces all of these.
bool IdFinder::feed_escape(char c, bool was_escaped) {
  if (digits_ != 0) {
    const bool is_digit = c >= '0' && c <= '9';
    const auto letter = static_cast<std::uint8_t>((c | 0x20) - 'a');
    if (!is_digit && letter > 5) {
      digits_ = 0;
      append('\\');
      return false;
    }
    unit_ = static_cast<std::uint16_t>(unit_ << 4 | (is_digit ? c - '0' : letter + 10));
    if (--digits_ == 0) append(unit_ < 0x80 ? static_cast<char>(unit_) : '\\');
    return true;
  }
  if (escaped_) return true;
  if (!was_escaped) return false;
  if (c == 'u') {
    digits_ = 4;
    unit_ = 0;
  } else {
    append('\\');
  }
  return true;
}

void IdFinder::feed_char(char c) {
  const bool is_envelope = depth_ == 1;
  if (in_string_) {
    const bool was_escaped = escaped_;
    in_string_ = c != '"' || was_escaped;
    escaped_ = c == '\\' && !was_escaped;
    if (is_envelope && expected_ == Expected::key && feed_escape(c, was_escaped)) return;
  } else if (c == '"') {
    in_string_ = true;
  } else if (c == '{' || c == '[') {
    // The content of an outermost array gets the depth of the content of an envelope.
    depth_ += depth_ == 0 && c == '[' ? 2 : 1;
  } else if (c == '}' || c == ']' || c == ',' || c == ':') {
    if (is_envelope) end_piece(c);
    if (c == '}' || c == ']') --depth_;
    return;
  }
  if (is_envelope) append(c);
}

}  // namespace mcp::rpc
