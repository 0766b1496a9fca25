// SPDX-License-Identifier: Apache-2.0
// The I2C bus of Zephyr, with drivers that return what those of Zephyr 4 return: -EIO for each error of a transaction
// (drivers/i2c/i2c_stm32_v2.c, i2c_nrfx_twim.c), or other numbers.
#include "mcp/ports/zephyr_i2c.hpp"

#include <errno.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "support/hex.hpp"

#include <zephyr/device.h>
#include <zephyr/drivers/i2c.h>

namespace {

using mcp::BusError;
using test::hex;

constexpr std::uint8_t sensor = 0x48;
constexpr device controller{"i2c"};

struct Driver {
  std::size_t acknowledges = 999;  // bytes of a write
  int error = 0;                   // of each transaction
  int errors = 999;                // how often
  bool sends_no_empty_write = false;
  bool is_ready = true;
  int recovery = 0;
  unsigned recoveries = 0;
  std::string log;
};
Driver driver;

int run(const device* dev, unsigned address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) {
  EXPECT_EQ(dev, &controller);
  if (driver.sends_no_empty_write && out.empty() && in.empty()) return -EINVAL;
  if (driver.error != 0 && driver.errors > 0) return --driver.errors, driver.error;
  if (address != sensor) return -EIO;
  driver.log += hex(address);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i == driver.acknowledges) return -EIO;
    driver.log += " " + hex(out[i]);
  }
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>(0xA0 + i);
  driver.log += in.empty() ? ";" : " R" + hex(static_cast<unsigned>(in.size())) + ";";
  return 0;
}

class ZephyrI2c : public testing::Test {
 protected:
  ZephyrI2c() { driver = {}; }

  static constexpr std::uint8_t two[] = {0x05, 0x11};
  std::uint8_t in_[2] = {};
  mcp::zephyr::I2c bus_{&controller};
};

TEST_F(ZephyrI2c, WritesAndReadsInOneTransaction) {
  EXPECT_EQ(bus_.transfer(sensor, two, in_), BusError::none);
  EXPECT_EQ(bus_.write(sensor, two), BusError::none);
  EXPECT_EQ(bus_.read(sensor, in_), BusError::none);
  EXPECT_EQ(driver.log, "48 05 11 R02;48 05 11;48 R02;");
  EXPECT_EQ(in_[1], 0xA1);
  EXPECT_EQ(bus_.limit_ms(), 500U);
}

TEST_F(ZephyrI2c, TellsAMissingDeviceFromOtherErrors) {
  EXPECT_EQ(bus_.transfer(0x50, two, in_), BusError::no_device);
  EXPECT_EQ(bus_.read(0x50, in_), BusError::no_device);
  driver.acknowledges = 1;
  EXPECT_EQ(bus_.write(sensor, two), BusError::failed) << "the device is there";
  driver.sends_no_empty_write = true;
  EXPECT_EQ(bus_.read(0x50, in_), BusError::failed) << "the driver cannot look for a device";
}

TEST_F(ZephyrI2c, ReportsTheErrorsOfDrivers) {
  const std::pair<int, BusError> errors[] = {
      {-ENXIO, BusError::no_device},     {-EBUSY, BusError::stuck},        {-ETIMEDOUT, BusError::too_late},
      {-EAGAIN, BusError::too_late},     {-ENOSPC, BusError::too_long},    {-EINVAL, BusError::unsupported},
      {-ENOTSUP, BusError::unsupported}, {-ENOSYS, BusError::unsupported}, {-ENOMEM, BusError::failed},
  };
  driver.recovery = -ENOSYS;
  for (const auto& [number, error] : errors) {
    driver.error = number;
    EXPECT_EQ(bus_.write(sensor, two), error) << number;
  }
}

TEST_F(ZephyrI2c, FailsWithoutItsDevice) {
  driver.is_ready = false;
  EXPECT_EQ(bus_.write(sensor, two), BusError::failed);
  EXPECT_EQ(driver.log, "");
}

TEST_F(ZephyrI2c, RecoversAndTriesOnceMore) {
  driver.error = -EBUSY;
  driver.errors = 1;
  EXPECT_EQ(bus_.write(sensor, two), BusError::none);
  EXPECT_EQ(driver.recoveries, 1U);
  driver.errors = 1;
  driver.recovery = -EBUSY;
  EXPECT_EQ(bus_.write(sensor, two), BusError::stuck);
}

}  // namespace

extern "C" {
bool device_is_ready(const struct device*) { return driver.is_ready; }
int i2c_write(const struct device* dev, const uint8_t* buf, uint32_t num_bytes, uint16_t addr) {
  return run(dev, addr, {buf, num_bytes}, {});
}
int i2c_read(const struct device* dev, uint8_t* buf, uint32_t num_bytes, uint16_t addr) {
  return run(dev, addr, {}, {buf, num_bytes});
}
int i2c_write_read(const struct device* dev, uint16_t addr, const void* write_buf, size_t num_write, void* read_buf,
                   size_t num_read) {
  return run(dev, addr, {static_cast<const uint8_t*>(write_buf), num_write},
             {static_cast<uint8_t*>(read_buf), num_read});
}
int i2c_recover_bus(const struct device* dev) {
  EXPECT_EQ(dev, &controller);
  ++driver.recoveries;
  return driver.recovery;
}
}
