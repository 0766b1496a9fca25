// SPDX-License-Identifier: Apache-2.0
/// @file
/// The page of the device, an MCP client that a browser loads from the device, so that a person can use the device.
/// @code
/// constexpr std::string_view hosts[] = {"boiler.local"};
/// constexpr mcp::HttpPage page;
/// constexpr mcp::HttpOptions options{.hosts = hosts, .page = &page};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <string_view>

#include "mcp/http_transport.hpp"

namespace mcp {

/// Serves the page if HttpOptions::page points to it: `constexpr mcp::HttpPage page;`. The page shows resources, calls
/// tools, gets prompts, and lets a person respond to input requests. It sends requests only to HttpOptions::path of
/// this device. If the device needs a token, the page has a field for it, and keeps the token in memory.
/// Limits: about 12 KB of flash. A browser uses one of HttpLimits::connections for notifications, and one more for each
/// request, so `connections` should be at least 3 for each browser. HttpOptions::path has at most 64 bytes.
/// Errors: 405 for another method than GET and HEAD, 406 for a client that rejects gzip.
class HttpPage final {
 public:
  /// GET on `path` returns the page. The path begins with a slash. If another endpoint has this path, the other
  /// endpoint is served. Lifetime: `path` must outlive the object.
  constexpr explicit HttpPage(std::string_view path = "/") : path_(path) {}

  /// Returns the path of the page.
  [[nodiscard]] constexpr std::string_view path() const { return path_; }

 private:
  std::string_view path_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
