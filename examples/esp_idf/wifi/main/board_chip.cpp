// SPDX-License-Identifier: Apache-2.0
// I2C on pins 6 and 7, an LED on pin 10, the task watchdog, and light sleep.
#include "board.hpp"

#include <mcp/ports/esp_idf_i2c.hpp>

#include <driver/gpio.h>
#include <driver/i2c_master.h>
#include <esp_err.h>
#include <esp_pm.h>
#include <esp_task_wdt.h>
#include <sdkconfig.h>

namespace board {
namespace {

constexpr gpio_num_t data_pin{6};
constexpr gpio_num_t clock_pin{7};
constexpr gpio_num_t led_pin{10};

i2c_master_bus_handle_t open_bus() {
  i2c_master_bus_config_t config{};
  config.i2c_port = -1;  // any
  config.sda_io_num = data_pin;
  config.scl_io_num = clock_pin;
  config.clk_source = I2C_CLK_SRC_DEFAULT;
  config.glitch_ignore_cnt = 7;
  config.flags.enable_internal_pullup = 1;  // for short wires
  i2c_master_bus_handle_t handle = nullptr;
  ESP_ERROR_CHECK(i2c_new_master_bus(&config, &handle));
  return handle;
}

}  // namespace

const mcp::Millis longest_sleep_ms = 100;

mcp::I2cBus& bus() {
  static mcp::esp_idf::I2c i2c(open_bus(), data_pin, clock_pin);
  return i2c;
}

void set_led(bool on) {
  static const esp_err_t is_output = gpio_set_direction(led_pin, GPIO_MODE_OUTPUT);
  ESP_ERROR_CHECK(is_output);
  ESP_ERROR_CHECK(gpio_set_level(led_pin, on ? 1 : 0));
}

// CONFIG_ESP_TASK_WDT_INIT starts the watchdog before app_main().
void start_watchdog() { ESP_ERROR_CHECK(esp_task_wdt_add(nullptr)); }
void feed_watchdog() { ESP_ERROR_CHECK(esp_task_wdt_reset()); }

// Wi-Fi wakes the chip for each beacon that announces data.
void enable_sleep() {
  esp_pm_config_t config{};
  config.max_freq_mhz = CONFIG_ESP_DEFAULT_CPU_FREQ_MHZ;
  config.min_freq_mhz = CONFIG_XTAL_FREQ;
  config.light_sleep_enable = true;
  ESP_ERROR_CHECK(esp_pm_configure(&config));
}

}  // namespace board
