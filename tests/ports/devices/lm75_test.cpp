// SPDX-License-Identifier: Apache-2.0
// LM75, LM75B, TMP102 and TMP105, compared with the tables of their data sheets and with a computation in double.
#include "mcp/devices/lm75.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "ports/devices/on_bus.hpp"

namespace {

using mcp::BusError;
using mcp::SensorFault;
using test::measure;

class FakeLm75 final : public mcp::FakeWords {
 public:
  FakeLm75() : FakeWords(0x48, 1) {}
};

/// Resolution and extended mode of a TMP105 or TMP102 after a reset, and the first conversion.
class FakeTmp final : public mcp::FakeWords {
 public:
  explicit FakeTmp(bool is_tmp102) : FakeWords(0x48, is_tmp102 ? -1 : 1), after_reset_(is_tmp102 ? 0x60A0 : 0x0000) {
    reset();
  }
  void reset() {
    (*this)[0] = 0;
    (*this)[1] = after_reset_;
  }

 private:
  std::uint16_t after_reset_;
};

using Lm75Test = test::OnBus<testing::Test>;

/// Of the pointer and of registers: only the number of a register was written.
void expect_no_writes(const mcp::FakeI2c& bus) {
  ASSERT_EQ(bus.log().size(), bus.count());
  for (const mcp::FakeTransaction& one : bus.log()) EXPECT_EQ(one.out_size, 1U);
}

TEST_F(Lm75Test, HasTheValuesOfTheTableOfTheDataSheet) {
  // TMP105 (SLLS648D), table 5, left-justified.
  constexpr struct {
    std::uint16_t word;
    std::int32_t hundredths;
  } table[] = {{0x6400, 10'000}, {0x5000, 8000}, {0x4B00, 7500}, {0x3200, 5000}, {0x1900, 2500},
               {0x0040, 25},     {0x0000, 0},    {0xFFC0, -25},  {0xE700, -2500}};
  FakeTmp device(false);
  devices_[0] = &device;
  mcp::Tmp105 sensor(test::bus, 0x48);
  for (const auto& row : table) {
    device[0] = row.word;
    ASSERT_FALSE(measure(sensor));
    EXPECT_EQ(sensor.value(mcp::Tmp105::temperature), row.hundredths);
  }
}

template <class Sensor>
void compare_all_words(mcp::FakeWords& device, double step, std::uint16_t zero_bits, double least) {
  Sensor sensor(test::bus, 0x48);
  ASSERT_FALSE(sensor.begin().error);
  for (unsigned word = 0; word < 0x10000; ++word) {
    device[0] = static_cast<std::uint16_t>(word);
    if (sensor.begin().error) FAIL() << word;
    const mcp::SensorError error = sensor.collect();
    // The temperature in whole steps of the device.
    const double celsius = std::floor(static_cast<std::int16_t>(word) / 256.0 / step) * step;
    if ((word & zero_bits) != 0) {
      ASSERT_EQ(error.fault(), SensorFault::invalid_data) << word;
    } else if (celsius < least || celsius > 125) {
      ASSERT_EQ(error.fault(), SensorFault::out_of_bounds) << word;
    } else {
      ASSERT_EQ(error, mcp::SensorError()) << word;
      ASSERT_LE(std::abs(sensor.value(0) / 100.0 - celsius), 0.005001) << word;
    }
  }
}

TEST_F(Lm75Test, Lm75IgnoresUndefinedBits) {
  FakeLm75 device;
  devices_[0] = &device;
  compare_all_words<mcp::Lm75>(device, 0.5, 0, -55);
}

TEST_F(Lm75Test, Lm75bHasElevenBits) {
  FakeLm75 device;
  devices_[0] = &device;
  compare_all_words<mcp::Lm75b>(device, 0.125, 0, -55);
}

TEST_F(Lm75Test, Tmp102RejectsBitsThatAreAlwaysZero) {
  FakeTmp device(true);
  devices_[0] = &device;
  compare_all_words<mcp::Tmp102>(device, 0.0625, 0x000F, -40);
}

TEST_F(Lm75Test, Tmp105RejectsBitsThatAreAlwaysZero) {
  FakeTmp device(false);
  devices_[0] = &device;
  compare_all_words<mcp::Tmp105>(device, 0.0625, 0x000F, -40);
}

TEST_F(Lm75Test, Lm75NeverWritesARegister) {
  FakeLm75 device;
  device[0] = 0x1900;
  devices_[0] = &device;
  mcp::Lm75 sensor(test::bus, 0x48);
  ASSERT_FALSE(measure(sensor));
  ASSERT_FALSE(measure(sensor));
  expect_no_writes(bus_);
}

TEST_F(Lm75Test, WaitsForAConversionAfterSetUpOnly) {
  FakeTmp device(false);
  devices_[0] = &device;
  mcp::Tmp105 sensor(test::bus, 0x48);
  EXPECT_EQ(sensor.begin().ready_ms, 300U);
  EXPECT_EQ(device[1], 0x6000);  // 12 bits
  ASSERT_FALSE(sensor.collect());
  EXPECT_EQ(sensor.begin().ready_ms, 0U);
}

TEST_F(Lm75Test, SetsUpAgainAfterAReset) {
  FakeTmp device(false);
  devices_[0] = &device;
  mcp::Tmp105 sensor(test::bus, 0x48);
  ASSERT_FALSE(measure(sensor));
  device.reset();
  // Its temperature register is 0 until it has converted.
  EXPECT_EQ(sensor.begin().ready_ms, 300U);
  EXPECT_EQ(device[1], 0x6000);
}

TEST_F(Lm75Test, Tmp102LeavesExtendedModeAndShutdown) {
  FakeTmp device(true);
  device.address = 0x49;
  devices_[0] = &device;
  mcp::Tmp102 sensor(test::bus, 0x49);
  ASSERT_FALSE(measure(sensor));
  expect_no_writes(bus_);
  constexpr std::uint16_t others[] = {0x60B0, 0x61A0};
  for (const std::uint16_t other : others) {
    device[1] = other;
    EXPECT_EQ(sensor.begin().ready_ms, 300U);
    EXPECT_EQ(device[1], 0x60A0);
  }
}

TEST_F(Lm75Test, RecoversWhenTheDeviceIsBack) {
  FakeLm75 device;
  device[0] = 0x1900;
  mcp::Lm75 sensor(test::bus, 0x48);
  EXPECT_EQ(sensor.begin().error, mcp::SensorError(BusError::no_device));
  EXPECT_EQ(sensor.collect().fault(), SensorFault::not_begun);
  devices_[0] = &device;
  EXPECT_EQ(sensor.begin().ready_ms, 300U);
  ASSERT_FALSE(sensor.collect());
  EXPECT_EQ(sensor.value(0), 2500);
  device.is_present = false;
  ASSERT_FALSE(sensor.begin().error);  // no transaction
  EXPECT_EQ(sensor.collect(), mcp::SensorError(BusError::no_device));
  device.is_present = true;
  EXPECT_EQ(sensor.begin().ready_ms, 300U);  // it may have lost its power
}

/// Loses its power while it sends the temperature.
class LostLm75 final : public mcp::FakeI2cDevice {
 public:
  LostLm75() : FakeI2cDevice(0x48) {}

 private:
  BusError do_write(std::span<const std::uint8_t>) override {
    return ++count_ > 2 ? BusError::no_device : BusError::none;
  }
  BusError do_read(std::span<std::uint8_t> in) override {
    for (std::uint8_t& byte : in) byte = count_ == 2 ? 0xFF : 0x19;
    return BusError::none;
  }

  int count_ = 0;
};

TEST_F(Lm75Test, TakesNoOnesOfALostDeviceForATemperature) {
  LostLm75 device;
  devices_[0] = &device;
  mcp::Lm75 sensor(test::bus, 0x48);
  ASSERT_FALSE(sensor.begin().error);
  EXPECT_EQ(sensor.collect(), mcp::SensorError(BusError::no_device));
}

}  // namespace
