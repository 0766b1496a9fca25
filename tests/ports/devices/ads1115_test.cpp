// SPDX-License-Identifier: Apache-2.0
// ADS1115, compared with the full-scale ranges of its data sheet in double, over all codes of each range.
#include "mcp/devices/ads1115.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "ports/devices/on_bus.hpp"

namespace {

using mcp::Ads1115;
using mcp::BusError;
using mcp::SensorFault;
using test::measure;

/// Converts one code for each input.
class FakeAds1115 final : public mcp::FakeWords {
 public:
  FakeAds1115() : FakeWords(0x48) { reset(); }
  std::uint16_t codes[8] = {};
  bool is_busy = false;

  void reset() {
    (*this)[0] = 0;
    (*this)[1] = 0x8583;
  }

 private:
  void written(std::uint8_t number, std::uint16_t value) override {
    if (number != 1) return;
    (*this)[1] = static_cast<std::uint16_t>(is_busy ? value & 0x7FFF : value | 0x8000);
    if ((value & 0x8100) == 0x8100) (*this)[0] = codes[value >> 12 & 7];
  }
};

class Ads1115Test : public test::OnBus<testing::Test> {
 protected:
  void SetUp() override { devices_[0] = &device_; }

  FakeAds1115 device_;
  Ads1115 sensor_{test::bus, 0x48, Ads1115::Input::a0, Ads1115::Range::v4_096};
};

TEST_F(Ads1115Test, AgreesWithFloatingPointForAllCodes) {
  constexpr double volts[] = {6.144, 4.096, 2.048, 1.024, 0.512, 0.256};
  for (int range = 0; range < 6; ++range) {
    Ads1115 sensor(test::bus, 0x48, Ads1115::Input::a0, static_cast<Ads1115::Range>(range));
    for (int code = -0x8000; code < 0x8000; ++code) {
      device_.codes[4] = static_cast<std::uint16_t>(code);
      const mcp::SensorError error = measure(sensor);
      if (code == -0x8000 || code == 0x7FFF) {
        ASSERT_EQ(error, mcp::SensorError::out_of_bounds(0)) << code;
      } else {
        ASSERT_EQ(error, mcp::SensorError()) << code;
        ASSERT_NEAR(sensor.value(Ads1115::voltage), code * volts[range] * 1e6 / 32'768, 0.5001) << code;
      }
    }
  }
}

TEST_F(Ads1115Test, SelectsTheInput) {
  for (int input = 0; input < 8; ++input) device_.codes[input] = static_cast<std::uint16_t>(input + 1);
  for (int input = 0; input < 8; ++input) {
    Ads1115 sensor(test::bus, 0x48, static_cast<Ads1115::Input>(input), Ads1115::Range::v4_096);
    EXPECT_EQ(sensor.begin().ready_ms, 10U);
    ASSERT_FALSE(sensor.collect());
    EXPECT_EQ(sensor.value(0), 125 * (input + 1));
  }
  // AIN0 to ground, 4.096 V, one conversion, 128 per second, no comparator: "Config Register" of the data sheet.
  bus_.clear_log();
  ASSERT_FALSE(sensor_.begin().error);
  EXPECT_TRUE(std::ranges::equal(bus_.log().back().written(), std::array{1, 0xC3, 0x83}));
}

TEST_F(Ads1115Test, CollectsAgainIfTheDeviceStillConverts) {
  device_.is_busy = true;
  ASSERT_FALSE(sensor_.begin().error);
  EXPECT_EQ(sensor_.collect().fault(), SensorFault::not_ready);
  device_[1] |= 0x8000;
  EXPECT_FALSE(sensor_.collect());
}

TEST_F(Ads1115Test, ReportsAResetBetweenBeginAndCollect) {
  ASSERT_FALSE(sensor_.begin().error);
  device_.reset();
  EXPECT_EQ(sensor_.collect().fault(), SensorFault::settings_lost);
  EXPECT_FALSE(measure(sensor_));
}

TEST_F(Ads1115Test, NeverHasTheValueOfAnotherInput) {
  Ads1115 other(test::bus, 0x48, Ads1115::Input::a1, Ads1115::Range::v4_096);
  ASSERT_FALSE(sensor_.begin().error);
  ASSERT_FALSE(other.begin().error);
  EXPECT_EQ(sensor_.collect().fault(), SensorFault::settings_lost);
  EXPECT_FALSE(other.collect());
}

TEST_F(Ads1115Test, RecoversWhenTheDeviceIsBack) {
  device_.is_present = false;
  EXPECT_EQ(measure(sensor_), mcp::SensorError(BusError::no_device));
  device_.is_present = true;
  EXPECT_FALSE(measure(sensor_));
}

TEST_F(Ads1115Test, TakesNoValuesFromOtherDevices) {
  for (const int byte : {0x00, 0xC3, 0xFF}) {
    mcp::FakeNoise device(0x48, static_cast<std::uint8_t>(byte));
    devices_[0] = &device;
    EXPECT_EQ(measure(sensor_).fault(), SensorFault::settings_lost) << byte;
  }
}

}  // namespace
