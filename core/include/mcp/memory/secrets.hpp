// SPDX-License-Identifier: Apache-2.0
// Compares secret bytes in constant time, writes random ids, and wipes secrets from memory.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace mcp::memory {

/// True if both are equal. Compares each byte of `given`, so the time does not depend on the bytes.
[[nodiscard]] bool same_bytes(std::span<const std::uint8_t> given, std::span<const std::uint8_t> expected);

/// Writes two hexadecimal digits for each byte to `at`, without NUL. Ownership: `at` belongs to the caller, and has
/// space for the digits.
void write_hex(char* at, std::span<const std::uint8_t> bytes);

/// Sets all bytes to zero. The compiler never omits the writes, also if no code reads the bytes afterwards.
void wipe(std::span<char> bytes);

}  // namespace mcp::memory

#include <mcp/detail/epilogue.hpp>
