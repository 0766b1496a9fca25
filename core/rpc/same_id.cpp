// SPDX-License-Identifier: Apache-2.0
#include "rpc/same_id.hpp"

#include "mcp/json/raw_string.hpp"
#include "mcp/json/text.hpp"
#include "mcp/rpc/envelope.hpp"

namespace mcp::rpc {

bool same_id(std::string_view a, std::string_view b) {
  if (json::equal(a, b)) return true;
  if (a.empty() || b.empty() || a.front() != '"' || b.front() != '"') return false;
  json::DecodedBytes left(a.data() + 1);
  json::DecodedBytes right(b.data() + 1);
  for (;;) {
    const bool more = left.next();
    if (more != right.next()) return false;
    if (!more || left.byte() != right.byte()) return !more;
  }
}

std::uint64_t hash_id(std::string_view id, std::uint64_t start) {
  if (!id.starts_with('"')) {
    for (const char c : id) start = hash_byte(c, start);
    return start;
  }
  start = hash_byte('"', start);
  for (json::DecodedBytes bytes(id.data() + 1); bytes.next();) start = hash_byte(bytes.byte(), start);
  return start;
}

}  // namespace mcp::rpc
