// SPDX-License-Identifier: Apache-2.0
#include "mcp/http/status.hpp"

#include "http/http1/http_text.hpp"

namespace mcp::http {
namespace {

constexpr std::string_view lines[] = {
    "200 OK",
    "202 Accepted",
    "204 No Content",
    "400 Bad Request",
    "401 Unauthorized",
    "403 Forbidden",
    "404 Not Found",
    "405 Method Not Allowed",
    "406 Not Acceptable",
    "408 Request Timeout",
    "411 Length Required",
    "413 Content Too Large",
    "414 URI Too Long",
    "415 Unsupported Media Type",
    "431 Request Header Fields Too Large",
    "500 Internal Server Error",
    "501 Not Implemented",
    "503 Service Unavailable",
    "505 HTTP Version Not Supported",
};
static_assert(std::size(lines) == static_cast<unsigned>(Status::version_not_supported) + 1);

constexpr auto status_lines = packed<lines>();

}  // namespace

std::string_view line_of(Status status) { return packed_at(status_lines.data(), static_cast<unsigned>(status)); }

unsigned code_of(Status status) {
  unsigned code = 0;
  for (const char digit : line_of(status).substr(0, 3)) code = code * 10 + static_cast<unsigned>(digit - '0');
  return code;
}

}  // namespace mcp::http
