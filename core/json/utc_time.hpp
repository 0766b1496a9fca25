// SPDX-License-Identifier: Apache-2.0
// Times of RFC 3339, as text and as milliseconds since 1970, without a division of 64 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mcp::json {

/// Divides `value` by `divisor` (below 2^16) and returns the remainder. A division of 64 bits would link 700 bytes of
/// library.
std::uint32_t divide(std::uint64_t& value, std::uint32_t divisor);

/// The size of a time in milliseconds.
inline constexpr std::size_t utc_text_size = 24;

/// Writes a time before 2106 as `2026-01-31T22:00:00.000Z`. `ms`: since 1970, without leap seconds.
void write_utc(char (&text)[utc_text_size], std::uint64_t ms);

/// Reads a date with a time and an offset or Z, such as `2026-01-31T22:00:00Z`, or a date alone, whose time is 00:00Z.
/// Seconds and their fraction are optional. A leap second counts as the second after it. Returns false for any other
/// text, and for a year before 1970. Source: RFC 3339 section 5.6.
[[nodiscard]] bool read_utc(std::string_view text, std::uint64_t& ms);

}  // namespace mcp::json
