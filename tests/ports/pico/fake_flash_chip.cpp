// SPDX-License-Identifier: Apache-2.0
#include "fake_flash_chip.hpp"

#include <hardware/flash.h>
#include <hardware/regs/addressmap.h>
#include <pico/error.h>
#include <pico/flash.h>

#include <algorithm>

fake::FlashChip fake::flash_chip;
using fake::flash_chip;

// A program may put a file in its place.
extern "C" std::uint8_t fake_flash_memory[PICO_FLASH_SIZE_BYTES];
alignas(4096) std::uint8_t fake_flash_memory[PICO_FLASH_SIZE_BYTES];

// The linker script of the pico-sdk has it. 32768 is fake::image_size.
__asm__(".globl __flash_binary_end\n.set __flash_binary_end, fake_flash_memory + 32768");

namespace {

constexpr std::uint8_t blank = 0xFF;
constexpr std::uint8_t code = 0x46;
bool is_safe = false;

bool is_in_flash(const std::uint8_t* bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(bytes);
  return address >= XIP_BASE && address < SRAM_BASE;
}

bool is_allowed(std::uint32_t offset, std::size_t count, std::size_t unit) {
  return offset % unit == 0 && count % unit == 0 && offset >= fake::image_size && offset <= PICO_FLASH_SIZE_BYTES &&
         count <= PICO_FLASH_SIZE_BYTES - offset;
}

}  // namespace

void fake::FlashChip::reset(unsigned seed) {
  *this = {};
  random_.seed(seed);
  std::fill_n(fake_flash_memory, image_size, code);
  std::fill(fake_flash_memory + image_size, fake_flash_memory + PICO_FLASH_SIZE_BYTES, blank);
}

void fake::FlashChip::cut_at(std::size_t step, Cut kind) {
  cut_step_ = steps + step;
  cut_ = kind;
}

void fake::FlashChip::power_on() {
  is_off = false;
  cut_step_ = 0;
  for (const auto& [at, mask] : unstable_) {
    std::uint8_t& byte = fake_flash_memory[at];
    byte = static_cast<std::uint8_t>((byte & ~mask) | (random_() & mask));
  }
}

bool fake::FlashChip::contains(std::string_view text) const {
  const std::string_view all(reinterpret_cast<const char*>(fake_flash_memory), PICO_FLASH_SIZE_BYTES);
  return all.find(text) != std::string_view::npos;
}

void fake::FlashChip::cut(std::size_t at, const std::vector<std::uint8_t>& target) {
  std::vector<std::size_t> bits;  // that the step changes
  for (std::size_t bit = 0; bit < 8 * target.size(); ++bit) {
    if (((fake_flash_memory[at + bit / 8] ^ target[bit / 8]) >> bit % 8 & 1) != 0) bits.push_back(bit);
  }
  if (cut_ == Cut::after || cut_ == Cut::late) std::copy(target.begin(), target.end(), fake_flash_memory + at);
  for (const std::size_t bit : bits) {
    const auto mask = static_cast<std::uint8_t>(1U << bit % 8);
    std::uint8_t& byte = fake_flash_memory[at + bit / 8];
    if (cut_ == Cut::partly && random_() % 2 == 0) byte = static_cast<std::uint8_t>(byte ^ mask);
    if (cut_ == Cut::unstable) unstable_[at + bit / 8] = static_cast<std::uint8_t>(unstable_[at + bit / 8] | mask);
  }
  if (!bits.empty() && (cut_ == Cut::early || cut_ == Cut::late)) {
    const std::size_t bit = bits[random_() % bits.size()];
    unstable_[at + bit / 8] = static_cast<std::uint8_t>(1U << bit % 8);
  }
}

void fake::FlashChip::step(std::size_t at, const std::vector<std::uint8_t>& target) {
  if (is_off) return;
  ++steps;
  is_off = steps == cut_step_;
  if (is_off) {
    cut(at, target);
  } else if (!is_stuck) {
    for (std::size_t i = 0; i < target.size(); ++i) unstable_.erase(at + i);
    std::copy(target.begin(), target.end(), fake_flash_memory + at);
  }
}

extern "C" {

int flash_safe_execute(void (*func)(void*), void* param, std::uint32_t enter_exit_timeout_ms) {
  flash_chip.timeout_ms = enter_exit_timeout_ms;
  if (flash_chip.safe_result != PICO_OK) return flash_chip.safe_result;
  is_safe = true;
  func(param);
  is_safe = false;
  return PICO_OK;
}

void flash_range_erase(std::uint32_t flash_offs, std::size_t count) {
  if (!is_safe) ++flash_chip.unsafe;
  if (!is_allowed(flash_offs, count, FLASH_SECTOR_SIZE)) {
    ++flash_chip.beyond;
    return;
  }
  flash_chip.erases.resize(PICO_FLASH_SIZE_BYTES / FLASH_SECTOR_SIZE);
  for (std::size_t at = flash_offs; at < flash_offs + count; at += FLASH_SECTOR_SIZE) {
    if (!flash_chip.is_off) ++flash_chip.erases[at / FLASH_SECTOR_SIZE];
    flash_chip.step(at, std::vector<std::uint8_t>(FLASH_SECTOR_SIZE, blank));
  }
}

void flash_range_program(std::uint32_t flash_offs, const std::uint8_t* data, std::size_t count) {
  if (!is_safe || is_in_flash(data)) ++flash_chip.unsafe;
  if (!is_allowed(flash_offs, count, FLASH_PAGE_SIZE)) {
    ++flash_chip.beyond;
    return;
  }
  for (std::size_t done = 0; done < count; done += FLASH_PAGE_SIZE) {
    const std::uint8_t* const old = fake_flash_memory + flash_offs + done;
    const bool is_blank = std::all_of(old, old + FLASH_PAGE_SIZE, [](std::uint8_t byte) { return byte == blank; });
    if (!flash_chip.is_off && !is_blank) ++flash_chip.twice;
    // Programming clears bits.
    std::vector<std::uint8_t> target(data + done, data + done + FLASH_PAGE_SIZE);
    for (std::size_t i = 0; i < target.size(); ++i) target[i] = static_cast<std::uint8_t>(target[i] & old[i]);
    flash_chip.step(flash_offs + done, target);
  }
}

}  // extern "C"
