// SPDX-License-Identifier: Apache-2.0
#include "http/http1/http_text.hpp"

#include <cstring>

#include "mcp/json/text.hpp"

namespace mcp::http {
namespace {

// True for letters that differ in their case.
bool same_letter(char a, char b) { return (a ^ b) == 0x20 && static_cast<unsigned>((a | 0x20) - 'a') < 26; }

// A line of a scanned head contains no byte below the space except the tab.
bool is_blank(char c) { return static_cast<std::uint8_t>(c) <= ' '; }

// The sets of each byte. Bytes above 127 have rows, too, because a check for them takes longer.
struct SetsOf {
  std::uint8_t rows[256];
};

constexpr SetsOf sets_of = [] {
  SetsOf made{};
  const auto add = [&](char c, unsigned sets) {
    std::uint8_t& row = made.rows[static_cast<std::uint8_t>(c)];
    row = static_cast<std::uint8_t>(row | sets);
  };
  constexpr unsigned all = 0xF;
  for (char c = '0'; c <= '9'; ++c) add(c, all);
  for (char c = 'a'; c <= 'z'; ++c) add(c, all);
  for (char c = 'A'; c <= 'Z'; ++c) add(c, all);
  for (const char c : "!#$%&'*+-.^_`|~"sv) add(c, static_cast<unsigned>(CharSet::token));
  for (const char c : "-._~%!$&'()*+,;=:@/?[]"sv) add(c, static_cast<unsigned>(CharSet::target));
  for (const char c : "-._~%!$&'()*+,;=:[]"sv) add(c, static_cast<unsigned>(CharSet::authority));
  for (const char c : "-._~+/"sv) add(c, static_cast<unsigned>(CharSet::bearer));
  return made;
}();

// Removes the first `size` bytes of `rest`, and the separator after them if `rest` continues.
std::string_view read(std::string_view& rest, std::size_t size) {
  const std::string_view part(rest.data(), size);
  rest.remove_prefix(size + (size < rest.size() ? 1 : 0));
  return part;
}

// Returns the end of the quoted string that begins at `at`: its closing quote, or the last character without one.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at < text.size() ? at : text.size() - 1;
}

}  // namespace

bool is_of(char c, CharSet set) {
  return (sets_of.rows[static_cast<std::uint8_t>(c)] & static_cast<unsigned>(set)) != 0;
}

const char* skip(const char* at, CharSet set) {
  while (is_of(*at, set)) ++at;
  return at;
}

bool consists_of(const std::string_view& text, CharSet set) {
  for (const char c : text) {
    if (!is_of(c, set)) return false;
  }
  return !text.empty();
}

// Most clients use the case of the specifications, and json::equal() is the fastest comparison.
bool equal_without_case(const std::string_view& a, const std::string_view& b) {
  if (json::equal(a, b)) return true;
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i != a.size(); ++i) {
    if (a[i] != b[i] && !same_letter(a[i], b[i])) return false;
  }
  return true;
}

bool is_word(const std::string_view& text, const char* word) { return equal_without_case(text, word); }

std::string_view trimmed(std::string_view text) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  while (begin != end && is_blank(end[-1])) --end;
  while (begin != end && is_blank(*begin)) ++begin;
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::string_view read_until(std::string_view& rest, char separator) {
  const void* const found = rest.empty() ? nullptr : std::memchr(rest.data(), separator, rest.size());
  return read(rest,
              found == nullptr ? rest.size() : static_cast<std::size_t>(static_cast<const char*>(found) - rest.data()));
}

std::string_view next_part(std::string_view& rest, char separator) {
  const char* const begin = rest.data();
  const char* const end = begin + rest.size();
  const char* at = begin;
  for (;; ++at) {
    const char c = *at;
    if (c >= 'A') continue;  // neither a separator nor a quote, nor the byte at the end
    if (at >= end || c == separator) break;
    if (c == '"') at = begin + end_of_quoted(rest, static_cast<std::size_t>(at - begin));
  }
  return trimmed(read(rest, static_cast<std::size_t>(at - begin)));
}

bool list_has(std::string_view list, const char* token) {
  while (!list.empty()) {
    if (is_word(next_part(list, ','), token)) return true;
  }
  return false;
}

bool has_zero_quality(std::string_view parameters) {
  while (!parameters.empty()) {
    std::string_view number = next_part(parameters, ';');
    if (!is_word(read_until(number, '='), "q")) continue;
    while (number.starts_with('0') || number.starts_with('.')) number.remove_prefix(1);
    if (number.empty()) return true;
  }
  return false;
}

bool skip_scheme(std::string_view& rest) {
  const std::string_view scheme = read_until(rest, ':');
  if (!is_word(scheme, "http") && !is_word(scheme, "https")) return false;
  if (!rest.starts_with("//"sv)) return false;
  rest.remove_prefix(2);
  return true;
}

char* put_before(char* at, const std::string_view& text) {
  at -= text.size();
  std::memcpy(at, text.data(), text.size());
  return at;
}

char* put_before(char* at, const char* text) { return put_before(at, std::string_view(text)); }

char* put_before(char* at, std::uint32_t number) {
  do {
    *--at = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return at;
}

const char* answer_at(const char* table, unsigned index) {
  while (--index != 0) {
    while (*table != '\0') ++table;
    ++table;
  }
  return table;
}

std::string_view packed_at(const char* table, unsigned index) {
  for (; index != 0; --index) table += 1 + *table;
  return {table + 1, static_cast<std::size_t>(*table)};
}

}  // namespace mcp::http
