// SPDX-License-Identifier: Apache-2.0
// As src/rp2_common/hardware_pwm of the pico-sdk 2.2.0: pwm_init() clears both levels of a slice. The chip compares the
// counter with the level, so a level above the last count is always high.
#pragma once

#include <cstdint>

typedef unsigned int uint;
struct pwm_config {
  std::uint32_t div = 16;
  std::uint16_t top = 0xFFFF;
};
struct pwm_slice {
  std::uint32_t div = 16;
  std::uint16_t top = 0xFFFF;
  std::uint16_t level[2] = {};
  bool is_on = false;
  int starts = 0;
};
inline pwm_slice pwm_slices[8];

inline uint pwm_gpio_to_slice_num(uint pin) { return pin >> 1 & 7; }
inline uint pwm_gpio_to_channel(uint pin) { return pin & 1; }
inline pwm_config pwm_get_default_config() { return {}; }
inline void pwm_config_set_clkdiv_int_frac(pwm_config* config, std::uint8_t whole, std::uint8_t sixteenths) {
  config->div = std::uint32_t{whole} << 4 | sixteenths;
}
inline void pwm_config_set_wrap(pwm_config* config, std::uint16_t wrap) { config->top = wrap; }
inline void pwm_init(uint slice, pwm_config* config, bool start) {
  pwm_slices[slice] = {config->div, config->top, {}, start, pwm_slices[slice].starts + 1};
}
inline void pwm_set_gpio_level(uint pin, std::uint16_t level) {
  pwm_slices[pwm_gpio_to_slice_num(pin)].level[pwm_gpio_to_channel(pin)] = level;
}
