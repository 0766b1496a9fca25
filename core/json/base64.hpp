// SPDX-License-Identifier: Apache-2.0
// Base64 of RFC 4648 section 4: the alphabet with + and /, padded, no line breaks. The output needs no escaping in
// JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace mcp::json {

/// Length in bytes of the base64 text of `bytes` bytes, padding included. `bytes` is at most 3/4 of the largest size_t.
constexpr std::size_t base64_size(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

/// Writes `bytes` as base64 at `at` and returns the end. `at` needs space for `base64_size(bytes.size())` bytes. It
/// belongs to the caller, and must not overlap `bytes`. Writes no NUL. To write a body piece by piece, make each piece
/// but the last a multiple of three bytes. Context: any. Source: RFC 4648 section 4.
char* write_base64(char* at, std::span<const std::uint8_t> bytes);

/// Decodes `text` to the beginning of `bytes`, and shortens `bytes` to the decoded length. `bytes` belongs to the
/// caller, and must not overlap `text`. Returns false if the space is too small, and for any text that write_base64()
/// does not write. Context: any.
bool read_base64(std::string_view text, std::span<std::uint8_t>& bytes);

/// True when read_base64() would write exactly `bytes`.
bool is_base64_of(std::string_view text, std::span<const std::uint8_t> bytes);

}  // namespace mcp::json
