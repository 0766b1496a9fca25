// SPDX-License-Identifier: Apache-2.0
// An I2C bus, with the driver for controllers. Up to ESP-IDF 5.4, it cannot change the address of a device.
#include "mcp/ports/esp_idf_i2c.hpp"

#include <esp_idf_version.h>
#include <soc/soc_caps.h>
#if SOC_I2C_SUPPORTED && ESP_IDF_VERSION >= ESP_IDF_VERSION_VAL(5, 5, 0)
#include <driver/gpio.h>
#include <driver/i2c_master.h>

namespace mcp::esp_idf {

bool I2c::are_high() const {
  return gpio_get_level(static_cast<gpio_num_t>(data_pin_)) != 0 &&
         gpio_get_level(static_cast<gpio_num_t>(clock_pin_)) != 0;
}

bool I2c::select(std::uint8_t address) {
  if (device_ == nullptr) {
    i2c_device_config_t config{};
    config.dev_addr_length = I2C_ADDR_BIT_LEN_7;
    config.device_address = address;
    config.scl_speed_hz = hz_;
    if (i2c_master_bus_add_device(bus_, &config, &device_) != ESP_OK) return false;
  } else if (address != address_ && i2c_master_device_change_address(device_, address, most_wait_ms) != ESP_OK) {
    return false;
  }
  address_ = address;
  return true;
}

BusError I2c::do_transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) {
  if (!select(address)) return BusError::failed;
  const std::uint64_t bits = (std::uint64_t{out.size()} + in.size() + 2) * 9;
  const int limit_ms = most_wait_ms + static_cast<int>(bits * 1'000 / hz_);
  const bool were_high = are_high();
  esp_err_t result = ESP_OK;
  if (in.empty()) {
    result = i2c_master_transmit(device_, out.data(), out.size(), limit_ms);
  } else if (out.empty()) {
    result = i2c_master_receive(device_, in.data(), in.size(), limit_ms);
  } else {
    result = i2c_master_transmit_receive(device_, out.data(), out.size(), in.data(), in.size(), limit_ms);
  }
  if (result == ESP_OK) return BusError::none;
  if (!were_high) return BusError::stuck;
  switch (i2c_master_probe(bus_, address, most_wait_ms)) {
    case ESP_OK: break;
    case ESP_ERR_NOT_FOUND: return BusError::no_device;
    default: return BusError::too_late;
  }
  switch (result) {
    case ESP_ERR_INVALID_RESPONSE: return BusError::data_refused;
    case ESP_ERR_TIMEOUT: return BusError::too_late;
    default: return BusError::failed;
  }
}

bool I2c::do_recover() { return i2c_master_bus_reset(bus_) == ESP_OK && are_high(); }

}  // namespace mcp::esp_idf
#endif
