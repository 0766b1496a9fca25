// SPDX-License-Identifier: Apache-2.0
// The status codes that the server sends, and why a request is refused before anything looks at what it asks for.
#pragma once

#include <cstdint>
#include <string_view>

namespace mcp::http {

/// A status of a response. The values are the places in a table; code_of() gives the number.
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

/// Number and phrase as they stand in the status line: `404 Not Found`.
[[nodiscard]] std::string_view line_of(Status status);

/// The number: 404.
[[nodiscard]] unsigned code_of(Status status);

/// Why a request is refused. After any of these the connection must be closed when the answer is sent, and what was
/// received on it dropped: where the next request would begin is not known, or a peer in between may take it to begin
/// elsewhere.
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

/// The response to such a request: a row of a table (http_text.hpp). Not for `none`.
[[nodiscard]] const char* answer_of(ParseError error);

/// The status that a refusal is answered with. Not for `none`.
[[nodiscard]] Status status_of(ParseError refusal);

/// A sentence for the developer of the client. Empty for `none`.
[[nodiscard]] std::string_view sentence_of(ParseError refusal);

/// How far the reading of a head or body has come.
enum class Progress : std::uint8_t {
  more,     ///< Not complete: to be called again when more was received.
  done,     ///< Complete.
  refused,  ///< It will never be; see Refusal.
};

}  // namespace mcp::http
