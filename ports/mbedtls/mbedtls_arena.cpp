// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/mbedtls_arena.hpp"

#include <mbedtls/build_info.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "mcp/assert.hpp"
#include "ports/mbedtls/mbedtls_common.hpp"

namespace mcp::mbedtls {
namespace {

// The header of a block. The memory for the caller follows. The blocks fill the arena from start to end.
struct Piece {
  std::size_t size;      // including this header; a multiple of `unit`, so the lowest bit marks a block in use
  std::size_t previous;  // size of the previous piece; 0 for the first

  static constexpr std::size_t taken_bit = 1;
  [[nodiscard]] bool is_taken() const { return (size & taken_bit) != 0; }
  [[nodiscard]] std::size_t bytes() const { return size & ~taken_bit; }
};

constexpr std::size_t unit = sizeof(Piece);
constexpr std::size_t least = 2 * unit;

std::byte* arena_begin;
ArenaUse arena;
std::size_t peak;  // the most bytes in use since take_peak()

Piece* end_of_arena() { return reinterpret_cast<Piece*>(arena_begin + arena.size); }
Piece* first_piece() { return reinterpret_cast<Piece*>(arena_begin); }
Piece* next_piece(Piece* piece) {
  return reinterpret_cast<Piece*>(reinterpret_cast<std::byte*>(piece) + piece->bytes());
}
Piece* before(Piece* piece) { return reinterpret_cast<Piece*>(reinterpret_cast<std::byte*>(piece) - piece->previous); }

// The next block stores the size of the previous block.
void set_size(Piece* piece, std::size_t size, bool taken) {
  piece->size = size | (taken ? Piece::taken_bit : 0);
  Piece* const next = next_piece(piece);
  if (next != end_of_arena()) next->previous = size;
}

void* take(std::size_t bytes) {
  if (bytes > arena.size) return nullptr;
  const std::size_t size = std::max(least, (bytes + unit + unit - 1) / unit * unit);
  for (Piece* piece = first_piece(); piece != end_of_arena(); piece = next_piece(piece)) {
    if (piece->is_taken() || piece->bytes() < size) continue;
    const std::size_t rest = piece->bytes() - size;
    const std::size_t given = rest >= least ? size : piece->bytes();
    if (given != piece->bytes()) {
      auto* const other = reinterpret_cast<Piece*>(reinterpret_cast<std::byte*>(piece) + given);
      other->previous = given;
      set_size(other, rest, false);
    }
    piece->size = given | Piece::taken_bit;
    arena.used += given;
    arena.high_water = std::max(arena.high_water, arena.used);
    peak = std::max(peak, arena.used);
    arena.reach =
        std::max(arena.reach, static_cast<std::size_t>(reinterpret_cast<std::byte*>(next_piece(piece)) - arena_begin));
    return piece + 1;
  }
  return nullptr;
}

void give_back(Piece* piece) {
  MCP_ASSERT(piece->is_taken());
  arena.used -= piece->bytes();
  std::size_t size = piece->bytes();
  Piece* const next = next_piece(piece);
  if (next != end_of_arena() && !next->is_taken()) size += next->bytes();
  if (piece->previous != 0 && !before(piece)->is_taken()) {
    size += piece->previous;
    piece = before(piece);
  }
  set_size(piece, size, false);
}

}  // namespace

void set_arena(std::span<std::byte> memory) {
  MCP_ASSERT(arena_begin == nullptr);
  const std::size_t skip = (unit - reinterpret_cast<std::uintptr_t>(memory.data()) % unit) % unit;
  MCP_ASSERT(memory.size() >= skip + least);
  arena_begin = memory.data() + skip;
  arena.size = (memory.size() - skip) / unit * unit;
  first_piece()->previous = 0;
  set_size(first_piece(), arena.size, false);
}

ArenaUse arena_use() { return arena; }

std::size_t take_peak() { return std::exchange(peak, arena.used); }

}  // namespace mcp::mbedtls

// ---- Called by mbedTLS ----------------------------------------------------------------------------------------------

extern "C" void* mote_mbedtls_calloc(std::size_t count, std::size_t size) {
  using namespace mcp::mbedtls;
  std::size_t bytes = 0;
  void* const place = __builtin_mul_overflow(count, size, &bytes) ? nullptr : take(bytes);
  if (place == nullptr) {
    ++arena.refused;
    return nullptr;
  }
  return std::memset(place, 0, bytes);
}

extern "C" void mote_mbedtls_free(void* place) {
  if (place != nullptr) mcp::mbedtls::give_back(static_cast<mcp::mbedtls::Piece*>(place) - 1);
}
