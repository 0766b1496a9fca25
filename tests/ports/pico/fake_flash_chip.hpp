// SPDX-License-Identifier: Apache-2.0
// A fake of the flash chip below hardware_flash and pico_flash of the pico-sdk, whose power fails at a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string_view>
#include <vector>

namespace fake {

struct FlashChip {
  /// What the interrupted step, an erased sector or a programmed page, leaves.
  enum class Cut : std::uint8_t {
    before,    // nothing has changed
    after,     // the step is complete, but the program does not continue
    partly,    // some bits have changed
    unstable,  // the bits that change read differently after each reset
    early,     // one of these bits reads differently after each reset, and the others have not changed
    late,      // one of these bits reads differently after each reset, and the others have changed
  };

  /// A blank chip with power, with this image at its beginning. `seed` decides about the bits that a cut changes.
  void reset(unsigned seed = 1);
  /// The power fails at this step, counted from now.
  void cut_at(std::size_t step, Cut kind);
  /// Unstable bits settle to other values.
  void power_on();
  [[nodiscard]] bool contains(std::string_view text) const;

  int safe_result = 0;           // of flash_safe_execute(); not 0: the function does not run
  std::uint32_t timeout_ms = 0;  // of the last call
  bool is_stuck = false;         // a step changes nothing
  bool is_off = false;
  std::size_t steps = 0;
  std::size_t unsafe = 0;           // calls outside of flash_safe_execute(), or with bytes in the flash
  std::size_t beyond = 0;           // calls whose offset or size the pico-sdk rejects, or that reach into the image
  std::size_t twice = 0;            // pages that were programmed without an erasure
  std::vector<std::size_t> erases;  // of each sector

  // Of the fake.
  void step(std::size_t at, const std::vector<std::uint8_t>& target);

 private:
  void cut(std::size_t at, const std::vector<std::uint8_t>& target);

  std::map<std::size_t, std::uint8_t> unstable_;
  std::size_t cut_step_ = 0;
  Cut cut_ = Cut::before;
  std::minstd_rand random_;
};

extern FlashChip flash_chip;

/// The image takes the first half of the chip.
constexpr std::size_t image_size = 32U << 10;

}  // namespace fake
