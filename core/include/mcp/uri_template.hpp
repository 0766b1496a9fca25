// SPDX-License-Identifier: Apache-2.0
/// @file
/// Matches URIs against templates of RFC 6570, for programs that use templates outside a resource table.
/// @code
/// bool is_pin(std::string_view uri) {
///   mcp::TemplateMatch match;
///   return mcp::match_uri("pin://{pin}", uri, match);
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <span>
#include <string_view>

#include "mcp/uri.hpp"

namespace mcp {

/// The largest number of variables in a template.
inline constexpr std::size_t max_template_variables = 8;

namespace detail {

/// An operator of an expression. Source: RFC 6570 appendix A.
struct Operator {
  char symbol;     // '\0': simple expansion
  char first;      // what the expansion starts with, '\0' for nothing
  char separator;  // between values
  bool named;      // values come as name=value
  bool reserved;   // reserved characters stay as they are
};
inline constexpr Operator operators[] = {
    {'\0', '\0', ',', false, false}, {'+', '\0', ',', false, true}, {'#', '#', ',', false, true},
    {'.', '.', '.', false, false},   {'/', '/', '/', false, false}, {';', ';', ';', true, false},
    {'?', '?', '&', true, false},    {'&', '&', '&', true, false},
};

constexpr const Operator& operator_of(std::string_view expression) {
  for (const Operator& op : operators) {
    if (!expression.empty() && expression.front() == op.symbol && op.symbol != '\0') return op;
  }
  return operators[0];
}

constexpr bool is_name_char(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; }

/// Returns the names of an expression, after its operator. No name begins with a dot.
constexpr std::string_view names_of(std::string_view expression) {
  const bool is_simple = expression.empty() || (is_name_char(expression.front()) && expression.front() != '.');
  return {expression.data() + (is_simple ? 0 : 1), expression.size() - (is_simple ? 0 : 1)};
}

constexpr std::string_view part(std::string_view text, std::size_t from, std::size_t to) {
  return {text.data() + from, to - from};
}

/// One part of a template: a literal, or the expression between two braces.
struct Piece {
  bool expression;
  std::string_view text;
};

/// Removes the first piece of `rest` and returns it. An expression without end comes back as a literal that starts with
/// its brace.
constexpr Piece next_piece(std::string_view& rest) {
  const std::size_t open = rest.find('{');
  std::size_t end = open;
  if (open == 0) {
    end = rest.find('}');
    if (end != std::string_view::npos) {
      const Piece piece{true, part(rest, 1, end)};
      rest = part(rest, end + 1, rest.size());
      return piece;
    }
  }
  if (end == std::string_view::npos) end = rest.size();
  const Piece piece{false, part(rest, 0, end)};
  rest = part(rest, end, rest.size());
  return piece;
}

/// Removes the first name of a list and returns it.
constexpr std::string_view next_name(std::string_view& names) {
  std::size_t end = names.find(',');
  const bool more = end != std::string_view::npos;
  if (!more) end = names.size();
  const std::string_view name = part(names, 0, end);
  names = part(names, end + (more ? 1 : 0), names.size());
  return name;
}

constexpr bool are_names(std::string_view names, std::size_t& count) {
  if (names.empty() || names.back() == ',') return false;
  while (!names.empty()) {
    const std::string_view name = next_name(names);
    if (name.empty()) return false;
    for (const char c : name) {
      if (!is_name_char(c)) return false;
    }
    ++count;
  }
  return true;
}

}  // namespace detail

/// Returns whether match_uri() supports a template. It must be well formed, without modifiers of level 4, with 1 to
/// `max_template_variables` variables. Between two expressions there must be a literal or the first character of an
/// operator. `{+x}` and `{#x}` have one name and are the last expression.
constexpr bool is_matchable(std::string_view uri_template) {
  std::size_t count = 0;
  bool after_expression = false;
  bool after_reserved = false;
  while (!uri_template.empty()) {
    const detail::Piece piece = detail::next_piece(uri_template);
    if (!piece.expression) {
      if (piece.text.find('{') != std::string_view::npos || piece.text.find('}') != std::string_view::npos)
        return false;
      after_expression = false;
      continue;
    }
    const detail::Operator& op = detail::operator_of(piece.text);
    const std::string_view names = detail::part(piece.text, op.symbol == '\0' ? 0 : 1, piece.text.size());
    const std::size_t before = count;
    if (!detail::are_names(names, count) || after_reserved) return false;
    if (op.reserved && count - before > 1) return false;
    if (after_expression && op.first == '\0') return false;
    after_expression = true;
    after_reserved = op.reserved;
  }
  return count >= 1 && count <= max_template_variables;
}

/// Returns whether each expression of a template that is_matchable() is one name without an operator, and each literal
/// has characters of a URI only, without an escape.
constexpr bool is_simple(std::string_view uri_template) {
  while (!uri_template.empty()) {
    const detail::Piece piece = detail::next_piece(uri_template);
    if (!piece.expression) {
      for (const char c : piece.text) {
        if (!detail::is_unreserved(c) && !detail::is_reserved(c)) return false;
      }
    } else if (detail::operator_of(piece.text).symbol != '\0' || piece.text.find(',') != std::string_view::npos) {
      return false;
    }
  }
  return true;
}

namespace detail {

/// Returns where the literal after an expression must end, at the end of the URI or before the first expression in
/// `rest`, the template after the literal. npos if the literal may be anywhere: `rest` contains a literal, or an
/// expression that does not begin with a character that ends each value.
constexpr std::size_t end_of_literal(const Operator& op, std::string_view literal, std::string_view rest,
                                     std::string_view uri) {
  std::size_t end = uri.size();
  while (!rest.empty()) {
    const Piece piece = next_piece(rest);
    const char first = operator_of(piece.text).first;
    const bool ends = piece.expression && (first == '/' || first == '?' || first == '#');
    if (!ends || first == op.first || literal.find(first) != std::string_view::npos) return std::string_view::npos;
    const std::size_t at = uri.find(first, 1);
    if (at < end) end = at;
  }
  return end;
}

/// The variables and literals of a template that a URI does not give uniquely.
enum class Ambiguity : std::uint8_t { none, literal, variable };

/// Whether the values of an expression may contain `c` although no escape stands for it.
constexpr bool separates(const Operator& op, bool has_several, char c) {
  return c == op.first || (c == op.separator && (op.first != '\0' || has_several)) || (op.named && c == '=');
}

// Of an expression and the expression after it, which may be empty, as those after it. `rest` is the template from that
// expression on.
constexpr Ambiguity ambiguity_of_next(const Operator& op, std::string_view rest) {
  std::string_view from_next = rest;
  const char next = operator_of(next_piece(from_next).text).first;
  if (next == '.') return Ambiguity::variable;
  while (!rest.empty()) {
    const Piece piece = next_piece(rest);
    const char first = piece.expression ? operator_of(piece.text).first : piece.text.front();
    const bool is_in_value = is_segment_char(first) || !is_reserved(first) || separates(op, true, first);
    if (first != next && is_in_value) return piece.expression ? Ambiguity::variable : Ambiguity::literal;
    if (!piece.expression) break;
  }
  return Ambiguity::none;
}

// Of an expression and the literal after it. `rest` is the template after the literal.
constexpr Ambiguity ambiguity_of_literal(const Operator& op, bool has_several, std::string_view literal,
                                         std::string_view rest) {
  if (end_of_literal(op, literal, rest, {}) != std::string_view::npos) return Ambiguity::none;
  for (const char c : literal) {
    if (is_reserved(c) && !separates(op, has_several, c)) return Ambiguity::none;
  }
  return Ambiguity::literal;
}

}  // namespace detail

/// Returns what makes a template ambiguous that is_matchable(): two sets of values have one expansion by RFC 6570. A
/// value may contain letters, digits, `-`, `.`, `_` and `~`, and any other character as an escape. So a literal between
/// a variable and another one needs a character that RFC 3986 reserves, such as `/` or `:`, and a variable before
/// another one needs a separator other than a dot. A literal may also be the end of the template or of a path.
constexpr detail::Ambiguity find_ambiguity(std::string_view uri_template) {
  using detail::Ambiguity;
  while (!uri_template.empty()) {
    const detail::Piece piece = detail::next_piece(uri_template);
    if (!piece.expression) continue;
    const detail::Operator& op = detail::operator_of(piece.text);
    const bool has_several = piece.text.find(',') != std::string_view::npos;
    if (op.separator == '.' && has_several) return Ambiguity::variable;
    if (uri_template.empty()) break;
    std::string_view rest = uri_template;
    const detail::Piece next = detail::next_piece(rest);
    const Ambiguity found = next.expression ? detail::ambiguity_of_next(op, uri_template)
                                            : detail::ambiguity_of_literal(op, has_several, next.text, rest);
    if (found != Ambiguity::none) return found;
  }
  return Ambiguity::none;
}

/// Returns whether `name` is a variable of a template that is_matchable().
[[nodiscard]] bool has_variable(std::string_view uri_template, const std::string_view& name);

/// A variable of a match.
struct UriVariable {
  std::string_view name;   ///< A view into the template.
  std::string_view value;  ///< A view into the URI, percent-encoded.
};

/// The variables of a match.
struct TemplateMatch {
  UriVariable variables[max_template_variables];  ///< The first `count` have values.
  std::size_t count = 0;                          ///< The number of variables.
};

/// Matches a URI against a template that is_matchable(). Returns false if no values of the variables give the URI.
/// A value may contain characters that an expansion escapes and a path segment allows, `: @ ! $ & ' ( ) * + , ; =`, up
/// to the literal or the separator after it. Named values have no `=`, and may have any order. Outside of values,
/// escapes are equal to the characters, except escapes of reserved characters. An unnamed value is not empty. Of a
/// template with a find_ambiguity(), the first value is the shortest one. Lifetime: the views in `match` point into
/// `uri` and `uri_template`. The time is linear in the URI.
/// Source: RFC 6570 sections 3.1 and 3.2.2 to 3.2.9, RFC 3986 section 6.2.2.
[[nodiscard]] bool match_uri(std::string_view uri_template, std::string_view uri, TemplateMatch& match);

/// Matches a URI against a template that is_simple(), in a third of the code of match_uri().
[[nodiscard]] bool match_simple_uri(std::string_view uri_template, std::string_view uri, TemplateMatch& match);

/// Percent-decodes `text`, a value of match_uri(), into `into`, which is at least as long. Returns the decoded part of
/// `into`. Source: RFC 3986 section 2.1.
std::string_view percent_decode(std::string_view text, std::span<char> into);

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
