// SPDX-License-Identifier: Apache-2.0
// INA219 and INA226, compared with the registers of the example circuits of their data sheets (SBOS448G, section
// 9.2.2.1; SBOS547B, section 8.2.1), and with a computation in double over all codes.
#include "mcp/devices/ina219.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "ports/devices/on_bus.hpp"

namespace {

using mcp::BusError;
using mcp::SensorFault;
using test::measure;

/// Has the same voltages in each measurement.
class FakeIna final : public mcp::FakeWords {
 public:
  FakeIna(std::uint8_t at, bool is_226) : FakeWords(at), is_226_(is_226) { reset(); }
  std::uint16_t shunt = 0;
  std::uint16_t bus_voltage = 0;
  bool is_busy = false;

  void reset() {
    (*this)[1] = (*this)[2] = (*this)[6] = 0;
    (*this)[0] = is_226_ ? 0x4127 : 0x399F;
    (*this)[0xFE] = is_226_ ? 0x5449 : 0;
    (*this)[0xFF] = is_226_ ? 0x2260 : 0;
  }

 private:
  void written(std::uint8_t number, std::uint16_t value) override {
    (*this)[number] = value;
    if (number != 0) return;
    (*this)[1] = shunt;
    const bool is_ready = !is_busy && (value & 3) == 3;
    (*this)[2] = is_226_ || !is_ready ? bus_voltage : static_cast<std::uint16_t>(bus_voltage | 2);
    if (is_226_) (*this)[6] = is_ready ? 8 : 0;
  }
  void was_read(std::uint8_t number) override {
    if (is_226_ && number == 6) (*this)[6] = 0;
  }

  bool is_226_;
};

class InaTest : public test::OnBus<testing::Test> {
 protected:
  void SetUp() override {
    devices_[0] = &ina219_;
    devices_[1] = &ina226_;
  }

  FakeIna ina219_{0x40, false};
  FakeIna ina226_{0x41, true};
  mcp::Ina219<100'000> sensor_{test::bus, 0x40};
  mcp::Ina226<100'000> sensor_226_{test::bus, 0x41};
};

TEST_F(InaTest, HasTheValuesOfTheExampleCircuits) {
  // 11.98 V, and 10 A through 2 milliohms.
  ina219_.shunt = 0x07D0;
  ina219_.bus_voltage = 0x5D98;
  mcp::Ina219<2000> ina219(test::bus, 0x40);
  EXPECT_EQ(ina219.begin().ready_ms, 3U);
  ASSERT_FALSE(ina219.collect());
  EXPECT_EQ(ina219.value(ina219.voltage), 11'980);
  EXPECT_EQ(ina219.value(ina219.current), 10'000'000);

  ina226_.shunt = 0x1F40;
  ina226_.bus_voltage = 0x2570;
  mcp::Ina226<2000> ina226(test::bus, 0x41);
  EXPECT_EQ(ina226.begin().ready_ms, 4U);
  ASSERT_FALSE(ina226.collect());
  EXPECT_EQ(ina226.value(ina226.voltage), 1'198'000);
  EXPECT_EQ(ina226.value(ina226.current), 10'000'000);
}

template <class Sensor>
void compare_shunts(FakeIna& device, Sensor& sensor, double shunt_ohm, double step_uv, int least, int most) {
  for (int code = -0x8000; code < 0x8000; ++code) {
    device.shunt = static_cast<std::uint16_t>(code);
    ASSERT_FALSE(sensor.begin().error);
    const mcp::SensorError error = sensor.collect();
    if (code < least || code > most) {
      ASSERT_EQ(error, mcp::SensorError::out_of_bounds(1)) << code;
    } else {
      ASSERT_EQ(error, mcp::SensorError()) << code;
      ASSERT_NEAR(sensor.value(1), code * step_uv / shunt_ohm, 0.5001) << code;
    }
  }
}

TEST_F(InaTest, CurrentsAgreeWithFloatingPointForAllCodes) {
  compare_shunts(ina219_, sensor_, 0.1, 10, -31'999, 31'999);
  mcp::Ina219<150> large(test::bus, 0x40);
  compare_shunts(ina219_, large, 0.000150, 10, -31'999, 31'999);
  mcp::Ina226<33'000'001> odd(test::bus, 0x41);
  compare_shunts(ina226_, odd, 33.000001, 2.5, -32'766, 32'766);
}

TEST_F(InaTest, VoltagesAgreeWithTheStepsOfTheDataSheet) {
  for (unsigned code = 0; code < 0x2000; ++code) {
    ina219_.bus_voltage = static_cast<std::uint16_t>(code << 3);
    const mcp::SensorError error = measure(sensor_);
    ASSERT_EQ(error, code > 6500 ? mcp::SensorError::out_of_bounds(0) : mcp::SensorError()) << code;
    if (error) continue;
    ASSERT_EQ(sensor_.value(0), std::lround(code * 0.004 * 1000));
  }
  for (unsigned code = 0; code < 0x10000; ++code) {
    ina226_.bus_voltage = static_cast<std::uint16_t>(code);
    const mcp::SensorError error = measure(sensor_226_);
    ASSERT_EQ(error, code > 28'800 ? mcp::SensorError::out_of_bounds(0) : mcp::SensorError()) << code;
    if (error) continue;
    ASSERT_EQ(sensor_226_.value(0), std::lround(code * 0.00125 * 100'000));
  }
}

TEST_F(InaTest, CollectsAgainIfTheDeviceStillMeasures) {
  ina219_.is_busy = ina226_.is_busy = true;
  ASSERT_FALSE(sensor_.begin().error);
  ASSERT_FALSE(sensor_226_.begin().error);
  EXPECT_EQ(sensor_.collect().fault(), SensorFault::not_ready);
  EXPECT_EQ(sensor_226_.collect().fault(), SensorFault::not_ready);
  ina219_[2] |= 2;
  ina226_[6] |= 8;
  EXPECT_FALSE(sensor_.collect());
  EXPECT_FALSE(sensor_226_.collect());
}

TEST_F(InaTest, ReportsAResetBetweenBeginAndCollect) {
  ASSERT_FALSE(sensor_.begin().error);
  ASSERT_FALSE(sensor_226_.begin().error);
  ina219_.reset();
  ina226_.reset();
  EXPECT_EQ(sensor_.collect().fault(), SensorFault::settings_lost);
  EXPECT_EQ(sensor_226_.collect().fault(), SensorFault::settings_lost);
  EXPECT_FALSE(measure(sensor_));
  EXPECT_FALSE(measure(sensor_226_));
}

TEST_F(InaTest, RecoversWhenTheDeviceIsBack) {
  ina219_.is_present = ina226_.is_present = false;
  EXPECT_EQ(measure(sensor_), mcp::SensorError(BusError::no_device));
  EXPECT_EQ(measure(sensor_226_), mcp::SensorError(BusError::no_device));
  ina219_.is_present = ina226_.is_present = true;
  EXPECT_FALSE(measure(sensor_));
  EXPECT_FALSE(measure(sensor_226_));
}

TEST_F(InaTest, TakesNoValuesFromOtherDevices) {
  mcp::Ina226<100'000> no_226(test::bus, 0x40);
  EXPECT_EQ(no_226.begin().error.fault(), SensorFault::wrong_device);
  for (const int byte : {0x00, 0x39, 0x41, 0x54, 0xFF}) {
    mcp::FakeNoise first(0x40, static_cast<std::uint8_t>(byte));
    mcp::FakeNoise second(0x41, static_cast<std::uint8_t>(byte));
    devices_[0] = &first;
    devices_[1] = &second;
    EXPECT_TRUE(measure(sensor_)) << byte;
    EXPECT_TRUE(measure(sensor_226_)) << byte;
  }
}

}  // namespace
