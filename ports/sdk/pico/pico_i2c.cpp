// SPDX-License-Identifier: Apache-2.0
// An I2C controller, with hardware_i2c.
#include "mcp/ports/pico_i2c.hpp"

#include <hardware/gpio.h>
#include <hardware/i2c.h>
#include <pico/error.h>
#include <pico/time.h>

namespace mcp::pico {
namespace {

constexpr std::uint32_t half_clock_us = 5;  // of 100 kHz

}  // namespace

bool I2c::are_high() const { return gpio_get(data_pin_) && gpio_get(clock_pin_); }

void I2c::switch_on() {
  if (is_on_) return;
  is_on_ = true;
  i2c_init(controller_, hz_);
  for (const unsigned pin : {data_pin_, clock_pin_}) {
    gpio_set_function(pin, GPIO_FUNC_I2C);
    gpio_pull_up(pin);
  }
}

// Of the address and these bytes, and the wait.
std::uint32_t I2c::time_us(std::size_t bytes) const {
  const std::uint64_t bits_us = (std::uint64_t{bytes} + 1) * 9 * 1'000'000 / hz_;
  return static_cast<std::uint32_t>(bits_us) + most_wait_ms * 1'000;
}

BusError I2c::finish(int result, std::size_t size, bool were_high) {
  if (result == static_cast<int>(size)) return BusError::none;
  controller_->restart_on_next = false;  // after an error there was a stop
  if (result == PICO_ERROR_TIMEOUT) {
    is_on_ = false;  // the controller continues until a reset
    return were_high ? BusError::too_late : BusError::stuck;
  }
  // The number of acknowledged bytes, or one error for all others.
  return result >= 0 ? BusError::data_refused : BusError::no_device;
}

BusError I2c::do_transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) {
  if (!is_device_address(address)) return BusError::unsupported;  // an assertion in the SDK
  switch_on();
  const bool were_high = are_high();
  if (!out.empty()) {
    const int result =
        i2c_write_timeout_us(controller_, address, out.data(), out.size(), !in.empty(), time_us(out.size()));
    const BusError error = finish(result, out.size(), were_high);
    if (error != BusError::none || in.empty()) return error;
  }
  const int result = i2c_read_timeout_us(controller_, address, in.data(), in.size(), false, time_us(in.size()));
  return finish(result, in.size(), were_high);
}

bool I2c::do_recover() {
  is_on_ = false;
  for (const unsigned pin : {data_pin_, clock_pin_}) {
    gpio_init(pin);  // an input, whose output would be low
    gpio_pull_up(pin);
  }
  // A line is low while its pin is an output, and high through its pull-up while its pin is an input.
  const auto pull = [this](bool data, bool clock) {
    gpio_set_dir(data_pin_, data);
    gpio_set_dir(clock_pin_, clock);
    busy_wait_us_32(half_clock_us);
  };
  mcp::detail::free_data_line(pull, [this] { return gpio_get(data_pin_); });
  return are_high();
}

}  // namespace mcp::pico
