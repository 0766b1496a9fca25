// SPDX-License-Identifier: Apache-2.0
/// @file
/// The interface that a board implements for a part of its flash memory: read, erase a block, program a unit.
/// @code
/// class Nor final : public mcp::Flash {
///   Geometry do_geometry() override { return {.blocks = 4, .block_size = 4096, .unit_size = 8}; }
///   bool do_read(std::size_t at, std::span<std::uint8_t> into) override { return board::nor_read(at, into); }
///   bool do_erase(std::size_t block) override { return board::nor_erase(block); }
///   bool do_program(std::size_t at, std::span<const std::uint8_t> unit) override { return board::nor_program(at,
///   unit); }
/// };
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace mcp {

/// A part of a flash memory that belongs to one user of this interface. Context: main loop; erase() and program() block
/// until the memory is ready.
class Flash {
 public:
  /// The sizes of the memory, in bytes. They never change.
  struct Geometry {
    std::size_t blocks;      ///< The number of blocks. One erase() clears one block.
    std::size_t block_size;  ///< The size of a block, a multiple of `unit_size`.
    std::size_t unit_size;   ///< The bytes that one program() writes: a power of two, 1 to 256.
  };

  /// Returns the sizes.
  [[nodiscard]] Geometry geometry() { return do_geometry(); }

  /// Reads bytes from the offset `at`. Bytes of an erased unit are 0xFF. Bytes of a unit whose program() or erase() was
  /// interrupted have any value, and a driver returns true for them. They must not cause a processor fault. Ownership:
  /// the caller owns `into`. Errors: returns false if the memory cannot be read. The content of `into` is then
  /// undefined.
  [[nodiscard]] bool read(std::size_t at, std::span<std::uint8_t> into) { return do_read(at, into); }

  /// Erases block number `block`. Errors: returns false if the block may not be blank.
  [[nodiscard]] bool erase(std::size_t block) { return do_erase(block); }

  /// Programs one unit at the offset `at`, a multiple of the unit size. The caller programs a unit once after an
  /// erase(). Ownership: the caller owns `unit`, which has the size of one unit. Errors: returns false if the unit may
  /// not have these bytes.
  [[nodiscard]] bool program(std::size_t at, std::span<const std::uint8_t> unit) { return do_program(at, unit); }

 protected:
  constexpr Flash() = default;
  ~Flash() = default;  // Not virtual, because a virtual destructor links operator delete.

 private:
  virtual Geometry do_geometry() = 0;
  virtual bool do_read(std::size_t at, std::span<std::uint8_t> into) = 0;
  virtual bool do_erase(std::size_t block) = 0;
  virtual bool do_program(std::size_t at, std::span<const std::uint8_t> unit) = 0;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
