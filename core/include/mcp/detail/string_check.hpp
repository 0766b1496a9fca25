// SPDX-License-Identifier: Apache-2.0
// Checks of the text of a string: patterns and formats. The compiler runs them for a default value, and the codecs of
// checked strings run them for each value.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/json/utf8.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/uri.hpp"

namespace mcp {

/// The format of a string. Clients can offer a matching input field. The server checks it only with `checks_format`.
enum class Format : std::uint8_t { none, email, uri, date, date_time, ipv4, ipv6 };

namespace detail {

struct ParamInfo;

/// Writes the members of a schema that few rows have. A row without them has none.
struct Decorator {
  void (*decorate)(json::Writer& out, const ParamInfo& info, bool with_header);
};

/// The check of a string, which is also the decorator of its row.
struct StringCheck : Decorator {
  bool (*accepts)(const StringCheck& check, const std::string_view& text);
  std::string_view text;  // for the schema and for errors: the pattern, or the name of the format
};

/// Characters from one code point to another one.
struct CharRange {
  std::uint32_t first;
  std::uint32_t last;
};
/// The characters that a position of a pattern accepts: ranges, or all others.
struct CharClass {
  std::uint16_t first_range;
  std::uint8_t count;
  bool negated;
};

/// A pattern as an automaton: each of its positions is a character of the pattern. A set of positions is the bits of a
/// number, so a text of n characters takes at most n times 64 steps of each kind.
struct PatternCheck : StringCheck {
  const std::uint64_t* follow;  // by position: the positions that may come next
  const CharClass* classes;     // by position
  const CharRange* ranges;
  std::uint64_t first;  // the positions at which a match begins, and at which it may end
  std::uint64_t last;
  bool accepts_empty;
  bool from_begin;  // ^
  bool to_end;      // $
};

constexpr bool is_in_class(const PatternCheck& pattern, const CharClass& chars, std::uint32_t code) {
  for (unsigned i = 0; i < chars.count; ++i) {
    const CharRange& range = pattern.ranges[chars.first_range + i];
    if (code >= range.first && code <= range.last) return !chars.negated;
  }
  return chars.negated;
}

/// Takes a code point. A byte that is not UTF-8 is sent as U+FFFD, and is one here.
constexpr std::uint32_t read_code_point(const char*& at, const char* end) {
  const std::size_t length = json::utf8_length(at, end);
  if (length < 2) {
    const auto byte = static_cast<std::uint8_t>(*at++);
    return length == 1 ? byte : 0xFFFD;
  }
  std::uint32_t code = static_cast<std::uint8_t>(*at) & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (static_cast<std::uint8_t>(at[i]) & 0x3Fu);
  at += length;
  return code;
}

struct CountNothing {
  constexpr void step() {}
};

/// Returns whether the pattern matches somewhere in the text, as RegExp.prototype.test() of ECMA-262 does with the flag
/// u. `counter` counts the steps.
template <class Counter>
constexpr bool run_pattern(const PatternCheck& pattern, const std::string_view& text, Counter& counter) {
  if (pattern.accepts_empty && (text.empty() || !pattern.from_begin || !pattern.to_end)) return true;
  const char* at = text.data();
  const char* const end = at + text.size();
  std::uint64_t active = 0;
  for (bool begins = true; at != end; begins = false) {
    const std::uint32_t code = read_code_point(at, end);
    std::uint64_t reached = begins || !pattern.from_begin ? pattern.first : 0;
    for (; active != 0; active &= active - 1) {
      reached |= pattern.follow[std::countr_zero(active)];
      counter.step();
    }
    for (; reached != 0; reached &= reached - 1) {
      const auto position = static_cast<unsigned>(std::countr_zero(reached));
      if (is_in_class(pattern, pattern.classes[position], code)) active |= std::uint64_t{1} << position;
      counter.step();
    }
    if (!pattern.to_end && (active & pattern.last) != 0) return true;
  }
  return (active & pattern.last) != 0;
}

constexpr bool matches_pattern(const PatternCheck& pattern, const std::string_view& text) {
  CountNothing counter;
  return run_pattern(pattern, text, counter);
}

// The formats.

/// Reads exactly `digits` digits at `at`, up to `most`. False for others.
constexpr bool read_digits(const std::string_view& text, std::size_t& at, unsigned digits, unsigned most,
                           unsigned& value) {
  value = 0;
  for (unsigned i = 0; i < digits; ++i, ++at) {
    if (at >= text.size() || !is_digit(text[at])) return false;
    value = value * 10 + static_cast<unsigned>(text[at] - '0');
  }
  return value <= most;
}
constexpr bool skip_char(const std::string_view& text, std::size_t& at, char c) {
  if (at >= text.size() || text[at] != c) return false;
  ++at;
  return true;
}

/// RFC 3339: full-date.
constexpr bool read_date(const std::string_view& text, std::size_t& at) {
  unsigned year = 0;
  unsigned month = 0;
  unsigned day = 0;
  if (!read_digits(text, at, 4, 9999, year) || !skip_char(text, at, '-') || !read_digits(text, at, 2, 12, month) ||
      !skip_char(text, at, '-') || !read_digits(text, at, 2, 31, day) || month == 0 || day == 0) {
    return false;
  }
  if (month != 2) return day <= 30 + ((month + (month >> 3)) & 1);
  const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return day <= (is_leap ? 29u : 28u);
}
constexpr bool is_date(const std::string_view& text) {
  std::size_t at = 0;
  return read_date(text, at) && at == text.size();
}

/// RFC 3339: date-time. A leap second is accepted at 23:59:60 UTC only.
constexpr bool is_date_time(const std::string_view& text) {
  std::size_t at = 0;
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
  if (!read_date(text, at) || !(skip_char(text, at, 'T') || skip_char(text, at, 't')) ||
      !read_digits(text, at, 2, 23, hour) || !skip_char(text, at, ':') || !read_digits(text, at, 2, 59, minute) ||
      !skip_char(text, at, ':') || !read_digits(text, at, 2, 60, second)) {
    return false;
  }
  if (skip_char(text, at, '.')) {
    const std::size_t first = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    if (at == first) return false;
  }
  unsigned offset = 0;  // of the local time, in minutes
  bool is_behind = false;
  if (!skip_char(text, at, 'Z') && !skip_char(text, at, 'z')) {
    is_behind = skip_char(text, at, '-');
    unsigned offset_minutes = 0;
    if (!(is_behind || skip_char(text, at, '+')) || !read_digits(text, at, 2, 23, offset) ||
        !skip_char(text, at, ':') || !read_digits(text, at, 2, 59, offset_minutes)) {
      return false;
    }
    offset = offset * 60 + offset_minutes;
  }
  if (at != text.size()) return false;
  constexpr unsigned day = 24 * 60;
  const unsigned utc = (hour * 60 + minute + (is_behind ? offset : day - offset)) % day;
  return second < 60 || utc == day - 1;
}

/// RFC 2673 section 3.2: four numbers up to 255, without leading zeros.
constexpr bool take_ipv4(const std::string_view& text, std::size_t& at) {
  for (unsigned i = 0; i < 4; ++i) {
    if (i > 0 && !skip_char(text, at, '.')) return false;
    const std::size_t first = at;
    unsigned value = 0;
    while (at < text.size() && is_digit(text[at]) && at - first < 3) {
      value = value * 10 + static_cast<unsigned>(text[at++] - '0');
    }
    if (at == first || value > 255 || (text[first] == '0' && at - first > 1)) return false;
  }
  return true;
}
constexpr bool is_ipv4(const std::string_view& text) {
  std::size_t at = 0;
  return take_ipv4(text, at) && at == text.size();
}

/// RFC 4291 section 2.2, without a zone: eight groups of 1 to 4 digits. One `::` stands for one or more of them, and an
/// IPv4 address for the last two.
constexpr bool is_ipv6(const std::string_view& text) {
  unsigned groups = 0;
  bool skips = false;
  std::size_t at = 0;
  if (text.starts_with("::")) {
    skips = true;
    at = 2;
  }
  while (at < text.size()) {
    const std::size_t first = at;
    while (at < text.size() && hex_value(text[at]) < 16) ++at;
    if (at < text.size() && text[at] == '.') {
      at = first;
      groups += 2;
      if (!take_ipv4(text, at) || at != text.size()) return false;
      break;
    }
    if (at == first || at - first > 4) return false;
    ++groups;
    if (at == text.size()) break;
    if (!skip_char(text, at, ':')) return false;
    if (skip_char(text, at, ':')) {
      if (skips) return false;
      skips = true;
    } else if (at == text.size()) {
      return false;
    }
  }
  return skips ? groups < 8 : groups == 8;
}

/// Whether a text has a format that can be checked.
consteval bool has_format(Format format, const std::string_view& text) {
  switch (format) {
    case Format::uri: return is_uri(text);
    case Format::date: return is_date(text);
    case Format::date_time: return is_date_time(text);
    case Format::ipv4: return is_ipv4(text);
    case Format::ipv6: return is_ipv6(text);
    default: return false;
  }
}

/// The function of a pattern at run time.
bool accept_pattern(const StringCheck& pattern, const std::string_view& text);
/// Writes what decorate_schema() writes, and the rare members: the pattern, the unit, `deprecated`.
void decorate_rarely(json::Writer& out, const ParamInfo& info, bool with_header);

}  // namespace detail
}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
