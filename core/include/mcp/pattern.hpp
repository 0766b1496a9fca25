// SPDX-License-Identifier: Apache-2.0
/// @file
/// Patterns of strings: regular expressions that the compiler checks and the server matches in linear time.
/// @code
/// struct Register {
///   mcp::FixedString<8> serial;
/// };
/// constexpr auto register_params =
///     mcp::params(mcp::param<&Register::serial>("serial", {.pattern = mcp::pattern<"^[A-Z]{2}-[0-9]{4}$">}));
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/detail/string_check.hpp"

namespace mcp {

namespace compile_error {
void a_pattern_must_be_in_the_subset_of_ecma_262_that_mcp_pattern_describes();
void the_anchors_of_a_pattern_with_alternatives_need_a_group_as_in_begin_paren_a_bar_b_paren_end();
void a_pattern_must_have_at_most_64_characters_after_its_repetitions();
void a_pattern_must_have_at_most_255_ranges_of_characters();
}  // namespace compile_error

namespace detail {

/// A string literal as a template argument.
template <std::size_t N>
struct PatternText {
  char text[N] = {};
  consteval PatternText(const char (&literal)[N]) {  // NOLINT(google-explicit-constructor)
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
  [[nodiscard]] consteval std::string_view view() const { return {text, N - 1}; }
};

/// Makes the automaton of a pattern: of each part of it, the positions at which the part begins and ends.
/// Source: V. M. Glushkov, The abstract theory of automata, 1961.
class PatternParser {
 public:
  static constexpr unsigned most_positions = 64;
  static constexpr unsigned most_ranges = 255;

  struct Part {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool accepts_empty = true;
  };

  std::uint64_t follow[most_positions] = {};
  CharClass classes[most_positions] = {};
  CharRange ranges[most_ranges + 1] = {};
  unsigned positions = 0;
  unsigned range_count = 0;
  Part whole;
  bool from_begin = false;
  bool to_end = false;

  consteval explicit PatternParser(std::string_view text) : text_(text) {
    from_begin = skip('^');
    bool has_alternatives = false;
    whole = alternatives(true, has_alternatives);
    if (at_ != text_.size()) reject();
    if (has_alternatives && (from_begin || to_end)) {
      compile_error::the_anchors_of_a_pattern_with_alternatives_need_a_group_as_in_begin_paren_a_bar_b_paren_end();
    }
  }

 private:
  static constexpr std::uint32_t last_code = 0x10'FFFF;
  static constexpr unsigned unbounded = 0xFFFF;

  static consteval void reject(bool wrong = true) {
    if (wrong) compile_error::a_pattern_must_be_in_the_subset_of_ecma_262_that_mcp_pattern_describes();
  }

  consteval bool ends() const { return at_ == text_.size(); }
  consteval bool sees(char c) const { return at_ < text_.size() && text_[at_] == c; }
  consteval bool skip(char c) {
    if (!sees(c)) return false;
    ++at_;
    return true;
  }
  consteval std::uint32_t read_code() {
    const char* at = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    if (at == end || json::utf8_length(at, end) == 0 || static_cast<std::uint8_t>(*at) < ' ') reject();
    const std::uint32_t code = read_code_point(at, end);
    at_ = static_cast<std::size_t>(at - text_.data());
    return code;
  }

  consteval Part alternatives(bool is_outermost, bool& any) {
    Part result = sequence(is_outermost);
    while (skip('|')) {
      any = true;
      const Part other = sequence(is_outermost);
      result = {result.first | other.first, result.last | other.last, result.accepts_empty || other.accepts_empty};
    }
    return result;
  }

  consteval Part sequence(bool is_outermost) {
    Part result;
    while (!ends() && !sees('|') && !sees(')')) {
      if (is_outermost && sees('$') && (at_ + 1 == text_.size() || text_[at_ + 1] == '|')) {
        ++at_;
        to_end = true;
        return result;
      }
      result = join(result, repeated());
    }
    return result;
  }

  consteval Part join(const Part& a, const Part& b) {
    link(a.last, b.first);
    return {a.first | (a.accepts_empty ? b.first : 0), b.last | (b.accepts_empty ? a.last : 0),
            a.accepts_empty && b.accepts_empty};
  }
  consteval void link(std::uint64_t from, std::uint64_t to) {
    for (unsigned i = 0; i < positions; ++i) {
      if ((from >> i & 1) != 0) follow[i] |= to;
    }
  }

  consteval unsigned read_count() {
    unsigned count = 0;
    if (ends() || !is_digit(text_[at_])) reject();
    while (!ends() && is_digit(text_[at_])) {
      count = count * 10 + static_cast<unsigned>(text_[at_++] - '0');
      if (count > 1000) compile_error::a_pattern_must_have_at_most_64_characters_after_its_repetitions();
    }
    return count;
  }

  consteval void read_quantifier(unsigned& least, unsigned& most) {
    if (skip('?')) {
      least = 0;
    } else if (skip('*')) {
      least = 0;
      most = unbounded;
    } else if (skip('+')) {
      most = unbounded;
    } else if (skip('{')) {
      least = most = read_count();
      if (skip(',')) most = sees('}') ? unbounded : read_count();
      if (!skip('}') || least > most) reject();
    }
  }

  // Each repetition is the atom once more, with positions of its own.
  consteval Part repeated() {
    const std::size_t begin = at_;
    const unsigned before = positions;
    Part atom_part = atom();
    unsigned least = 1;
    unsigned most = 1;
    read_quantifier(least, most);
    const std::size_t end = at_;
    if (most == 0) {
      positions = before;
      return {};
    }
    const unsigned copies = most != unbounded ? most : least != 0 ? least : 1;
    if (copies > most_positions) compile_error::a_pattern_must_have_at_most_64_characters_after_its_repetitions();
    Part result;
    for (unsigned i = 0; i < copies; ++i) {
      if (i > 0) {
        at_ = begin;
        atom_part = atom();
      }
      if (most == unbounded && i + 1 == copies) link(atom_part.last, atom_part.first);
      Part copy = atom_part;
      if (i >= least) copy.accepts_empty = true;
      result = join(result, copy);
    }
    at_ = end;
    return result;
  }

  consteval Part atom() {
    if (skip('(')) {
      if (skip('?') && !skip(':')) reject();
      bool any = false;
      const Part result = alternatives(false, any);
      if (!skip(')')) reject();
      return result;
    }
    CharRange found[most_ranges + 1] = {};
    unsigned count = 0;
    bool negated = false;
    if (skip('[')) {
      negated = skip('^');
      read_class(found, count);
    } else if (skip('.')) {
      negated = true;
      for (const std::uint32_t code : {0x0Au, 0x0Du}) add(found, count, code, code);
      add(found, count, 0x2028, 0x2029);
    } else if (skip('\\')) {
      if (sees('D') || sees('W') || sees('S')) {
        negated = true;
        add_escape(found, count, static_cast<char>(text_[at_++] | 0x20));
      } else if (sees('d') || sees('w') || sees('s')) {
        add_escape(found, count, text_[at_++]);
      } else {
        const std::uint32_t code = read_escaped(false);
        add(found, count, code, code);
      }
    } else {
      constexpr std::string_view syntax = "^$*+?{}[]()|";
      if (!ends() && syntax.find(text_[at_]) != std::string_view::npos) reject();
      const std::uint32_t code = read_code();
      add(found, count, code, code);
    }
    return position(found, count, negated);
  }

  consteval void add(CharRange (&found)[most_ranges + 1], unsigned& count, std::uint32_t first, std::uint32_t last) {
    if (count == most_ranges) compile_error::a_pattern_must_have_at_most_255_ranges_of_characters();
    found[count++] = {first, last};
  }

  consteval void add_escape(CharRange (&found)[most_ranges + 1], unsigned& count, char kind) {
    if (kind != 's') add(found, count, '0', '9');
    if (kind == 'w') {
      add(found, count, 'A', 'Z');
      add(found, count, '_', '_');
      add(found, count, 'a', 'z');
    }
    if (kind != 's') return;
    constexpr CharRange spaces[] = {{0x09, 0x0D},     {0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680},
                                    {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
                                    {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
    for (const CharRange& space : spaces) add(found, count, space.first, space.last);
  }

  // What follows a backslash and is one character.
  consteval std::uint32_t read_escaped(bool in_class) {
    constexpr std::string_view syntax = "^$\\.*+?()[]{}|/";
    if (ends()) reject();
    const char c = text_[at_++];
    switch (c) {
      case 't': return '\t';
      case 'n': return '\n';
      case 'v': return '\v';
      case 'f': return '\f';
      case 'r': return '\r';
      default: break;
    }
    if (syntax.find(c) == std::string_view::npos && !(in_class && c == '-')) reject();
    return static_cast<std::uint8_t>(c);
  }

  consteval void read_class(CharRange (&found)[most_ranges + 1], unsigned& count) {
    if (sees(']')) reject();
    while (!skip(']')) {
      if (sees('\\') && at_ + 1 < text_.size() &&
          std::string_view("dws").find(text_[at_ + 1]) != std::string_view::npos) {
        add_escape(found, count, text_[at_ + 1]);
        at_ += 2;
        if (sees('-') && !(at_ + 1 < text_.size() && text_[at_ + 1] == ']')) reject();
        continue;
      }
      const std::uint32_t first = skip('\\') ? read_escaped(true) : read_code();
      std::uint32_t last = first;
      if (sees('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
        ++at_;
        last = skip('\\') ? read_escaped(true) : read_code();
        if (last < first) reject();
      }
      add(found, count, first, last);
    }
  }

  // Positions with the same characters share their ranges.
  consteval Part position(const CharRange (&found)[most_ranges + 1], unsigned count, bool negated) {
    if (positions == most_positions) compile_error::a_pattern_must_have_at_most_64_characters_after_its_repetitions();
    unsigned begin = 0;
    while (begin + count <= range_count && !is_at(begin, found, count)) ++begin;
    if (begin + count > range_count) {
      begin = range_count;
      for (unsigned i = 0; i < count; ++i) add(ranges, range_count, found[i].first, found[i].last);
    }
    follow[positions] = 0;
    classes[positions] = {static_cast<std::uint16_t>(begin), static_cast<std::uint8_t>(count), negated};
    const std::uint64_t bit = std::uint64_t{1} << positions++;
    return {bit, bit, false};
  }
  consteval bool is_at(unsigned begin, const CharRange (&found)[most_ranges + 1], unsigned count) const {
    for (unsigned i = 0; i < count; ++i) {
      if (ranges[begin + i].first != found[i].first || ranges[begin + i].last != found[i].last) return false;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The tables of a pattern, with as many rows as it needs.
template <std::size_t Positions, std::size_t Ranges>
struct PatternTables {
  std::uint64_t follow[Positions == 0 ? 1 : Positions] = {};
  CharClass classes[Positions == 0 ? 1 : Positions] = {};
  CharRange ranges[Ranges == 0 ? 1 : Ranges] = {};
  consteval explicit PatternTables(const PatternParser& parsed) {
    for (std::size_t i = 0; i < Positions; ++i) follow[i] = parsed.follow[i];
    for (std::size_t i = 0; i < Positions; ++i) classes[i] = parsed.classes[i];
    for (std::size_t i = 0; i < Ranges; ++i) ranges[i] = parsed.ranges[i];
  }
};

consteval PatternParser::Part whole_of(std::string_view text) { return PatternParser(text).whole; }

template <PatternText text>
inline constexpr PatternText pattern_text = text;
template <PatternText text>
inline constexpr PatternTables<PatternParser(text.view()).positions, PatternParser(text.view()).range_count>
    pattern_tables{PatternParser(text.view())};

template <PatternText text>
consteval PatternCheck make_pattern() {
  const PatternParser parsed(text.view());
  return {{{decorate_rarely}, accept_pattern, pattern_text<text>.view()},
          pattern_tables<text>.follow,
          pattern_tables<text>.classes,
          pattern_tables<text>.ranges,
          parsed.whole.first,
          parsed.whole.last,
          parsed.whole.accepts_empty,
          parsed.from_begin,
          parsed.to_end};
}

}  // namespace detail

/// A pattern for `.pattern` of a string, checked while the program is compiled: `mcp::pattern<"^[a-z]{1,8}$">`. The
/// schema has the same text as `pattern`. It matches anywhere in the string, unless it has anchors. The server matches
/// code points in a time that is linear in the length of the string, and without recursion.
///
/// It is a subset of ECMA-262 with the flag `u`:
/// - characters; `.` for any but line ends; classes such as `[a-z_]` and `[^"]`; `\d`, `\w`, `\s`, and outside of a
/// class
///   `\D`, `\W`, `\S`; the escapes `\t`, `\n`, `\v`, `\f`, `\r`, and a backslash before a character of the syntax
/// - the quantifiers `?`, `*`, `+`, `{n}`, `{n,}`, `{n,m}`
/// - groups, also as `(?:…)`, with alternatives: `(on|off)`
/// - `^` as the first and `$` as the last character
///
/// Limits: 64 characters and classes after repetition: `[A-Z]{2}-[0-9]{4}` has 7. Flash: 12 bytes for each, and 8 for
/// each range. Errors: other patterns do not compile, such as those with look-ahead or references back.
/// Source: JSON Schema 2020-12, Validation, section 6.3.3.
template <detail::PatternText text>
inline constexpr detail::PatternCheck pattern = detail::make_pattern<text>();

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
