// SPDX-License-Identifier: Apache-2.0
// SHT4x, compared with the formulas of its data sheet in double. The checksum is a division of polynomials written
// here, checked by the vector of the data sheet.
#include "mcp/devices/sht4x.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "ports/devices/on_bus.hpp"

namespace {

using mcp::BusError;
using mcp::SensorFault;
using test::measure;

// The remainder of the word, inverted in its first 8 bits, times x^8, by x^8 + x^5 + x^4 + 1.
std::uint8_t checksum(std::uint16_t word) {
  std::uint32_t rest = std::uint32_t{word} << 8 ^ 0xFF0000;
  for (int bit = 23; bit >= 8; --bit) {
    if ((rest >> bit & 1) != 0) rest ^= 0x131U << (bit - 8);
  }
  return static_cast<std::uint8_t>(rest);
}

class FakeSht4x final : public mcp::FakeI2cDevice {
 public:
  FakeSht4x() : FakeI2cDevice(0x44) {}
  std::uint16_t temperature = 0x6666;
  std::uint16_t humidity = 0x8000;
  bool has_values = false;
  std::array<std::uint8_t, 6> changes = {};  // of the bytes, on the wire

 private:
  BusError do_write(std::span<const std::uint8_t> out) override {
    if (out.size() != 1 || out[0] != 0xFD) return BusError::data_refused;
    has_values = true;
    return BusError::none;
  }
  BusError do_read(std::span<std::uint8_t> in) override {
    if (!has_values) return BusError::no_device;
    has_values = false;
    const std::uint8_t bytes[] = {static_cast<std::uint8_t>(temperature >> 8),
                                  static_cast<std::uint8_t>(temperature),
                                  checksum(temperature),  //
                                  static_cast<std::uint8_t>(humidity >> 8),
                                  static_cast<std::uint8_t>(humidity),
                                  checksum(humidity)};
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = i < 6 ? bytes[i] ^ changes[i] : 0xFF;
    return BusError::none;
  }
};

class Sht4xTest : public test::OnBus<testing::Test> {
 protected:
  void SetUp() override { devices_[0] = &device_; }

  FakeSht4x device_;
  mcp::Sht4x sensor_{test::bus, 0x44};
};

TEST_F(Sht4xTest, TheTestHasTheChecksumOfTheDataSheet) { EXPECT_EQ(checksum(0xBEEF), 0x92); }

TEST_F(Sht4xTest, AgreesWithFloatingPointForAllWords) {
  EXPECT_EQ(sensor_.begin().ready_ms, 10U);
  for (unsigned word = 0; word < 0x10000; ++word) {
    device_.temperature = 0x6666;
    device_.humidity = static_cast<std::uint16_t>(word);
    ASSERT_EQ(measure(sensor_), mcp::SensorError());
    const double percent = std::clamp(-6 + 125 * (word / 65'535.0), 0.0, 100.0);
    ASSERT_NEAR(sensor_.value(mcp::Sht4x::humidity) / 100.0, percent, 0.005001);
    device_.temperature = static_cast<std::uint16_t>(word);
    const mcp::SensorError error = measure(sensor_);
    const double celsius = -45 + 175 * (word / 65'535.0);
    if (celsius < -40.005 || celsius > 125.005) {
      ASSERT_EQ(error, mcp::SensorError::out_of_bounds(mcp::Sht4x::temperature));
    } else if (celsius > -39.995 && celsius < 124.995) {
      ASSERT_EQ(error, mcp::SensorError());
      ASSERT_NEAR(sensor_.value(mcp::Sht4x::temperature) / 100.0, celsius, 0.005001);
    }
  }
}

TEST_F(Sht4xTest, RejectsEachChangedBit) {
  for (std::size_t bit = 0; bit < 48; ++bit) {
    device_.changes = {};
    device_.changes[bit / 8] = static_cast<std::uint8_t>(1 << bit % 8);
    EXPECT_EQ(measure(sensor_).fault(), SensorFault::wrong_checksum) << bit;
  }
  device_.changes = {};
  EXPECT_FALSE(measure(sensor_));
}

TEST_F(Sht4xTest, RecoversWhenTheDeviceIsBack) {
  device_.is_present = false;
  EXPECT_EQ(measure(sensor_), mcp::SensorError(BusError::no_device));
  device_.is_present = true;
  EXPECT_FALSE(measure(sensor_));
}

TEST_F(Sht4xTest, ReportsAResetBetweenBeginAndCollect) {
  ASSERT_FALSE(sensor_.begin().error);
  device_.has_values = false;
  EXPECT_EQ(sensor_.collect(), mcp::SensorError(BusError::no_device));
  EXPECT_FALSE(measure(sensor_));
}

TEST_F(Sht4xTest, TakesNoValuesFromOtherDevices) {
  for (const int byte : {0x00, 0xFF}) {
    mcp::FakeNoise device(0x44, static_cast<std::uint8_t>(byte));
    devices_[0] = &device;
    EXPECT_EQ(measure(sensor_).fault(), SensorFault::wrong_checksum) << byte;
  }
}

}  // namespace
