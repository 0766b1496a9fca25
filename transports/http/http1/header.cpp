// SPDX-License-Identifier: Apache-2.0
#include "mcp/http/header.hpp"

#include <cstddef>
#include <cstring>

#include "http/http1/http_text.hpp"

namespace mcp::http {
namespace {

constexpr std::string_view names[] = {
    "Accept",
    "Access-Control-Request-Headers",
    "Connection",
    "Expect",
    "Access-Control-Request-Method",
    "Authorization",
    "Content-Length",
    "Content-Type",
    "Host",
    "Last-Event-ID",
    "Mcp-Method",
    "Mcp-Name",
    "MCP-Protocol-Version",
    "MCP-Session-Id",
    "Origin",
    "Transfer-Encoding",
};
static_assert(std::size(names) == static_cast<unsigned>(Header::none));

constexpr auto table = packed<names>();

// A name has a place by its length and its third letter. The header at a place is the only one that the name can be.
constexpr std::size_t places = 32;
constexpr std::size_t shortest = 4;
constexpr std::size_t place_of(const char* name, std::size_t size) {
  return (size * 2 + static_cast<std::uint8_t>(name[2])) % places;
}

struct Place {
  Header header;
  std::uint8_t at;  // of the name in `table`
};

struct Places {
  Place rows[places];
};

constexpr Places by_name = [] {
  Places made{};
  // Not by initializers of the members: GCC 12 evaluates them, and writes other bytes into the image.
  for (Place& row : made.rows) row = {Header::none, 1};
  std::size_t at = 1;
  for (unsigned i = 0; i < std::size(names); ++i) {
    // Both cases of a letter have the same place, because `places` is 32.
    Place& place = made.rows[place_of(names[i].data(), names[i].size())];
    if (place.header != Header::none || names[i].size() < shortest) return Places{};
    place = {static_cast<Header>(i), static_cast<std::uint8_t>(at)};
    at += names[i].size() + 1;
  }
  return made;
}();
static_assert(table.size() <= 256);
static_assert(by_name.rows[place_of("Host", 4)].header == Header::host, "each name has a place of its own");

std::uint32_t four_of(const char* at) {
  std::uint32_t bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

// The names of the table consist of letters and hyphens, and a scanned line has no control character. So two bytes that
// differ only in the bit of the case are letters.
bool is_same_name(const char* name, const char* known, std::size_t size) {
  std::uint32_t difference = 0;
  for (std::size_t at = 0; at + 4 < size; at += 4) difference |= four_of(name + at) ^ four_of(known + at);
  difference |= four_of(name + size - 4) ^ four_of(known + size - 4);
  return (difference & ~0x2020'2020U) == 0;
}

}  // namespace

std::string_view name_of(Header header) { return packed_at(table.data(), static_cast<unsigned>(header)); }

Header request_header(const std::string_view& name) {
  const std::size_t size = name.size();
  if (size < shortest) return Header::none;
  const Place place = by_name.rows[place_of(name.data(), size)];
  const char* const known = table.data() + place.at;
  const bool is_known = static_cast<std::size_t>(known[-1]) == size && is_same_name(name.data(), known, size);
  return is_known ? place.header : Header::none;
}

}  // namespace mcp::http
