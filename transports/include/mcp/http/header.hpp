// SPDX-License-Identifier: Apache-2.0
// The names of the headers that an MCP server reads from a request.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <string_view>

namespace mcp::http {

/// A header that the server reads. The order is as in the table of names, with lists first.
enum class Header : std::uint8_t {
  // Lists. They may continue in further lines with the same name.
  accept,
  connection,
  expect,
  access_control_request_headers,
  // Single values. A second line with the same name is rejected.
  access_control_request_method,
  authorization,
  content_encoding,
  content_length,
  content_type,
  host,
  last_event_id,
  mcp_method,
  mcp_name,
  mcp_protocol_version,
  mcp_session_id,
  origin,
  transfer_encoding,
  // Any other header.
  none,
};

/// The first header that is not a list.
inline constexpr auto first_single_header = Header::access_control_request_method;

/// Returns the name as the specifications write it. Not for `none`.
[[nodiscard]] std::string_view name_of(Header header);

/// The header of a line, and the bytes of its name before the colon.
struct NamedHeader {
  Header header;
  std::uint8_t size;
};

/// Returns the header at the begin of a line of a head; `none` for a header that the server does not read. Case does
/// not matter. The line has no control characters.
[[nodiscard]] NamedHeader named_header(const std::string_view& line);

}  // namespace mcp::http

#include <mcp/detail/epilogue.hpp>
