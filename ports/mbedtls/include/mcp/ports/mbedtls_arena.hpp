// The memory of mbedTLS: one fixed piece of it, for the whole program. Knows no TLS.
#pragma once

#include <cstddef>
#include <span>

namespace mcp::mbedtls {

/// Lends `memory` to mbedTLS, which has no other. Once, before anything of mbedTLS is made; it stays lent for good.
/// Aligned to 8 bytes: `alignas(8) std::byte arena[16384];`.
///
/// A piece is taken where it first fits and given back whole, merged with what is free around it. Main loop only. When
/// nothing fits, mbedTLS says so to whoever asked.
void set_arena(std::span<std::byte> memory);

/// How full it is, in bytes.
struct ArenaUse {
  std::size_t size = 0;        // all of it, in bytes
  std::size_t used = 0;        // taken now, with 8 bytes (on a 32-bit machine) that each piece costs
  std::size_t high_water = 0;  // taken at most so far
  std::size_t reach = 0;       // how far from its beginning it has been written so far: with the gaps between pieces
  std::size_t refused = 0;     // pieces that did not fit
};

/// What has been taken of it. Main loop; never blocks.
[[nodiscard]] ArenaUse arena_use();

}  // namespace mcp::mbedtls
