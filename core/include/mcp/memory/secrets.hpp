// SPDX-License-Identifier: Apache-2.0
// Random ids, and a comparison of secret bytes whose time does not depend on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace mcp::memory {

/// True when both are the same. Looks at every byte of `given`, whatever it finds.
[[nodiscard]] bool same_bytes(std::span<const std::uint8_t> given, std::span<const std::uint8_t> expected);

/// Writes two hexadecimal digits for each byte to `at` (room for them, owned by the caller, no NUL).
void write_hex(char* at, std::span<const std::uint8_t> bytes);

/// True for the text that write_hex() makes of `bytes`. Ends at the first difference: for what is no secret, or is
/// looked up by it anyhow.
[[nodiscard]] bool is_hex_of(std::string_view text, std::span<const std::uint8_t> bytes);

}  // namespace mcp::memory
