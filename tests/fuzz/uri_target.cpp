// SPDX-License-Identifier: Apache-2.0
// URI templates matched backwards: a match expands to the same URI again, and an expansion matches. This file has its
// own expansion after RFC 6570 section 3.2.1.
#include <memory>

#include "fuzz/target.hpp"
#include "mcp/uri_template.hpp"

namespace {

using mcp::TemplateMatch;

constexpr std::string_view templates[] = {"a://x/{id}",    "a://{x}/{y}",   "{x}",           "a:{x,y}b",   "a:{+path}",
                                          "a:{#frag}",     "a{.x,y}",       "a{/x,y}",       "a{;x,y}",    "a{?x,y}",
                                          "a?f=1{&x,y}",   "a:{x}b{y}b",    "a{/x}{?y}{#z}", "a{?x}{&y}",  "a{;x}{;y}",
                                          "a{.x}{/y}{;z}", "a:{x}-{y}-{z}", "a:{+path}.txt", "{x}{/y}/end"};

std::string encoded(std::string_view value, bool reserved) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string text;
  for (const char c : value) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
        (c != '\0' && std::string_view("-._~").find(c) != std::string_view::npos) ||
        (reserved && c != '\0' && std::string_view(":/?#[]@!$&'()*+,;=").find(c) != std::string_view::npos);
    if (plain) {
      text += c;
      continue;
    }
    const auto byte = static_cast<std::uint8_t>(c);
    text += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return text;
}

/// Expands with the values of `value_of`: nullptr if a variable is not defined.
template <class ValueOf>
std::string expand(std::string_view uri_template, ValueOf value_of, bool raw) {
  std::string uri;
  while (!uri_template.empty()) {
    const mcp::detail::Piece piece = mcp::detail::next_piece(uri_template);
    if (!piece.expression) {
      uri += piece.text;
      continue;
    }
    const mcp::detail::Operator& op = mcp::detail::operator_of(piece.text);
    std::string_view names = piece.text.substr(op.symbol == '\0' ? 0 : 1);
    bool first = true;
    while (!names.empty()) {
      const std::string_view name = mcp::detail::next_name(names);
      const std::string* const value = value_of(name);
      if (value == nullptr) continue;
      if (!first) uri += op.separator;
      if (first && op.first != '\0') uri += op.first;
      first = false;
      if (op.named) uri.append(name).append(value->empty() && op.symbol == ';' ? "" : "=");
      uri += raw ? *value : encoded(*value, op.reserved);
    }
  }
  return uri;
}

std::string decoded(std::string_view text) {
  const std::unique_ptr<char[]> into(new char[text.size()]);
  return std::string(mcp::percent_decode(text, {into.get(), text.size()}));
}

/// Without the escapes of unreserved characters. Source: RFC 3986 section 6.2.2.2.
std::string normal(std::string_view uri) {
  std::string text;
  for (std::size_t at = 0; at < uri.size();) {
    const std::size_t from = at;
    const unsigned code = mcp::detail::read_uri_char(uri, at);
    if (code <= mcp::detail::decoded_char) {
      text += static_cast<char>(code);
    } else {
      text += uri.substr(from, at - from);
    }
  }
  return text;
}

/// Half an escape is none, but may become one in normal form.
bool has_half_escape(std::string_view uri) {
  for (std::size_t at = 0; at < uri.size();) {
    const std::size_t from = at;
    if (mcp::detail::read_uri_char(uri, at) == '%' && at - from == 1) return true;
  }
  return false;
}

/// A match is an expansion of some values. Named values may be in another order, and ";x=" is ";x".
void check_match(std::string_view uri_template, std::string_view given) {
  TemplateMatch match;
  const bool matches = mcp::match_uri(uri_template, given, match);
  const std::string uri = normal(given);
  // An ambiguous template takes an escaped dot for a part of a value.
  const bool is_clear = mcp::find_ambiguity(uri_template) == mcp::detail::Ambiguity::none && !has_half_escape(given);
  TemplateMatch of_normal;
  if (is_clear && mcp::match_uri(uri_template, uri, of_normal) != matches)
    fuzz::fail("escapes decide about a match", given, uri);
  if (mcp::is_simple(uri_template)) {
    TemplateMatch simple;
    if (mcp::match_simple_uri(uri_template, given, simple) != matches)
      fuzz::fail("the two matchers differ", given, uri_template);
  }
  if (!matches) return;
  std::string values[mcp::max_template_variables];
  for (std::size_t i = 0; i < match.count; ++i) {
    values[i] = match.variables[i].value;
    static_cast<void>(decoded(values[i]));
  }
  const std::string again = normal(expand(
      uri_template,
      [&](std::string_view name) -> const std::string* {
        for (std::size_t i = 0; i < match.count; ++i) {
          if (match.variables[i].name == name) return &values[i];
        }
        return nullptr;
      },
      true));
  if (again == uri) return;
  const bool free_order = uri_template.find_first_of(";?&") != std::string_view::npos;
  if (!free_order) fuzz::fail("a match that does not expand to the URI", again, uri);
  // The same pairs in another order have the same length; the signs after empty path parameters are additional.
  if (again.size() > uri.size() || again.size() + match.count < uri.size())
    fuzz::fail("a match of other pairs", again, uri);
}

bool run(std::string_view input) {
  fuzz::Bytes bytes(input);
  const std::string_view uri_template = templates[bytes.byte() % std::size(templates)];
  if (bytes.byte() % 2 == 0) {
    const std::string_view rest = bytes.rest();
    const std::unique_ptr<char[]> copy(new char[rest.size()]);
    std::copy(rest.begin(), rest.end(), copy.get());
    check_match(uri_template, {copy.get(), rest.size()});
    return true;
  }
  std::string values[3];
  for (std::string& value : values) value = bytes.text(1 + bytes.byte() % 9);
  if (values[2].empty()) return false;  // unnamed values are not empty
  if (uri_template.find("{.") != uri_template.npos && values[0].find('.') != values[0].npos)
    return false;  // nor have dots
  const auto value_of = [&](std::string_view name) {
    return &values[name == "x" || name == "id" ? 0 : name == "y" ? 1 : 2];
  };
  const std::string uri = expand(uri_template, value_of, false);
  TemplateMatch match;
  if (!mcp::match_uri(uri_template, uri, match)) fuzz::fail("an expansion does not match", uri, uri_template);
  check_match(uri_template, uri);
  return true;
}

std::vector<std::string> seeds() {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < std::size(templates); ++i) {
    const std::string first(1, static_cast<char>(i));
    std::string values[] = {"v1", "a b", "c"};
    const auto value_of = [&](std::string_view name) { return &values[name == "y" ? 1 : name == "z" ? 2 : 0]; };
    all.push_back(first + '\0' + expand(templates[i], value_of, false));
    all.push_back(first + "\1\2abc\3wxyz\1__");
  }
  return all;
}

std::vector<std::string> words() {
  return {"%20", "%2F", "%2E", "%61", "%",  "%zz", "/", "?", "&",  "#",    ";",
          "=",   ".",   ",",   "x=",  "y=", "x",   "b", "-", "a:", ".txt", "/end"};
}

}  // namespace

namespace fuzz {
const Target uri_target{"uri", run, seeds, words, nullptr, 256};
}  // namespace fuzz
