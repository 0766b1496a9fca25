// The HTTP transport of revision 2024-11-05 beside the one of today: a stream for all that the server says, and a path
// for what the client says. Knows no sockets and no methods of MCP. Source: basic/transports#http-with-sse, 2024-11-05.
#pragma once

#include <string_view>

#include "mcp/http_transport.hpp"

namespace mcp {

/// Serves it when HttpOptions::sse_2024 points here: `constexpr mcp::HttpSse2024 sse;`. Clients are checked as on the
/// other endpoint. A session begins with its stream and ends with it; its id is known only to who reads that stream.
/// Each client takes one of HttpLimits::connections as long as it is there, and one more for what it sends.
class HttpSse2024 final {
 public:
  /// GET on `stream_path` opens a stream. Its first event names the path for messages: `message_path`, and a query with
  /// the session. Both begin with a slash, have at most 64 bytes, differ from each other and from HttpOptions::path,
  /// and must outlive this object.
  constexpr explicit HttpSse2024(std::string_view stream_path = "/sse", std::string_view message_path = "/messages")
      : stream_path_(stream_path), message_path_(message_path) {}

  [[nodiscard]] constexpr std::string_view stream_path() const { return stream_path_; }
  [[nodiscard]] constexpr std::string_view message_path() const { return message_path_; }

 private:
  std::string_view stream_path_;
  std::string_view message_path_;
};

}  // namespace mcp
