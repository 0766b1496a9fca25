// SPDX-License-Identifier: Apache-2.0
// The strict check of one JSON text: RFC 8259 grammar, UTF-8 and depth, in one pass and without recursion.
// value.hpp reads the values afterwards, and relies on this check.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "mcp/json/scan.hpp"
#include "mcp/json/utf8.hpp"

namespace mcp::json {

/// The maximum number of levels of objects and arrays. Each level takes one bit of state.
inline constexpr unsigned max_depth = 32;

/// The kind of error in a text.
enum class ErrorKind : std::uint8_t {
  none,
  syntax,  ///< Not RFC 8259: grammar, a raw control byte, data after the value, or an empty text.
  utf8,    ///< A byte sequence that is not UTF-8, or an escape that names half of a surrogate pair.
  depth,   ///< More than `max_depth` levels.
};

/// The result of a check: the error, and the offset in bytes of the first invalid byte.
struct CheckResult {
  ErrorKind fault;
  std::size_t offset;
};

namespace detail {
class Validator;
}

/// The members of the outermost object of a text, and of the first object in it. validate() stores them, so that a
/// search for a member does not scan the text again.
class MemberIndex {
 public:
  static constexpr std::size_t capacity = 6;  // neither an envelope nor the params of a method have more

  struct Member {
    const char* key;  // after its quote
    std::size_t key_size;
    const char* value;  // after the colon; white space may come first
  };

  /// Finds the members of the object that begins at `object`, in the order of the text. `object` is not null. False if
  /// the object is not in the index. An object is never in the index if it has more than `capacity` members, or a key
  /// that is empty or not plain ASCII.
  constexpr bool find(const char* object, std::span<const Member>& members) const {
    for (unsigned i = 0; i < part_count; ++i) {
      if (parts_[i].object != object) continue;
      members = {members_ + i * capacity, parts_[i].count};
      return true;
    }
    return false;
  }

 private:
  friend class detail::Validator;

  struct Part {
    const char* object = nullptr;  // the object with these members
    std::size_t count = 0;
  };

  constexpr void add(unsigned i, const char* key, std::size_t key_size, const char* value) {
    Part& part = parts_[i];
    if (part.count < capacity && key_size != 0) {
      members_[i * capacity + part.count++] = {key, key_size, value};
    } else {
      part.object = nullptr;
    }
  }

  static constexpr unsigned part_count = 2;
  Part parts_[part_count];
  Member members_[part_count * capacity];
};

namespace detail {

class Validator {
 public:
  constexpr Validator(const char* end, MemberIndex& outline) : end_(end), outline_(outline), stop_(end) {}

  constexpr CheckResult run(const char* begin) {
    const char* at = values(begin);
    if (at != nullptr) {
      stop_ = next(at);
      if (has_ended()) fault_ = ErrorKind::none;
    }
    return {fault_, static_cast<std::size_t>((has_ended() ? end_ : stop_) - begin)};
  }

 private:
  // Each reading function takes the begin of a piece. It returns the position after the piece, or nullptr after an
  // error.

  constexpr const char* fail(const char* at) {
    stop_ = at;
    return nullptr;
  }
  constexpr const char* fail(ErrorKind fault, const char* at) {
    fault_ = fault;
    return fail(at);
  }

  // NUL is invalid everywhere, so it can mean the end of the text.
  static constexpr char no_more = '\0';
  [[nodiscard]] constexpr char peek(const char* at) const { return at != end_ ? *at : no_more; }

  // Skips white space. At the end of the text, returns a pointer to `no_more`.
  [[nodiscard]] constexpr const char* next(const char* at) {
    for (; at != end_; ++at) {
      if (static_cast<std::uint8_t>(*at) > ' ' || !is_space(*at)) return at;
    }
    if (std::is_constant_evaluated()) ended_ = true;
    return &no_more;
  }

  // A constant expression cannot compare the addresses of a literal and of `no_more`.
  [[nodiscard]] constexpr bool has_ended() const { return std::is_constant_evaluated() ? ended_ : stop_ == &no_more; }

  [[nodiscard]] constexpr bool in_object() const { return (objects_ & 1u) != 0; }

  constexpr void open(const char* at) {
    ++depth_;
    objects_ = (objects_ << 1) | (*at == '{' ? 1u : 0u);
    if (in_object() && depth_ <= parts_) outline_.parts_[depth_ - 1].object = at;
  }

  constexpr void close() {
    if (in_object() && depth_ == parts_) --parts_;
    --depth_;
    objects_ >>= 1;
  }

  // Each turn reads one value. A value that opens a container needs another turn. After any other value, containers may
  // close.
  constexpr const char* values(const char* at) {
    for (bool more = true; more;) {
      if (in_object()) at = key(at);
      if (at == nullptr) return nullptr;
      at = next(at);
      const char c = *at;
      if (c == '"') {
        at = string(at);
      } else if ((c | 0x20) != '{') {  // '[' | 0x20 is '{' too
        at = scalar(at, c);
      } else {
        if (depth_ == max_depth) return fail(ErrorKind::depth, at);
        open(at);
        at = next(at + 1);
        if (*at != closer()) continue;
      }
      if (at == nullptr) return nullptr;
      at = after_value(at, more);
    }
    return at;
  }

  [[nodiscard]] constexpr char closer() const { return in_object() ? '}' : ']'; }

  constexpr const char* after_value(const char* at, bool& more) {
    for (;;) {
      more = false;
      if (depth_ == 0) return at;
      at = next(at);
      more = *at == ',';
      if (more) return at + 1;
      if (*at != closer()) return fail(at);
      ++at;
      close();
    }
  }

  // Reads a key and its colon.
  constexpr const char* key(const char* at) {
    at = next(at);
    if (*at != '"') return fail(at);
    const char* const text = at + 1;
    std::size_t size = 0;
    at = plain(text);
    if (peek(at) == '"') {
      size = static_cast<std::size_t>(at++ - text);
    } else {
      at = string_from(at);
      if (at == nullptr) return nullptr;
    }
    if (peek(at) != ':') {
      at = next(at);
      if (*at != ':') return fail(at);
    }
    ++at;
    if (depth_ <= parts_) outline_.add(depth_ - 1, text, size, at);
    return at;
  }

  constexpr const char* scalar(const char* at, char c) {
    switch (c) {
      case 't': return word(at, "true");
      case 'f': return word(at, "false");
      case 'n': return word(at, "null");
      default: return number(at);
    }
  }

  constexpr const char* word(const char* at, const char* expected) {
    for (; *expected != '\0'; ++expected, ++at) {
      if (peek(at) != *expected) return fail(at);
    }
    return at;
  }

  [[nodiscard]] constexpr const char* plain(const char* at) const {
    if (!std::is_constant_evaluated()) return skip_plain(at, end_);
    while (at != end_ && is_plain(*at)) ++at;
    return at;
  }

  constexpr const char* string(const char* at) {
    at = plain(at + 1);
    return peek(at) == '"' ? at + 1 : string_from(at);
  }

  // Reads the rest of a string from any position in it.
  constexpr const char* string_from(const char* at) {
    for (;; at = plain(at)) {
      if (at == end_ || static_cast<std::uint8_t>(*at) < 0x20) return fail(at);
      if (*at == '"') return at + 1;
      if (*at == '\\') {
        at = escape(at);
        if (at == nullptr) return nullptr;
      } else {
        const std::size_t length = utf8_length(at, end_);
        if (length == 0) return fail(ErrorKind::utf8, at);
        at += length;
      }
    }
  }

  constexpr const char* escape(const char* at) {
    const char* const start = at++;
    const char c = peek(at);
    if (c != 'u') {
      const char* known = "\"\\/bfnrt";
      while (*known != '\0' && *known != c) ++known;
      return *known != '\0' ? at + 1 : fail(at);
    }
    std::uint32_t unit = 0;
    at = code_unit(at + 1, unit);
    if (at == nullptr || unit - 0xD800 >= 0x800) return at;
    std::uint32_t low = 0;
    if (unit <= 0xDBFF && end_ - at >= 6 && at[0] == '\\' && at[1] == 'u') {
      at = code_unit(at + 2, low);
      if (at != nullptr && low - 0xDC00 < 0x400) return at;
    }
    return fail(ErrorKind::utf8, start);
  }

  constexpr const char* code_unit(const char* at, std::uint32_t& unit) {
    for (int i = 0; i < 4; ++i, ++at) {
      const char c = peek(at);
      auto digit = static_cast<std::uint32_t>(c - '0');
      if (digit > 9) {
        const auto letter = static_cast<std::uint32_t>((c | 0x20) - 'a');
        if (letter > 5) return fail(at);
        digit = letter + 10;
      }
      unit = (unit << 4) | digit;
    }
    return at;
  }

  constexpr const char* digits(const char* at) {
    const char* const start = at;
    while (at != end_ && *at >= '0' && *at <= '9') ++at;
    return at != start ? at : fail(at);
  }

  constexpr const char* number(const char* at) {
    if (peek(at) == '-') ++at;
    at = peek(at) == '0' ? at + 1 : digits(at);
    if (at != nullptr && peek(at) == '.') at = digits(at + 1);
    if (at == nullptr || (peek(at) | 0x20) != 'e') return at;
    ++at;
    return digits(peek(at) == '+' || peek(at) == '-' ? at + 1 : at);
  }

  const char* end_;
  MemberIndex& outline_;
  ErrorKind fault_ = ErrorKind::syntax;  // other errors replace it
  const char* stop_;
  bool ended_ = false;         // only for constants
  std::uint32_t objects_ = 0;  // bit 0: the innermost open container is an object
  unsigned depth_ = 0;
  unsigned parts_ = MemberIndex::part_count;  // the open objects down to this depth are in the index
};

}  // namespace detail

/// Checks that `text` is exactly one JSON value in UTF-8. White space around it is valid. If the text is an object,
/// `outline` gets its members. At compile time, it checks verbatim JSON in tables.
/// Limits: the time is linear in the size, and the stack below 150 bytes. Source: RFC 8259, RFC 3629.
constexpr CheckResult validate(std::string_view text, MemberIndex& outline) {
  return detail::Validator(text.data() + text.size(), outline).run(text.data());
}
constexpr CheckResult validate(std::string_view text) {
  MemberIndex unused;
  return validate(text, unused);
}

}  // namespace mcp::json

#include <mcp/detail/epilogue.hpp>
