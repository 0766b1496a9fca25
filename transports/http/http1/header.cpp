// SPDX-License-Identifier: Apache-2.0
#include "mcp/http/header.hpp"

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

}  // namespace

std::string_view name_of(Header header) { return packed_at(table.data(), static_cast<unsigned>(header)); }

Header request_header(const std::string_view& name) {
  const char* at = table.data();
  unsigned index = 0;
  for (; index < static_cast<unsigned>(Header::none); ++index) {
    const std::string_view known(at + 1, static_cast<std::size_t>(*at));
    if (known.size() == name.size() && equal_without_case(known, name)) break;
    at = known.data() + known.size();
  }
  return static_cast<Header>(index);
}

}  // namespace mcp::http
