// SPDX-License-Identifier: Apache-2.0
// The names of the headers that an MCP server looks for in a request. Knows no values.
#pragma once

#include <cstdint>
#include <string_view>

namespace mcp::http {

/// A header that has a name in the table. The order is the table's: lists at its front.
enum class Header : std::uint8_t {
  // Lists, which may go on in a further line of the same name.
  accept,
  access_control_request_headers,
  connection,
  expect,
  // At most once.
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
  // Any other.
  none,
};

/// Headers of which a list may go on in further lines: those before this one.
inline constexpr auto first_single_header = Header::access_control_request_method;

/// The name as it is written in the specifications. Not of `none`.
[[nodiscard]] std::string_view name_of(Header header);

/// The header with this name, whatever its case.
[[nodiscard]] Header request_header(const std::string_view& name);

}  // namespace mcp::http
