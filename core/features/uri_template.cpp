// SPDX-License-Identifier: Apache-2.0
#include "mcp/uri_template.hpp"
#include "mcp/json/text.hpp"

namespace mcp {
namespace {

using detail::is_reserved;
using detail::is_segment_char;
using detail::is_unreserved;
using detail::names_of;
using detail::Operator;
using detail::Piece;

std::string_view drop(std::string_view text, std::size_t count) { return {text.data() + count, text.size() - count}; }

// Length of the escapes and accepted characters that `uri` starts with.
template <class Accepts>
std::size_t run_length(std::string_view uri, Accepts accepts) {
  std::size_t i = 0;
  while (i < uri.size()) {
    if (uri[i] == '%') {
      if (uri.size() - i < 3 || (detail::hex_value(uri[i + 1]) | detail::hex_value(uri[i + 2])) > 15) return i;
      i += 3;
    } else {
      if (!accepts(uri[i])) return i;
      ++i;
    }
  }
  return i;
}

// Length of the longest start of `uri` that can be the values of an expression with this operator.
std::size_t run_length(const Operator& op, std::string_view uri) {
  return run_length(uri, [&](char c) {
    const bool structural = c == op.separator || (op.first != '\0' && c == op.first);
    return structural || is_segment_char(c) || (op.reserved && is_reserved(c));
  });
}

// Length of a literal of URI characters at the start of `uri`; npos if it is not there. An escape of an unreserved
// character is that character, so that no URI gets around this template to another one. Source: RFC 3986 section 6.2.2.
std::size_t plain_length(std::string_view uri, std::string_view literal) {
  std::size_t length = 0;
  for (const char c : literal) {
    if (length == uri.size() || detail::read_uri_char(uri, length) != static_cast<std::uint8_t>(c))
      return std::string_view::npos;
  }
  return length;
}

// The same of any literal. A space, a byte beyond ASCII and another character that no URI has may be an escape in one
// and not in the other. An escape of a reserved character is not that character. Source: RFC 6570 section 3.1.
std::size_t literal_length(std::string_view uri, std::string_view literal) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < literal.size();) {
    const unsigned wanted = detail::read_uri_char(literal, i);
    if (length == uri.size()) return std::string_view::npos;
    const unsigned found = detail::read_uri_char(uri, length);
    if (((wanted ^ found) & detail::decoded_char) != 0) return std::string_view::npos;
    if (is_reserved(static_cast<char>(wanted)) && wanted != found) return std::string_view::npos;
  }
  return length;
}

// Where the literal after an expression begins, at `from` or later; npos if it does not occur. With an `end`, the
// literal ends there: earlier occurrences belong to the value. `measure`: plain_length or literal_length.
template <class Measure>
std::size_t find_literal(std::string_view uri, std::string_view literal, std::size_t from, std::size_t end,
                         Measure measure) {
  const bool is_anywhere = end == std::string_view::npos;
  for (std::size_t i = 0; i < uri.size(); i += uri[i] == '%' ? 3U : 1U) {
    if (i < from) continue;
    const std::size_t length = measure(drop(uri, i), literal);
    if (length != std::string_view::npos && (is_anywhere || i + length == end)) return i;
  }
  return std::string_view::npos;
}

// The name in `names` that is `wanted`, which may have escapes; empty if there is none.
std::string_view find_name(std::string_view names, std::string_view wanted) {
  while (!names.empty()) {
    const std::string_view name = detail::next_name(names);
    if (detail::same_uri(name, wanted)) return name;
  }
  return {};
}

// Length of the pairs at the start of `text` whose names are among `names`, each with the character before it.
std::size_t pairs_length(const Operator& op, std::string_view names, std::string_view text) {
  std::size_t length = 0;
  while (length < text.size()) {
    const std::size_t next = text.find(op.separator, length + 1);
    const std::size_t end = next != std::string_view::npos ? next : text.size();
    // In this pair alone: a search to the end of the text for each pair would make the time quadratic.
    const std::string_view pair = detail::part(text, length + 1, end);
    const std::size_t equals = pair.find('=');
    if (find_name(names, detail::part(pair, 0, equals < pair.size() ? equals : pair.size())).empty()) break;
    length = end;
  }
  return length;
}

// Length of the first character of an expansion at the start of `uri`, which may be an escape of a dot; 0 if it is not
// there.
std::size_t first_length(const Operator& op, std::string_view uri) {
  std::size_t length = 0;
  const bool is_there = !uri.empty() && detail::read_uri_char(uri, length) == static_cast<std::uint8_t>(op.first);
  return is_there ? length : 0;
}

// Where the expression ends in `uri`, with the rest of the template after it; npos if it does not match.
std::size_t expression_end(std::string_view expression, std::string_view uri, std::string_view rest) {
  const Operator& op = detail::operator_of(expression);
  if (op.first != '\0' && first_length(op, uri) == 0) return 0;  // none of its variables is defined
  const std::size_t run = run_length(op, uri);
  if (rest.empty()) return run;
  const Piece next = detail::next_piece(rest);
  if (next.expression) {
    const char first = detail::operator_of(next.text).first;
    // The next expression may be empty. If it looks like more pairs of this one, the names decide.
    const std::size_t end = op.named && first == op.separator
                                ? pairs_length(op, names_of(expression), detail::part(uri, 0, run))
                                : uri.find(first, 1);
    return end < run ? end : run;
  }
  // A value that nothing comes before is not empty.
  const std::size_t end = find_literal(uri, next.text, op.first == '\0' ? 1 : 0,
                                       detail::end_of_literal(op, next.text, rest, uri), literal_length);
  return end <= run ? end : std::string_view::npos;
}

bool bind(TemplateMatch& match, std::string_view name, std::string_view value) {
  for (std::size_t i = 0; i < match.count; ++i) {
    if (json::equal(match.variables[i].name, name)) return false;
  }
  match.variables[match.count++] = {name, value};
  return true;
}

// Takes the text before the separator off `text`, and the separator. False when nothing follows the separator.
bool next_value(std::string_view& text, char separator, std::string_view& value) {
  const std::size_t end = text.find(separator);
  if (end == std::string_view::npos) {
    value = text;
    text = {};
    return true;
  }
  value = detail::part(text, 0, end);
  text = drop(text, end + 1);
  return !text.empty();
}

bool match_named(const Operator& op, std::string_view names, std::string_view text, TemplateMatch& match) {
  while (!text.empty()) {
    std::string_view pair;
    if (!next_value(text, op.separator, pair)) return false;
    const std::size_t equals = pair.find('=');
    const bool has_value = equals != std::string_view::npos;
    if (!has_value && op.symbol != ';')
      return false;  // only path parameters leave the sign out where the value is empty
    const std::string_view name = find_name(names, has_value ? detail::part(pair, 0, equals) : pair);
    const std::string_view value = drop(pair, has_value ? equals + 1 : pair.size());
    if (value.find('=') != std::string_view::npos) return false;
    if (name.empty() || !bind(match, name, value)) return false;
  }
  return true;
}

bool match_unnamed(const Operator& op, std::string_view names, std::string_view text, TemplateMatch& match) {
  const bool is_alone = op.first == '\0' && names.find(',') == std::string_view::npos;
  while (!names.empty() && !text.empty()) {
    const std::string_view name = detail::next_name(names);
    // The last value keeps separators that it may contain itself, as the dots of {.x} and the commas of {x}.
    const bool keeps = names.empty() && (op.reserved || is_unreserved(op.separator) || is_alone);
    std::string_view value = text;
    if (keeps) {
      text = {};
    } else if (!next_value(text, op.separator, value)) {
      return false;
    }
    if (value.empty() || !bind(match, name, value)) return false;
  }
  return text.empty();
}

bool match_expression(std::string_view expression, std::string_view text, TemplateMatch& match) {
  const Operator& op = detail::operator_of(expression);
  const std::string_view names = names_of(expression);
  if (op.first == '\0') return !text.empty() && match_unnamed(op, names, text, match);
  if (text.empty()) return true;  // no variable of this expression is defined
  const std::size_t first = first_length(op, text);  // expression_end() has found it
  if (first == text.size()) return false;
  text = drop(text, first);
  return op.named ? match_named(op, names, text, match) : match_unnamed(op, names, text, match);
}

// The length of the match of an expression at the start of the URI, whose values it binds; npos without a match. `rest`
// is the template after the expression.
std::size_t expression_length(std::string_view expression, std::string_view uri, std::string_view rest,
                              TemplateMatch& match) {
  const std::size_t length = expression_end(expression, uri, rest);
  const bool matches =
      length != std::string_view::npos && match_expression(expression, detail::part(uri, 0, length), match);
  return matches ? length : std::string_view::npos;
}

std::size_t simple_length(std::string_view name, std::string_view uri, std::string_view rest, TemplateMatch& match) {
  const std::size_t run = run_length(uri, is_segment_char);
  std::size_t length = run;
  if (!rest.empty()) {
    const Piece literal = detail::next_piece(rest);
    length = find_literal(uri, literal.text, 1, rest.empty() ? uri.size() : std::string_view::npos, plain_length);
  }
  const bool matches = length != 0 && length <= run && bind(match, name, detail::part(uri, 0, length));
  return matches ? length : std::string_view::npos;
}

template <class Length, class Measure>
bool match_pieces(std::string_view uri_template, std::string_view uri, TemplateMatch& match, Length length_of,
                  Measure measure) {
  match.count = 0;
  while (!uri_template.empty()) {
    const Piece piece = detail::next_piece(uri_template);
    const std::size_t length =
        piece.expression ? length_of(piece.text, uri, uri_template, match) : measure(uri, piece.text);
    if (length == std::string_view::npos) return false;
    uri = drop(uri, length);
  }
  return uri.empty();
}

}  // namespace

bool has_variable(std::string_view uri_template, const std::string_view& name) {
  while (!uri_template.empty()) {
    const Piece piece = detail::next_piece(uri_template);
    if (piece.expression && !find_name(names_of(piece.text), name).empty()) return true;
  }
  return false;
}

bool match_uri(std::string_view uri_template, std::string_view uri, TemplateMatch& match) {
  return match_pieces(uri_template, uri, match, expression_length, literal_length);
}

bool match_simple_uri(std::string_view uri_template, std::string_view uri, TemplateMatch& match) {
  return match_pieces(uri_template, uri, match, simple_length, plain_length);
}

std::string_view percent_decode(std::string_view text, std::span<char> into) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < text.size();) into[size++] = static_cast<char>(detail::read_uri_char(text, i));
  return {into.data(), size};
}

}  // namespace mcp
