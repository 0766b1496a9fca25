// The strict check of one JSON text: RFC 8259 grammar, UTF-8 and depth in one pass, no recursion, nothing written.
// Knows no meaning: the values are read afterwards, by value.hpp, which relies on this check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "json/scan.hpp"
#include "json/utf8.hpp"

namespace mcp::json {

/// Deepest nesting of objects and arrays that is accepted: one bit of state per level.
inline constexpr unsigned max_depth = 32;

/// What is wrong with a text.
enum class Fault : std::uint8_t {
  none,
  syntax,  ///< Not RFC 8259: grammar, a raw control byte, data after the value, nothing at all.
  utf8,    ///< A byte sequence that is not UTF-8, or an escape that names half of a surrogate pair.
  depth,   ///< More than `max_depth` levels.
};

/// Outcome of a check: the fault and the offset in bytes of the first byte that cannot be accepted.
struct Verdict {
  Fault fault;
  std::size_t offset;
};

/// What a check of an object sees on its way: where the first of its members begin, and the brace behind the last. Who
/// looks for a member need not walk over the values before it.
struct Outline {
  static constexpr std::size_t capacity = 8;  // the six members of an envelope, the brace, and one more
  const char* starts[capacity];
  std::size_t count = 0;
};

namespace detail {

class Validator {
 public:
  constexpr Validator(std::string_view text, Outline& outline)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), outline_(outline) {}

  constexpr Verdict run() {
    Fault fault = values();
    if (fault == Fault::none) {
      skip_space();
      if (at_ != end_) fault = Fault::syntax;
    }
    return {fault, static_cast<std::size_t>(at_ - begin_)};
  }

 private:
  // A NUL is accepted nowhere, so it can stand for "no more bytes".
  constexpr char peek() const { return at_ != end_ ? *at_ : '\0'; }

  constexpr bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  constexpr void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }

  // A member of the outermost object begins here, or the object ends.
  constexpr void note() {
    if (depth_ == 1 && outline_.count < Outline::capacity) outline_.starts[outline_.count++] = at_;
  }

  constexpr bool in_object() const { return (objects_ & 1u) != 0; }

  constexpr bool open(bool object) {
    if (depth_ == max_depth) return false;
    ++at_;
    ++depth_;
    objects_ = (objects_ << 1) | (object ? 1u : 0u);
    return true;
  }

  constexpr void close() {
    note();
    ++at_;
    --depth_;
    objects_ >>= 1;
  }

  // One turn per value: what opens a container goes round again, what ends values closes containers behind them.
  constexpr Fault values() {
    for (;;) {
      skip_space();
      bool nested = false;
      if (const Fault fault = value(nested); fault != Fault::none) return fault;
      if (nested) continue;
      bool more = false;
      if (const Fault fault = after_value(more); fault != Fault::none) return fault;
      if (!more) return Fault::none;
    }
  }

  constexpr Fault value(bool& nested) {
    switch (peek()) {
      case '{':
        if (!open(true)) return Fault::depth;
        skip_space();
        if (peek() == '}') return close(), Fault::none;
        nested = true;
        return key();
      case '[':
        if (!open(false)) return Fault::depth;
        skip_space();
        if (peek() == ']') return close(), Fault::none;
        nested = true;
        return Fault::none;
      case '"': return string();
      case 't': return word("true");
      case 'f': return word("false");
      case 'n': return word("null");
      default: return number();
    }
  }

  constexpr Fault after_value(bool& more) {
    while (depth_ != 0) {
      skip_space();
      if (accept(',')) {
        more = true;
        if (!in_object()) return Fault::none;
        skip_space();
        return key();
      }
      if (peek() != (in_object() ? '}' : ']')) return Fault::syntax;
      close();
    }
    return Fault::none;
  }

  constexpr Fault key() {
    note();
    if (peek() != '"') return Fault::syntax;
    if (const Fault fault = string(); fault != Fault::none) return fault;
    skip_space();
    return accept(':') ? Fault::none : Fault::syntax;
  }

  constexpr Fault word(std::string_view expected) {
    for (const char c : expected) {
      if (!accept(c)) return Fault::syntax;
    }
    return Fault::none;
  }

  constexpr Fault string() {
    ++at_;
    for (;;) {
      if (std::is_constant_evaluated()) {
        while (at_ != end_ && is_plain(*at_)) ++at_;
      } else {
        at_ = skip_plain(at_, end_);
      }
      if (at_ == end_ || static_cast<std::uint8_t>(*at_) < 0x20) return Fault::syntax;
      if (accept('"')) return Fault::none;
      if (*at_ == '\\') {
        if (const Fault fault = escape(); fault != Fault::none) return fault;
        continue;
      }
      const std::size_t length = utf8_length(at_, end_);
      if (length == 0) return Fault::utf8;
      at_ += length;
    }
  }

  constexpr Fault escape() {
    const char* const start = at_++;
    const char c = peek();
    if (c != 'u') {
      if (c == '\0' || std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos) return Fault::syntax;
      ++at_;
      return Fault::none;
    }
    std::uint32_t unit = 0;
    if (!code_unit(unit)) return Fault::syntax;
    if (unit < 0xD800 || unit > 0xDFFF) return Fault::none;
    std::uint32_t low = 0;
    if (unit <= 0xDBFF && accept('\\') && peek() == 'u' && code_unit(low) && low >= 0xDC00 && low <= 0xDFFF) {
      return Fault::none;
    }
    at_ = start;
    return Fault::utf8;
  }

  constexpr bool code_unit(std::uint32_t& unit) {
    ++at_;  // the u
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const char lower = static_cast<char>(c | 0x20);
      if (c >= '0' && c <= '9') {
        unit = (unit << 4) | static_cast<std::uint32_t>(c - '0');
      } else if (lower >= 'a' && lower <= 'f') {
        unit = (unit << 4) | static_cast<std::uint32_t>(lower - 'a' + 10);
      } else {
        return false;
      }
    }
    return true;
  }

  constexpr bool digits() {
    const char* const start = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    return at_ != start;
  }

  constexpr Fault number() {
    accept('-');
    if (!accept('0') && !digits()) return Fault::syntax;
    if (accept('.') && !digits()) return Fault::syntax;
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (!accept('+')) accept('-');
      if (!digits()) return Fault::syntax;
    }
    return Fault::none;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  Outline& outline_;
  std::uint32_t objects_ = 0;  // bit 0: the innermost open container is an object
  unsigned depth_ = 0;
};

}  // namespace detail

/// Checks that `text` is exactly one JSON value in UTF-8, white space around it allowed. Time linear in the size; stack
/// below 150 bytes. `outline` gets its part if the text is an object. Usable at compile time, where it checks verbatim
/// JSON in tables. Source: RFC 8259, RFC 3629.
constexpr Verdict validate(std::string_view text, Outline& outline) { return detail::Validator(text, outline).run(); }
constexpr Verdict validate(std::string_view text) {
  Outline unused;
  return validate(text, unused);
}

}  // namespace mcp::json
