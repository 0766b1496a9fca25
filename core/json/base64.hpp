// Base64 as RFC 4648 section 4 defines it: the alphabet with + and /, padded, no line breaks. Knows no JSON; what it
// writes needs no escaping there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace mcp::json {

/// Length in bytes of the base64 text of `bytes` bytes, padding included. `bytes` at most 3/4 of what a size_t holds.
constexpr std::size_t base64_size(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

/// Writes `bytes` as base64 at `at` (room for `base64_size(bytes.size())`, owned by the caller, no NUL; it must not
/// overlap `bytes`) and returns the end. A body can be written piece by piece as long as every piece but the last is a
/// multiple of three bytes. One pass; any context. RFC 4648 section 4.
char* write_base64(char* at, std::span<const std::uint8_t> bytes);

/// Writes what `text` stands for at the beginning of `bytes` (owned by the caller; it must not overlap `text`), of
/// which that much is left. False when there is no room, and for anything that write_base64() does not write. One pass;
/// any context.
bool read_base64(std::string_view text, std::span<std::uint8_t>& bytes);

/// True when read_base64() would write exactly `bytes`.
bool is_base64_of(std::string_view text, std::span<const std::uint8_t> bytes);

}  // namespace mcp::json
