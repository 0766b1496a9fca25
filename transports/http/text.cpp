#include "transports/http/text.hpp"

namespace mcp::http {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

bool CharSet::makes_up(std::string_view text) const {
  for (const char c : text) {
    if (!has(c)) return false;
  }
  return !text.empty();
}

bool equal_without_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view take_until(std::string_view& rest, char separator, bool quotes) {
  const char* const begin = rest.data();
  const char* const end = begin + rest.size();
  const char* at = begin;
  bool quoted = false;
  for (; at != end && (quoted || *at != separator); ++at) {
    if (*at == '"') quoted = quotes && !quoted;
    if (quoted && *at == '\\' && at + 1 != end) ++at;
  }
  const char* const behind = at == end ? at : at + 1;
  rest = {behind, static_cast<std::size_t>(end - behind)};
  return {begin, static_cast<std::size_t>(at - begin)};
}

std::string_view take_part(std::string_view& rest, char separator) {
  return trimmed(take_until(rest, separator, true));
}

bool list_has(std::string_view list, std::string_view token) {
  while (!list.empty()) {
    if (equal_without_case(take_part(list, ','), token)) return true;
  }
  return false;
}

std::string_view packed_at(const char* table, unsigned index) {
  for (; index != 0; --index) table += 1 + *table;
  return {table + 1, static_cast<std::size_t>(*table)};
}

}  // namespace mcp::http
