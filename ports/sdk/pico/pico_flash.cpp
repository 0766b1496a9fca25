// SPDX-License-Identifier: Apache-2.0
// Sectors of the flash from which the image runs. flash_range_erase() and flash_range_program() of the pico-sdk are in
// RAM, and switch the execution from flash on again before they return.
#include "mcp/ports/pico_flash.hpp"

#include <algorithm>
#include <cstring>

#include <hardware/regs/addressmap.h>
#include <pico/error.h>
#include <pico/flash.h>

// Of the linker script.
extern "C" char __flash_binary_end;  // NOLINT(readability-identifier-naming)

namespace mcp::pico {
namespace {

// Without cache. On an RP2350 also without the translation of addresses, because erasures have none.
#ifdef XIP_NOCACHE_NOALLOC_NOTRANSLATE_BASE
const std::uintptr_t read_base = XIP_NOCACHE_NOALLOC_NOTRANSLATE_BASE;
#else
const std::uintptr_t read_base = XIP_NOCACHE_NOALLOC_BASE;
#endif

constexpr std::uint8_t blank = 0xFF;

const std::uint8_t* address_of(std::uint32_t offset) {
  return reinterpret_cast<const std::uint8_t*>(read_base + offset);  // NOLINT(performance-no-int-to-ptr)
}

struct Work {
  std::uint32_t offset;
  const std::uint8_t* bytes;  // nullptr: an erasure
};

void run(void* argument) {
  const Work& work = *static_cast<const Work*>(argument);
  if (work.bytes == nullptr) {
    flash_range_erase(work.offset, ChipFlash::sector_size);
  } else {
    flash_range_program(work.offset, work.bytes, ChipFlash::page_size);
  }
}

bool run_safely(Work work) { return flash_safe_execute(run, &work, ChipFlash::lock_timeout_ms) == PICO_OK; }

}  // namespace

bool ChipFlash::is_free() const { return reinterpret_cast<std::uintptr_t>(&__flash_binary_end) - XIP_BASE <= begin_; }

bool ChipFlash::do_read(std::size_t at, std::span<std::uint8_t> into) {
  const std::size_t size = std::size_t{sectors_} * sector_size;
  if (at > size || into.size() > size - at) return false;
  if (!into.empty()) std::memcpy(into.data(), address_of(begin_ + static_cast<std::uint32_t>(at)), into.size());
  return true;
}

bool ChipFlash::do_erase(std::size_t block) {
  if (block >= sectors_ || !is_free()) return false;
  const std::uint32_t offset = begin_ + static_cast<std::uint32_t>(block * sector_size);
  const std::uint8_t* const bytes = address_of(offset);
  return run_safely({offset, nullptr}) &&
         std::all_of(bytes, bytes + sector_size, [](std::uint8_t byte) { return byte == blank; });
}

bool ChipFlash::do_program(std::size_t at, std::span<const std::uint8_t> unit) {
  // The pico-sdk reads the bytes while the flash cannot be read.
  const auto address = reinterpret_cast<std::uintptr_t>(unit.data());
  const bool is_in_flash = address >= XIP_BASE && address < SRAM_BASE;
  if (at % page_size != 0 || at / page_size >= sectors_ * (sector_size / page_size)) return false;
  if (unit.size() != page_size || is_in_flash || !is_free()) return false;
  const std::uint32_t offset = begin_ + static_cast<std::uint32_t>(at);
  return run_safely({offset, unit.data()}) && std::equal(unit.begin(), unit.end(), address_of(offset));
}

}  // namespace mcp::pico
