#include "transports/http/text.hpp"

#include <cstring>

#include "json/number.hpp"

namespace mcp::http {
namespace {

// True for letters that differ in their case.
bool same_letter(char a, char b) { return (a ^ b) == 0x20 && static_cast<unsigned>((a | 0x20) - 'a') < 26; }

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Takes `size` bytes and one separator, if there is one behind them, off the front of `rest`.
std::string_view take(std::string_view& rest, std::size_t size) {
  const std::string_view part(rest.data(), size);
  rest.remove_prefix(size + (size < rest.size() ? 1 : 0));
  return part;
}

// Where the string ends whose quote stands at `at`: at another quote, or at the last character.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at < text.size() ? at : text.size() - 1;
}

}  // namespace

bool CharSet::makes_up(const std::string_view& text) const {
  for (const char c : text) {
    if (!has(c)) return false;
  }
  return !text.empty();
}

bool equal_without_case(const std::string_view& a, const std::string_view& b) {
  if (a.size() != b.size()) return false;
  const char* other = b.data();
  for (const char c : a) {
    if (c != *other && !same_letter(c, *other)) return false;
    ++other;
  }
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view take_until(std::string_view& rest, char separator) {
  const void* const found = rest.empty() ? nullptr : std::memchr(rest.data(), separator, rest.size());
  return take(rest,
              found == nullptr ? rest.size() : static_cast<std::size_t>(static_cast<const char*>(found) - rest.data()));
}

std::string_view take_part(std::string_view& rest, char separator) {
  std::size_t at = 0;
  for (; at < rest.size() && rest[at] != separator; ++at) {
    if (rest[at] == '"') at = end_of_quoted(rest, at);
  }
  return trimmed(take(rest, at));
}

bool list_has(std::string_view list, const std::string_view& token) {
  while (!list.empty()) {
    if (equal_without_case(take_part(list, ','), token)) return true;
  }
  return false;
}

char* put(char* at, const char* text) {
  while (*text != '\0') *at++ = *text++;
  return at;
}

char* put_line(char* at, const char* before, std::uint32_t number, const char* behind) {
  return put(json::write_number(put(at, before), std::uint64_t{number}), behind);
}

std::string_view packed_at(const char* table, unsigned index) {
  for (; index != 0; --index) table += 1 + *table;
  return {table + 1, static_cast<std::size_t>(*table)};
}

}  // namespace mcp::http
