// SPDX-License-Identifier: Apache-2.0
// The names of the headers that an MCP server reads from a request.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <string_view>

namespace mcp::http {

/// A header that the server reads. The order is that of the table of names, with lists first.
enum class Header : std::uint8_t {
  // Lists. They may continue in further lines with the same name.
  accept,
  access_control_request_headers,
  connection,
  expect,
  // Single values. A second line with the same name is rejected.
  access_control_request_method,
  authorization,
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

/// Returns the header with this name; `none` if the server does not read it. Case does not matter. `name` has no
/// control characters.
[[nodiscard]] Header request_header(const std::string_view& name);

}  // namespace mcp::http

#include <mcp/detail/epilogue.hpp>
