// SPDX-License-Identifier: Apache-2.0
// Random bytes of the chip, and the LED.
#include "mcp/ports/netduinoplus2.hpp"
#include "ports/bare_metal/startup.hpp"
#include "ports/boards/netduinoplus2/stm32f405_registers.hpp"

namespace board {
namespace {

constexpr std::uint32_t rng_cr = 0x5006'0800;
constexpr std::uint32_t rng_sr = 0x5006'0804;
constexpr std::uint32_t rng_dr = 0x5006'0808;
constexpr std::uint32_t ahb2enr_rng = bit(6);
constexpr std::uint32_t cr_enable = bit(2);
constexpr std::uint32_t sr_ready = bit(0);
constexpr std::uint32_t sr_errors = bit(1) | bit(2) | bit(5) | bit(6);  // Of the clock and of the seed
constexpr std::uint32_t ready_looks = 10'000;                           // A word takes 0.9 us.

constexpr std::uint32_t ahb1enr_port_a = bit(0);
constexpr unsigned led_pin = 10;

bool is_led_on;

// Reads a word; false after an error of the generator.
bool read_random(std::uint32_t& word) {
  for (std::uint32_t looks = 0; looks < ready_looks; ++looks) {
    const std::uint32_t status = reg(rng_sr);
    if ((status & sr_errors) != 0) return false;
    if ((status & sr_ready) == 0) continue;
    word = reg(rng_dr);
    return true;
  }
  return false;
}

}  // namespace

// 0 if the generator fails.
std::uint32_t boot_noise() {
  std::uint8_t random[4] = {};
  if (!ChipEntropy().fill(random)) return 0;
  return std::uint32_t{random[0]} << 24 | std::uint32_t{random[1]} << 16 | std::uint32_t{random[2]} << 8 | random[3];
}

bool ChipEntropy::do_fill(std::span<std::uint8_t> into) {
  reg(rcc_ahb2enr) = reg(rcc_ahb2enr) | ahb2enr_rng;
  reg(rng_sr) = 0;
  reg(rng_cr) = cr_enable;
  // The reference manual: the first word is not for use, and two equal words in a row are an error.
  std::uint32_t last = 0;
  bool is_good = read_random(last);
  for (std::size_t at = 0; is_good && at < into.size(); ++at) {
    if (at % sizeof last == 0) {
      std::uint32_t word = last;
      is_good = read_random(word) && word != last;
      last = word;
    }
    if (is_good) into[at] = static_cast<std::uint8_t>(last >> at % sizeof last * 8);
  }
  reg(rng_cr) = 0;
  return is_good;
}

void led(bool on) {
  reg(rcc_ahb1enr) = reg(rcc_ahb1enr) | ahb1enr_port_a;
  set_field(gpio_a + gpio_moder, led_pin, 2, mode_output);
  reg(gpio_a + gpio_bsrr) = on ? bit(led_pin) : bit(led_pin + 16);
  is_led_on = on;
}

bool led() { return is_led_on; }

}  // namespace board
