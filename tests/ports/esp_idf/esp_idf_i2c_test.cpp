// SPDX-License-Identifier: Apache-2.0
// The I2C bus of ESP-IDF, with functions that behave as those of components/esp_driver_i2c/i2c_master.c: each error
// resets the bus, and i2c_master_probe() tells a missing device from a timeout. The results for a NACK are those of
// version 5.5 (ESP_ERR_INVALID_STATE) and of version 6 (ESP_ERR_INVALID_RESPONSE).
#include "mcp/ports/esp_idf_i2c.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "support/hex.hpp"

#include <driver/gpio.h>
#include <driver/i2c_master.h>

struct i2c_master_bus_t {};
struct i2c_master_dev_t {
  unsigned address;
};

namespace {

using mcp::BusError;
using test::hex;

constexpr int data_pin = 6;
constexpr int clock_pin = 7;
constexpr std::uint8_t sensor = 0x48;

struct Chip {
  i2c_master_bus_t bus;
  i2c_master_dev_t device{0};
  unsigned devices = 0;
  bool has_memory = true;
  bool is_version_6 = true;
  std::size_t acknowledges = 999;  // bytes of a write
  bool is_late = false;            // in transactions, also in those that only look for the device if `probe_is_late`
  bool probe_is_late = false;
  bool is_data_low = false;
  bool is_clock_low = false;
  unsigned resets = 0;
  unsigned resets_to_free = 0;  // after which a device releases the data line
  int limit_ms = 0;
  std::uint32_t hz = 0;
  std::string log;
};
Chip chip;

// s_i2c_hw_fsm_reset(), with nine pulses of the clock.
void reset() {
  if (++chip.resets == chip.resets_to_free) chip.is_data_low = false;
}

esp_err_t fail(bool is_late) {
  reset();
  if (!chip.is_version_6) return ESP_ERR_INVALID_STATE;
  return is_late ? ESP_ERR_TIMEOUT : ESP_ERR_INVALID_RESPONSE;
}

esp_err_t run(i2c_master_dev_handle_t device, std::span<const std::uint8_t> out, std::span<std::uint8_t> in,
              int limit_ms) {
  EXPECT_EQ(device, &chip.device);
  chip.limit_ms = limit_ms;
  if (chip.is_late || chip.is_data_low || chip.is_clock_low) return fail(true);
  chip.log += hex(device->address);
  if (device->address != sensor) return fail(false);
  std::size_t sent = 0;
  for (const std::uint8_t byte : out) {
    if (sent++ == chip.acknowledges) return fail(false);
    chip.log += " " + hex(byte);
  }
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>(0xA0 + i);
  if (!in.empty()) chip.log += " R" + hex(static_cast<unsigned>(in.size()));
  chip.log += ";";
  return ESP_OK;
}

class EspIdfI2c : public testing::Test {
 protected:
  EspIdfI2c() { chip = {}; }

  static constexpr std::uint8_t three[] = {0x05, 0x11, 0x12};
  std::uint8_t in_[2] = {};
  mcp::esp_idf::I2c bus_{&chip.bus, data_pin, clock_pin};
};

TEST_F(EspIdfI2c, WritesAndReadsInOneTransaction) {
  EXPECT_EQ(bus_.transfer(sensor, three, in_), BusError::none);
  EXPECT_EQ(bus_.write(sensor, three), BusError::none);
  EXPECT_EQ(bus_.read(sensor, in_), BusError::none);
  EXPECT_EQ(chip.log, "48 05 11 12 R02;48 05 11 12;48 R02;");
  EXPECT_EQ(in_[1], 0xA1);
  EXPECT_EQ(chip.hz, 100'000U);
}

TEST_F(EspIdfI2c, HasOneDeviceForAllAddresses) {
  EXPECT_EQ(bus_.write(sensor, three), BusError::none);
  EXPECT_EQ(bus_.probe(0x50), BusError::no_device);
  EXPECT_EQ(bus_.probe(sensor), BusError::none);
  EXPECT_EQ(chip.devices, 1U);
}

TEST_F(EspIdfI2c, LimitsTheTimeByTheNumberOfBytes) {
  EXPECT_EQ(bus_.write(sensor, three), BusError::none);
  EXPECT_EQ(chip.limit_ms, 20);
  std::array<std::uint8_t, 998> many{};
  EXPECT_EQ(bus_.read(sensor, many), BusError::none);
  EXPECT_EQ(chip.limit_ms, 110);
}

TEST_F(EspIdfI2c, ReportsAMissingDevice) {
  for (const bool is_version_6 : {false, true}) {
    chip.is_version_6 = is_version_6;
    EXPECT_EQ(bus_.transfer(0x50, three, in_), BusError::no_device);
    EXPECT_EQ(bus_.read(0x50, in_), BusError::no_device);
  }
}

TEST_F(EspIdfI2c, ReportsAByteThatTheDeviceRefuses) {
  chip.acknowledges = 1;
  EXPECT_EQ(bus_.write(sensor, three), BusError::data_refused);
  chip.is_version_6 = false;
  EXPECT_EQ(bus_.write(sensor, three), BusError::failed) << "version 5.5 has one error for all";
}

TEST_F(EspIdfI2c, ReportsATimeout) {
  chip.is_late = true;
  EXPECT_EQ(bus_.write(sensor, three), BusError::too_late) << "the device is there again";
  chip.probe_is_late = true;
  EXPECT_EQ(bus_.write(sensor, three), BusError::too_late);
  chip.is_version_6 = false;
  EXPECT_EQ(bus_.write(sensor, three), BusError::too_late);
}

TEST_F(EspIdfI2c, RecoversAndTriesOnceMore) {
  chip.is_data_low = true;
  chip.resets_to_free = 2;
  EXPECT_EQ(bus_.write(sensor, three), BusError::none);
  EXPECT_EQ(chip.resets, 2U) << "of the error, and of recover()";
}

TEST_F(EspIdfI2c, ReportsALineThatStaysLow) {
  chip.is_data_low = true;
  EXPECT_EQ(bus_.write(sensor, three), BusError::stuck);
  chip.is_data_low = false;
  chip.is_clock_low = true;
  EXPECT_EQ(bus_.write(sensor, three), BusError::stuck);
  EXPECT_FALSE(bus_.recover());
  chip.is_clock_low = false;
  EXPECT_TRUE(bus_.recover());
}

TEST_F(EspIdfI2c, FailsWithoutMemory) {
  chip.has_memory = false;
  EXPECT_EQ(bus_.write(sensor, three), BusError::failed);
  chip.has_memory = true;
  EXPECT_EQ(bus_.write(sensor, three), BusError::none);
}

}  // namespace

extern "C" {
esp_err_t i2c_master_bus_add_device(i2c_master_bus_handle_t bus_handle, const i2c_device_config_t* dev_config,
                                    i2c_master_dev_handle_t* ret_handle) {
  EXPECT_EQ(bus_handle, &chip.bus);
  if (!chip.has_memory) return ESP_ERR_NO_MEM;
  ++chip.devices;
  chip.device.address = dev_config->device_address;
  chip.hz = dev_config->scl_speed_hz;
  *ret_handle = &chip.device;
  return ESP_OK;
}
esp_err_t i2c_master_device_change_address(i2c_master_dev_handle_t i2c_dev, uint16_t new_device_address, int) {
  i2c_dev->address = new_device_address;
  return ESP_OK;
}
esp_err_t i2c_master_transmit(i2c_master_dev_handle_t i2c_dev, const uint8_t* write_buffer, size_t write_size,
                              int xfer_timeout_ms) {
  return run(i2c_dev, {write_buffer, write_size}, {}, xfer_timeout_ms);
}
esp_err_t i2c_master_receive(i2c_master_dev_handle_t i2c_dev, uint8_t* read_buffer, size_t read_size,
                             int xfer_timeout_ms) {
  return run(i2c_dev, {}, {read_buffer, read_size}, xfer_timeout_ms);
}
esp_err_t i2c_master_transmit_receive(i2c_master_dev_handle_t i2c_dev, const uint8_t* write_buffer, size_t write_size,
                                      uint8_t* read_buffer, size_t read_size, int xfer_timeout_ms) {
  return run(i2c_dev, {write_buffer, write_size}, {read_buffer, read_size}, xfer_timeout_ms);
}
esp_err_t i2c_master_probe(i2c_master_bus_handle_t bus_handle, uint16_t address, int) {
  EXPECT_EQ(bus_handle, &chip.bus);
  if (chip.probe_is_late) return ESP_ERR_TIMEOUT;
  return address == sensor ? ESP_OK : ESP_ERR_NOT_FOUND;
}
esp_err_t i2c_master_bus_reset(i2c_master_bus_handle_t bus_handle) {
  EXPECT_EQ(bus_handle, &chip.bus);
  reset();
  return ESP_OK;
}
int gpio_get_level(gpio_num_t gpio_num) {
  const bool is_low = gpio_num == data_pin ? chip.is_data_low : chip.is_clock_low;
  return is_low ? 0 : 1;
}
}
