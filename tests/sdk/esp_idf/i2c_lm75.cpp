// SPDX-License-Identifier: Apache-2.0
// The driver of an I2C bus of ESP-IDF, with an LM75 at 0x48, which the LED on pin 10 warms. Any other
// address is not acknowledged.
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
constexpr std::uint8_t cool[] = {0x15, 0x80};  // 21.5 degrees
constexpr std::uint8_t warm[] = {0x1E, 0x80};  // 30.5 degrees
constexpr gpio_num_t led = 10;

bool is_output = false;
bool is_led_on = false;

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
  for (size_t i = 0; i < size; ++i) in[i] = out[0] == 0 ? (is_led_on ? warm : cool)[i % 2] : 0;
  return result_of(target);
}
esp_err_t i2c_master_probe(i2c_master_bus_handle_t, std::uint16_t address, int) {
  return address == lm75 ? ESP_OK : ESP_ERR_NOT_FOUND;
}
esp_err_t i2c_master_bus_reset(i2c_master_bus_handle_t) { return ESP_OK; }
int gpio_get_level(gpio_num_t) { return 1; }
esp_err_t gpio_set_direction(gpio_num_t pin, gpio_mode_t mode) {
  is_output = pin == led && mode == GPIO_MODE_OUTPUT;
  return ESP_OK;
}
esp_err_t gpio_set_level(gpio_num_t pin, std::uint32_t level) {
  is_led_on = is_output && pin == led && level == 1;
  return ESP_OK;
}
}
