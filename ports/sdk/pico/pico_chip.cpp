// SPDX-License-Identifier: Apache-2.0
// Random bytes, the temperature of the chip, and the LED.
#include <algorithm>
#include <cstring>

#include <hardware/adc.h>
#include <hardware/gpio.h>
#include <pico/rand.h>
#include "mcp/ports/pico.hpp"

namespace mcp::pico {

bool SdkEntropy::do_fill(std::span<std::uint8_t> into) {
  for (std::size_t at = 0; at < into.size();) {
    const std::uint64_t random = get_rand_64();
    const std::size_t size = std::min(sizeof random, into.size() - at);
    std::memcpy(into.data() + at, &random, size);
    at += size;
  }
  return true;
}

std::uint32_t boot_id() {
  static std::uint32_t id;
  while (id == 0) id = get_rand_32();
  return id;
}

// 27 degrees at 706 mV, 1.721 mV less per degree (0.581 thousandths of a degree per microvolt), and 3.3 V for 4096
// steps of the ADC. All products fit into 32 bits.
std::int32_t chip_millidegrees() {
  // The application may use the ADC, too, and switch the sensor off.
  if ((adc_hw->cs & ADC_CS_EN_BITS) == 0) adc_init();
  adc_set_temp_sensor_enabled(true);
  adc_select_input(ADC_TEMPERATURE_CHANNEL_NUM);
  const std::int32_t microvolts = adc_read() * 3'300 * 125 / 512;
  return 27'000 - (microvolts - 706'000) * 581 / 1'000;
}

bool led([[maybe_unused]] bool on) {
#ifdef PICO_DEFAULT_LED_PIN
  static bool is_on = false;
  if (!is_on) {
    is_on = true;
    gpio_init(PICO_DEFAULT_LED_PIN);
    gpio_set_dir(PICO_DEFAULT_LED_PIN, true);
  }
  gpio_put(PICO_DEFAULT_LED_PIN, on);
  return true;
#else
  return false;
#endif
}

}  // namespace mcp::pico
