// SPDX-License-Identifier: Apache-2.0
/// @file
/// The last sectors of the flash of Raspberry Pi Pico and Pico 2, for mcp::FlashRecords. CMake target:
/// `mote::pico_flash`.
/// @code
/// mcp::Records& records() {
///   static constinit mcp::pico::ChipFlash flash;
///   static std::uint8_t page[mcp::pico::ChipFlash::page_size];
///   static mcp::FlashRecords records{flash, page};
///   return records;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include <hardware/flash.h>
#include "mcp/ports/flash.hpp"

namespace mcp::pico {

namespace compile_error {
void the_chip_flash_needs_at_least_2_sectors();
void the_chip_flash_must_end_at_a_multiple_of_a_sector();
void the_chip_flash_must_end_within_the_flash_of_the_board();
void the_chip_flash_needs_sectors_after_the_first_sector_of_the_board();
}  // namespace compile_error

/// Sectors of the flash that also contains the image. FlashRecords erases and programs them.
///
/// While a sector is erased (45 ms, at most 400 ms) or a page is programmed (0.4 ms, at most 3 ms), no code can run
/// from the flash. The interrupts of this core are off, and the other core waits in RAM (flash_safe_execute() of the
/// pico-sdk). Bytes that a UART receives meanwhile may be lost. USB and the radio wait. If the program uses core 1,
/// core 1 calls flash_safe_execute_core_init() first. Otherwise erase() and program() return false, or stop at an
/// assertion of the pico-sdk in a debug build. Source of the times: data sheet of W25Q16JV, section 9.6.
///
/// Reads do not use the cache, so that no secret stays in it.
///
/// Errors: each write is read back, and erase() and program() return false if the bytes differ. They change nothing and
/// return false if the image reaches into the sectors, or if `unit` is in the flash.
///
/// Limits: uploading a UF2 file erases only the sectors of the image, so the sectors keep their content. The Bluetooth
/// stack of the pico-sdk also uses the last sectors. With a partition table of an RP2350, choose sectors outside of the
/// partitions. Endurance: 100,000 erasures of each sector. Context: main loop of one core, not in an interrupt.
class ChipFlash final : public Flash {
 public:
  static constexpr std::size_t sector_size = FLASH_SECTOR_SIZE;  ///< The bytes that one erase() clears.
  static constexpr std::size_t page_size = FLASH_PAGE_SIZE;      ///< The bytes that one program() writes.
  /// The longest time to wait for the other core, in milliseconds.
  static constexpr std::uint32_t lock_timeout_ms = 1'000;

  /// The `sectors` sectors before the offset `end` in bytes; by default, the last two of the board. Errors: a wrong
  /// number or offset does not compile. PICO_FLASH_SIZE_BYTES of the board's header is the size of the flash.
  consteval explicit ChipFlash(std::size_t sectors = 2, std::size_t end = PICO_FLASH_SIZE_BYTES)
      : sectors_(static_cast<std::uint32_t>(sectors)), begin_(static_cast<std::uint32_t>(end - sectors * sector_size)) {
    if (sectors < 2) compile_error::the_chip_flash_needs_at_least_2_sectors();
    if (end % sector_size != 0) compile_error::the_chip_flash_must_end_at_a_multiple_of_a_sector();
    if (end > PICO_FLASH_SIZE_BYTES) compile_error::the_chip_flash_must_end_within_the_flash_of_the_board();
    if (sectors >= end / sector_size) compile_error::the_chip_flash_needs_sectors_after_the_first_sector_of_the_board();
  }

  /// Returns whether the image ends before the sectors. If not, nothing can be stored.
  [[nodiscard]] bool is_free() const;

 private:
  Geometry do_geometry() override { return {sectors_, sector_size, page_size}; }
  bool do_read(std::size_t at, std::span<std::uint8_t> into) override;
  bool do_erase(std::size_t block) override;
  bool do_program(std::size_t at, std::span<const std::uint8_t> unit) override;

  std::uint32_t sectors_;
  std::uint32_t begin_;  // an offset in the flash
};

}  // namespace mcp::pico

#include <mcp/detail/epilogue.hpp>
