// The names of the headers that an MCP server reads or writes: one table for both. Knows no values.
#pragma once

#include <cstdint>
#include <string_view>

namespace mcp::http {

/// A header that has a name in the table. The order is the table's: first what a request is searched for, lists at its
/// front.
enum class Header : std::uint8_t {
  // Of requests; lists, which may go on in a further line of the same name.
  accept,
  access_control_request_headers,
  connection,
  expect,
  // Of requests; at most once.
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
  // Of responses alone.
  access_control_allow_headers,
  access_control_allow_methods,
  access_control_allow_origin,
  access_control_expose_headers,
  allow,
  cache_control,
  vary,
  www_authenticate,
  x_accel_buffering,
};

/// Headers of which a list may go on in further lines: those before this one.
inline constexpr auto first_single_header = Header::access_control_request_method;

/// Headers that are looked for in a request: those before this one.
inline constexpr auto first_response_header = Header::access_control_allow_headers;

/// The name as it is sent. Always there.
[[nodiscard]] std::string_view name_of(Header header);

/// The header of a request with this name, whatever its case, or `first_response_header` when it is none.
[[nodiscard]] Header request_header(const std::string_view& name);

}  // namespace mcp::http
