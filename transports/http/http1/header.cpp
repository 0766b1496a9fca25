// SPDX-License-Identifier: Apache-2.0
#include "mcp/http/header.hpp"

#include <cstddef>

#include "http/http1/http_text.hpp"

namespace mcp::http {
namespace {

constexpr std::string_view names[] = {
    "Accept",
    "Connection",
    "Expect",
    "Access-Control-Request-Headers",
    "Access-Control-Request-Method",
    "Authorization",
    "Content-Encoding",
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

constexpr auto header_names = packed<names>();

// The fourth and fifth byte of a line (one may be the colon) select a bucket in the table. A bucket has one to three
// headers, and the line can only have one of these.
constexpr std::size_t bucket_count = 32;
constexpr std::size_t shortest = 4;
constexpr std::size_t bucket_of(const char* line) {
  // Both cases of a letter have the same bucket, because `bucket_count` is 32.
  return (static_cast<std::uint8_t>(line[3]) * 3U + static_cast<std::uint8_t>(line[4])) % bucket_count;
}

constexpr std::uint8_t further = 0x20;

struct Bucket {
  std::uint8_t first;  // Header, plus `further` for each later header at this bucket
  std::uint8_t at;     // position of the first name in `header_names`; of any other name for an empty bucket
};

struct Buckets {
  Bucket rows[bucket_count];
};

constexpr Buckets by_name = [] {
  Buckets made{};
  std::size_t at = 1;
  for (unsigned i = 0; i < std::size(names); ++i) {
    const std::string_view name = names[i];
    const char begin[] = {name[0], name[1], name[2], name[3], name.size() > shortest ? name[4] : ':'};
    Bucket& bucket = made.rows[bucket_of(begin)];
    if (bucket.at == 0) {
      bucket = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(at)};
    } else if (bucket.first % further + bucket.first / further + 1U == i) {
      bucket.first += further;
    } else {
      return Buckets{};
    }
    at += name.size() + 1;
  }
  for (Bucket& row : made.rows) row.at = row.at != 0 ? row.at : std::uint8_t{1};
  return made;
}();
static_assert(header_names.size() <= 256);
static_assert(static_cast<unsigned>(Header::none) <= further);
static_assert(by_name.rows[bucket_of("Host:")].at != 0, "the headers of a bucket follow each other");

// The names of the table consist of letters and hyphens, and a scanned line has no control character. So two bytes that
// differ only in the bit of the case are letters.
bool is_same_name(const char* name, const char* known, std::size_t size) {
  std::uint32_t difference = 0;
  for (std::size_t at = 0; at + 4 < size; at += 4) difference |= four_of(name + at) ^ four_of(known + at);
  difference |= four_of(name + size - 4) ^ four_of(known + size - 4);
  return (difference & ~0x2020'2020U) == 0;
}

}  // namespace

std::string_view name_of(Header header) { return packed_at(header_names.data(), static_cast<unsigned>(header)); }

NamedHeader named_header(const std::string_view& line) {
  if (line.size() <= shortest) return {Header::none, 0};
  const Bucket bucket = by_name.rows[bucket_of(line.data())];
  const char* known = header_names.data() + bucket.at;
  unsigned header = bucket.first % further;
  const unsigned last = header + bucket.first / further;
  for (; header <= last; ++header) {
    const auto size = static_cast<std::uint8_t>(known[-1]);
    if (size < line.size() && line[size] == ':' && is_same_name(line.data(), known, size))
      return {static_cast<Header>(header), size};
    known += size + 1;
  }
  return {Header::none, 0};
}

}  // namespace mcp::http
