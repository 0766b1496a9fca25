// SPDX-License-Identifier: Apache-2.0
// Generated from the source of the page by transports/http/page/build.mjs.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace mcp::http {

/// The entity tag of the page.
inline constexpr std::string_view page_tag = "\"dfcfe8f80ecfe316\"";
/// Where the fields begin that a client with a copy of the page gets.
inline constexpr std::size_t page_copy_at = 475;
/// Where the page begins, compressed with gzip.
inline constexpr std::size_t page_body_at = 553;
/// Bytes of the fields and of the page.
inline constexpr std::size_t page_size = page_body_at + 12272;
/// The fields of the response, each with a line end before it, and the page.
extern const std::array<char, page_size> page_bytes;

}  // namespace mcp::http
