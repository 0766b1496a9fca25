// SPDX-License-Identifier: Apache-2.0
/// @file
/// The memory of mbedTLS, one array for the whole program.
/// @code
/// alignas(8) std::byte arena[16384];
/// void begin() { mcp::mbedtls::set_arena(arena); }
/// std::size_t free_bytes() { return mcp::mbedtls::arena_use().size - mcp::mbedtls::arena_use().high_water; }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <span>

namespace mcp::mbedtls {

/// Gives `memory` to mbedTLS, which allocates only from it. Call it once, before any other function of mbedTLS.
/// `memory` is aligned to 8 bytes: `alignas(8) std::byte arena[16384];`. Lifetime: as long as the program.
/// Errors: if no free block is large enough, the function of mbedTLS returns an error. Context: main loop.
void set_arena(std::span<std::byte> memory);

/// The use of the arena.
struct ArenaUse {
  std::size_t size = 0;        ///< The size of the arena in bytes.
  std::size_t used = 0;        ///< Bytes in use now, with 8 bytes (32-bit processors) of overhead for each block.
  std::size_t high_water = 0;  ///< The largest value of `used` so far.
  std::size_t reach = 0;       ///< The number of bytes from the beginning to the last byte ever used, including gaps.
  std::size_t refused = 0;     ///< The number of allocations that failed.
};

/// Returns the use of the arena. Context: main loop; never blocks.
[[nodiscard]] ArenaUse arena_use();

}  // namespace mcp::mbedtls

#include <mcp/detail/epilogue.hpp>
