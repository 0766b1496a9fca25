// SPDX-License-Identifier: Apache-2.0
/// @file
/// HTTP+SSE of revision 2024-11-05, in addition to Streamable HTTP: one stream for all messages of the server, and one
/// path for messages of the client. Source: basic/transports#http-with-sse, 2024-11-05.
/// @code
/// constexpr std::string_view hosts[] = {"boiler.local"};
/// constexpr mcp::HttpSse2024 sse;
/// constexpr mcp::HttpOptions options{.hosts = hosts, .sse_2024 = &sse};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <string_view>

#include "mcp/http_transport.hpp"

namespace mcp {

/// Serves HTTP+SSE if HttpOptions::sse_2024 points to it: `constexpr mcp::HttpSse2024 sse;`. Clients are checked as on
/// the other endpoint. A session begins and ends with its stream. Only the reader of the stream knows the session id.
/// Limits: each client uses one of HttpLimits::connections for its stream, and one more for each message that it sends.
class HttpSse2024 final {
 public:
  /// GET on `stream_path` opens a stream. Its first event names the path for messages: `message_path`, and a query that
  /// names the session. Both paths begin with a slash, and differ from each other and from HttpOptions::path.
  /// Limits: at most 64 bytes each. Lifetime: both must outlive the object.
  constexpr explicit HttpSse2024(std::string_view stream_path = "/sse", std::string_view message_path = "/messages")
      : stream_path_(stream_path), message_path_(message_path) {}

  /// Returns the path of the stream.
  [[nodiscard]] constexpr std::string_view stream_path() const { return stream_path_; }
  /// Returns the path for messages.
  [[nodiscard]] constexpr std::string_view message_path() const { return message_path_; }

 private:
  std::string_view stream_path_;
  std::string_view message_path_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
