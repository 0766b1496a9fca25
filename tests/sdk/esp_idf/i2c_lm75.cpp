// SPDX-License-Identifier: Apache-2.0
// The driver of an I2C bus of ESP-IDF, with an LM75 at 0x48. Any other address is not acknowledged.
#include <driver/gpio.h>
#include <driver/i2c_master.h>

#include <cstddef>
#include <cstdint>

struct i2c_master_bus_t {};
struct i2c_master_dev_t {
  std::uint16_t address;
};

namespace {

constexpr std::uint16_t lm75 = 0x48;
constexpr std::uint8_t temperature[] = {0x15, 0x80};  // 21.5 degrees

i2c_master_bus_t bus;
i2c_master_dev_t device;

esp_err_t result_of(const i2c_master_dev_t* target) { return target->address == lm75 ? ESP_OK : ESP_ERR_INVALID_STATE; }

}  // namespace

extern "C" {
esp_err_t i2c_new_master_bus(const i2c_master_bus_config_t* config, i2c_master_bus_handle_t* handle) {
  *handle = &bus;
  return config->sda_io_num == 6 && config->scl_io_num == 7 && config->trans_queue_depth == 0 ? ESP_OK
                                                                                              : ESP_ERR_NOT_FOUND;
}
esp_err_t i2c_master_bus_add_device(i2c_master_bus_handle_t, const i2c_device_config_t* config,
                                    i2c_master_dev_handle_t* handle) {
  device.address = config->device_address;
  *handle = &device;
  return ESP_OK;
}
esp_err_t i2c_master_device_change_address(i2c_master_dev_handle_t target, std::uint16_t address, int) {
  target->address = address;
  return ESP_OK;
}
esp_err_t i2c_master_transmit(i2c_master_dev_handle_t target, const std::uint8_t*, size_t, int) {
  return result_of(target);
}
esp_err_t i2c_master_receive(i2c_master_dev_handle_t target, std::uint8_t*, size_t, int) { return result_of(target); }
esp_err_t i2c_master_transmit_receive(i2c_master_dev_handle_t target, const std::uint8_t* out, size_t, std::uint8_t* in,
                                      size_t size, int) {
  for (size_t i = 0; i < size; ++i) in[i] = out[0] == 0 ? temperature[i % 2] : 0;
  return result_of(target);
}
esp_err_t i2c_master_probe(i2c_master_bus_handle_t, std::uint16_t address, int) {
  return address == lm75 ? ESP_OK : ESP_ERR_NOT_FOUND;
}
esp_err_t i2c_master_bus_reset(i2c_master_bus_handle_t) { return ESP_OK; }
int gpio_get_level(gpio_num_t) { return 1; }
}
