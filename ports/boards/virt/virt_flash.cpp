// SPDX-License-Identifier: Apache-2.0
// The second flash of `virt`: CFI command set 1, two chips of 16 bits side by side. A command goes to both in one word.
// Knows no records.
#include <algorithm>

#include "mcp/ports/processor.hpp"
#include "mcp/ports/virt.hpp"
#include "ports/boards/virt/virt_internal.hpp"

namespace board {
namespace {

// "Common Flash Interface (CFI) and Command Sets", Intel application note 646.
constexpr std::uint32_t read_array = 0x00FF'00FF;
constexpr std::uint32_t clear_status = 0x0050'0050;
constexpr std::uint32_t program_word = 0x0040'0040;
constexpr std::uint32_t erase_block = 0x0020'0020;
constexpr std::uint32_t erase_confirm = 0x00D0'00D0;
constexpr std::uint32_t status_ready = 0x0080'0080;
constexpr std::uint32_t status_error = 0x003A'003A;  // Erase, program, voltage, lock

// Of both chips together.
constexpr std::size_t block_size = 0x4'0000;
constexpr std::size_t unit_size = 4;
// The first blocks; the others are free for applications.
constexpr std::size_t blocks = 2;

// The emulator is ready at once. A chip takes up to 4 s for a block; a look takes more than 100 ns.
constexpr std::uint32_t status_looks = 40'000'000;

// Waits until the chips are ready, and lets them show their contents again. False after an error.
bool finish(std::uint32_t address) {
  std::uint32_t status = 0;
  for (std::uint32_t looks = 0; looks != status_looks && (status & status_ready) != status_ready; ++looks) {
    status = reg(address);
  }
  reg(address) = clear_status;
  reg(address) = read_array;
  return (status & status_ready) == status_ready && (status & status_error) == 0;
}

class CfiFlash final : public mcp::Flash {
  Geometry do_geometry() override { return {.blocks = blocks, .block_size = block_size, .unit_size = unit_size}; }

  bool do_read(std::size_t at, std::span<std::uint8_t> into) override {
    const auto* from =
        reinterpret_cast<const volatile std::uint8_t*>(flash1 + at);  // NOLINT(performance-no-int-to-ptr)
    std::copy_n(from, into.size(), into.data());
    return true;
  }

  bool do_erase(std::size_t block) override {
    const auto address = static_cast<std::uint32_t>(flash1 + block * block_size);
    reg(address) = erase_block;
    reg(address) = erase_confirm;
    return finish(address);
  }

  bool do_program(std::size_t at, std::span<const std::uint8_t> unit) override {
    std::uint32_t word = 0;
    for (std::size_t i = unit_size; i != 0; --i) word = word << 8 | unit[i - 1];
    const auto address = static_cast<std::uint32_t>(flash1 + at);
    reg(address) = program_word;
    reg(address) = word;
    return finish(address);
  }
};

constinit CfiFlash instance;

}  // namespace

mcp::Flash& flash() { return instance; }

}  // namespace board
