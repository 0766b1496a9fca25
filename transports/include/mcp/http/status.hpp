// SPDX-License-Identifier: Apache-2.0
// The status codes that the server sends, and the errors of requests that are not valid HTTP/1.1.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <string_view>

namespace mcp::http {

/// The status of a response. The values are indexes of a table. code_of() returns the status code.
enum class Status : std::uint8_t {
  ok,                      // 200
  accepted,                // 202
  no_content,              // 204
  bad_request,             // 400
  unauthorized,            // 401
  forbidden,               // 403
  not_found,               // 404
  method_not_allowed,      // 405
  not_acceptable,          // 406
  request_timeout,         // 408
  length_required,         // 411
  content_too_large,       // 413
  uri_too_long,            // 414
  unsupported_media_type,  // 415
  fields_too_large,        // 431
  internal_server_error,   // 500
  not_implemented,         // 501
  service_unavailable,     // 503
  version_not_supported,   // 505
};

/// Returns the code and the phrase of the status line: `404 Not Found`.
[[nodiscard]] std::string_view line_of(Status status);

/// Returns the status code: 404.
[[nodiscard]] unsigned code_of(Status status);

/// The reason why the server rejects a request before it handles the message. After the response, the caller drops the
/// input and closes the connection, because the begin of the next request is unknown or ambiguous.
enum class ParseError : std::uint8_t {
  none,
  bad_request_line,
  bad_target,
  bad_field,
  repeated_field,
  bad_host,
  control_character,
  bad_length,
  length_and_coding,
  bad_coding,
  bad_chunk,
  length_required,
  body_too_large,
  overhead_too_large,
  target_too_long,
  head_too_long,
  unknown_coding,
  unsupported_version,
};

/// Returns the response to a rejected request: a row of a table (http_text.hpp). Not for `none`.
[[nodiscard]] const char* answer_of(ParseError error);

/// Returns the status of the response to a rejected request. Not for `none`.
[[nodiscard]] Status status_of(ParseError error);

/// Returns the error message, for the developer of the client. Empty for `none`.
[[nodiscard]] std::string_view sentence_of(ParseError error);

/// The progress of a head or a body.
enum class Progress : std::uint8_t {
  more,      ///< Not complete. The caller calls again with more input.
  done,      ///< Complete.
  rejected,  ///< The request is invalid. error() returns the ParseError.
};

}  // namespace mcp::http

#include <mcp/detail/epilogue.hpp>
