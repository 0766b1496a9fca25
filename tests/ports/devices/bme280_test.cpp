// SPDX-License-Identifier: Apache-2.0
// BME280 and BMP280, compared with the worked example of BST-BMP280-DS001 (section 3.12), and with the floating-point
// formulas of BST-BME280-DS002 (section 8.1), written here once more.
#include "mcp/devices/bme280.hpp"

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

struct Trim {
  int t1, t2, t3;
  int p1, p2, p3, p4, p5, p6, p7, p8, p9;
  int h1, h2, h3, h4, h5, h6;
};

constexpr Trim trims[] = {
    // The example of BST-BMP280-DS001; no data sheet has an example of a humidity.
    {27504, 26435, -1000, 36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000, 75, 367, 0, 314, 50, 30},
    // Others of the same order, with each sign where a sign is possible.
    {28485, 26735, 50, 36738, -10635, 3024, 6980, -4, -7, 9900, -10230, 4285, 75, 353, 0, 340, 0, 30},
    {26500, 25800, -400, 38100, -10300, 2900, -1500, 300, 8, 14000, -13000, -5200, 0, 380, 12, -40, -30, -20},
};

/// Registers of 8 bits; one measurement at a time.
class FakeBme280 final : public mcp::FakeI2cDevice {
 public:
  explicit FakeBme280(const Trim& trim, bool is_bmp = false) : FakeI2cDevice(0x76), is_bmp_(is_bmp) {
    registers_[0xD0] = is_bmp ? 0x58 : 0x60;
    const int words[] = {trim.t1, trim.t2, trim.t3, trim.p1, trim.p2, trim.p3,
                         trim.p4, trim.p5, trim.p6, trim.p7, trim.p8, trim.p9};
    for (std::size_t i = 0; i < std::size(words); ++i) put_word(0x88 + 2 * i, words[i]);
    if (!is_bmp) {
      put(0xA1, trim.h1);
      put_word(0xE1, trim.h2);
      put(0xE3, trim.h3);
      put(0xE4, trim.h4 >> 4);
      put(0xE5, (trim.h5 & 15) << 4 | (trim.h4 & 15));
      put(0xE6, trim.h5 >> 4);
      put(0xE7, trim.h6);
    }
    reset();
  }

  int raw_temperature = 519'888;
  int raw_pressure = 415'148;
  int raw_humidity = 30'000;
  bool stays_busy = false;

  void reset() {
    for (std::size_t i = 0xF2; i < 0xF6; ++i) registers_[i] = 0;
    put_20_bits(0xF7, 0x80000);
    put_20_bits(0xFA, 0x80000);
    put_word_big(0xFD, 0x8000);
  }
  /// The wires change this bit of the next transaction that reads parameters.
  void change_bit(int bit) { changed_bit_ = bit; }
  void set_starting(bool is_starting) { registers_[0xF3] = is_starting ? 1 : 0; }
  void put(std::size_t at, int value) { registers_[at] = static_cast<std::uint8_t>(value); }

 private:
  BusError do_write(std::span<const std::uint8_t> out) override {
    pointer_ = out[0];
    // Further bytes are pairs of a register and a value.
    for (std::size_t i = 0; i + 1 < out.size(); i += 2) put_register(out[i], out[i + 1]);
    return BusError::none;
  }
  BusError do_read(std::span<std::uint8_t> in) override {
    for (std::uint8_t& byte : in) byte = registers_[pointer_++ & 0xFF];
    if (pointer_ == 0x88 + 26 && changed_bit_ >= 0) {
      in[static_cast<std::size_t>(changed_bit_ / 8)] ^= static_cast<std::uint8_t>(1 << changed_bit_ % 8);
      changed_bit_ = -1;
    }
    return BusError::none;
  }

  void put_register(std::uint8_t number, std::uint8_t value) {
    if (number == 0xF2 && is_bmp_) return;
    registers_[number] = value;
    if (number != 0xF4 || (value & 3) != 1) return;
    if (stays_busy) {
      registers_[0xF3] |= 8;
      return;
    }
    registers_[0xF4] = static_cast<std::uint8_t>(value & ~3);
    registers_[0xF3] = 0;
    put_20_bits(0xF7, (value & 0x1C) != 0 ? raw_pressure : 0x80000);
    put_20_bits(0xFA, (value & 0xE0) != 0 ? raw_temperature : 0x80000);
    put_word_big(0xFD, (registers_[0xF2] & 7) != 0 ? raw_humidity : 0x8000);
  }
  void put_word(std::size_t at, int value) {
    put(at, value);
    put(at + 1, value >> 8);
  }
  void put_word_big(std::size_t at, int value) {
    put(at, value >> 8);
    put(at + 1, value);
  }
  void put_20_bits(std::size_t at, int value) {
    put(at, value >> 12);
    put(at + 1, value >> 4);
    put(at + 2, (value & 15) << 4);
  }

  bool is_bmp_;
  int changed_bit_ = -1;
  std::uint8_t pointer_ = 0;
  std::array<std::uint8_t, 256> registers_ = {};
};

// ---- The formulas of section 8.1 ----

double fine_temperature(const Trim& trim, double raw) {
  const double linear = raw / 16'384 - trim.t1 / 1024.0;
  const double square = raw / 131'072 - trim.t1 / 8192.0;
  return linear * trim.t2 + square * square * trim.t3;
}

double pascals(const Trim& trim, double fine, double raw) {
  const double half = fine / 2 - 64'000;
  const double offset = (half * half * trim.p6 / 32'768 + half * trim.p5 * 2) / 4 + trim.p4 * 65'536.0;
  const double slope = (trim.p3 * half * half / 524'288 + trim.p2 * half) / 524'288;
  const double sensitivity = (1 + slope / 32'768) * trim.p1;
  const double p = (1'048'576 - raw - offset / 4096) * 6250 / sensitivity;
  return p + (trim.p9 * p * p / 2'147'483'648.0 + p * trim.p8 / 32'768 + trim.p7) / 16;
}

double percent(const Trim& trim, double fine, double raw) {
  const double t = fine - 76'800;
  const double base = raw - (trim.h4 * 64.0 + trim.h5 / 16'384.0 * t);
  const double scale = trim.h2 / 65'536.0 * (1 + trim.h6 / 67'108'864.0 * t * (1 + trim.h3 / 67'108'864.0 * t));
  const double h = base * scale;
  return std::clamp(h * (1 - trim.h1 * h / 524'288), 0.0, 100.0);
}

using Bme280Test = test::OnBus<testing::Test>;

TEST_F(Bme280Test, HasTheValuesOfTheWorkedExample) {
  FakeBme280 device(trims[0], true);
  devices_[0] = &device;
  mcp::Bmp280 sensor(test::bus, 0x76);
  EXPECT_EQ(sensor.begin().ready_ms, 11U);
  ASSERT_FALSE(sensor.collect());
  EXPECT_EQ(sensor.value(mcp::Bmp280::temperature), 2508);
  EXPECT_EQ(sensor.value(mcp::Bmp280::pressure), 100'653);
  EXPECT_EQ(sensor.quantities().size(), 2U);
}

TEST_F(Bme280Test, AgreesWithFloatingPointOverTheRangeOfTheDevice) {
  int compared = 0;
  for (const Trim& trim : trims) {
    FakeBme280 device(trim);
    device.address = 0x77;
    devices_[0] = &device;
    mcp::Bme280 sensor(test::bus, 0x77);
    for (int raw_temperature = 300'000; raw_temperature < 750'000; raw_temperature += 3001) {
      const double fine = fine_temperature(trim, raw_temperature);
      if (fine < -40 * 5120 || fine > 85 * 5120) continue;
      for (int step = 0; step < 80; ++step) {
        device.raw_temperature = raw_temperature;
        device.raw_pressure = 150'000 + step * 6007;
        device.raw_humidity = (raw_temperature + step * 7919) % 0x10000;  // in no order
        const double pa = pascals(trim, fine, device.raw_pressure);
        const mcp::SensorError error = measure(sensor);
        if (pa < 29'999 || pa > 110'001) {
          ASSERT_EQ(error, mcp::SensorError::out_of_bounds(mcp::Bme280::pressure));
          continue;
        }
        if (pa < 30'001 || pa > 109'999) continue;
        ASSERT_EQ(error, mcp::SensorError());
        ASSERT_NEAR(sensor.value(mcp::Bme280::temperature) / 100.0, fine / 5120, 0.008);
        ASSERT_NEAR(sensor.value(mcp::Bme280::pressure), pa, 1.0);
        ASSERT_NEAR(sensor.value(mcp::Bme280::humidity) / 100.0, percent(trim, fine, device.raw_humidity), 0.03);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 10'000);
}

TEST_F(Bme280Test, RejectsATemperatureOutsideOfItsBounds) {
  FakeBme280 device(trims[0]);
  devices_[0] = &device;
  mcp::Bme280 sensor(test::bus, 0x76);
  for (const int raw : {0, 0xFFFFF}) {
    device.raw_temperature = raw;
    EXPECT_EQ(measure(sensor), mcp::SensorError::out_of_bounds(mcp::Bme280::temperature));
  }
}

TEST_F(Bme280Test, RejectsTheOtherTypeOfDevice) {
  FakeBme280 bmp(trims[0], true);
  FakeBme280 bme(trims[0]);
  bme.address = 0x77;
  devices_[0] = &bmp;
  devices_[1] = &bme;
  mcp::Bme280 no_bme(test::bus, 0x76);
  mcp::Bmp280 no_bmp(test::bus, 0x77);
  EXPECT_EQ(no_bme.begin().error.fault(), SensorFault::wrong_device);
  EXPECT_EQ(no_bmp.begin().error.fault(), SensorFault::wrong_device);
}

TEST_F(Bme280Test, ReadsNoParametersWhileTheDeviceStarts) {
  FakeBme280 device(trims[0]);
  device.set_starting(true);
  devices_[0] = &device;
  mcp::Bme280 sensor(test::bus, 0x76);
  EXPECT_EQ(sensor.begin().error.fault(), SensorFault::not_ready);
  device.set_starting(false);
  EXPECT_FALSE(measure(sensor));
}

TEST_F(Bme280Test, UsesNoParametersWithAChangedBit) {
  FakeBme280 device(trims[0]);
  devices_[0] = &device;
  for (int bit = 0; bit < 26 * 8; ++bit) {
    if (bit / 8 == 24) continue;  // not used
    device.change_bit(bit);
    mcp::Bme280 sensor(test::bus, 0x76);
    ASSERT_EQ(sensor.begin().error.fault(), SensorFault::invalid_data) << bit;
    ASSERT_FALSE(measure(sensor));
    ASSERT_EQ(sensor.value(mcp::Bme280::temperature), 2508);
  }
}

TEST_F(Bme280Test, CollectsAgainIfTheDeviceStillMeasures) {
  FakeBme280 device(trims[0]);
  device.stays_busy = true;
  devices_[0] = &device;
  mcp::Bme280 sensor(test::bus, 0x76);
  ASSERT_FALSE(sensor.begin().error);
  EXPECT_EQ(sensor.collect().fault(), SensorFault::not_ready);
  EXPECT_EQ(sensor.collect().fault(), SensorFault::not_ready);
  device.stays_busy = false;
  EXPECT_FALSE(measure(sensor));
}

TEST_F(Bme280Test, ReportsAResetBetweenBeginAndCollect) {
  FakeBme280 device(trims[0]);
  devices_[0] = &device;
  mcp::Bme280 sensor(test::bus, 0x76);
  ASSERT_FALSE(sensor.begin().error);
  device.reset();
  EXPECT_EQ(sensor.collect().fault(), SensorFault::settings_lost);
  EXPECT_FALSE(measure(sensor));
}

TEST_F(Bme280Test, NeverUsesTheParametersOfTheDeviceBefore) {
  FakeBme280 first(trims[0]);
  FakeBme280 second(trims[1]);
  devices_[0] = &first;
  mcp::Bme280 sensor(test::bus, 0x76);
  ASSERT_FALSE(measure(sensor));
  devices_[0] = &second;  // between two measurements
  EXPECT_EQ(measure(sensor).fault(), SensorFault::settings_lost);
  ASSERT_FALSE(measure(sensor));
  const double fine = fine_temperature(trims[1], second.raw_temperature);
  EXPECT_NEAR(sensor.value(0) / 100.0, fine / 5120, 0.008);
  EXPECT_NEAR(sensor.value(1), pascals(trims[1], fine, second.raw_pressure), 1.0);
}

TEST_F(Bme280Test, RecoversWhenTheDeviceIsBack) {
  FakeBme280 device(trims[0]);
  mcp::Bme280 sensor(test::bus, 0x76);
  EXPECT_EQ(measure(sensor), mcp::SensorError(BusError::no_device));
  devices_[0] = &device;
  ASSERT_FALSE(measure(sensor));
  ASSERT_FALSE(sensor.begin().error);
  bus_.fail(BusError::stuck, mcp::FakeI2c::always);
  EXPECT_EQ(sensor.collect(), mcp::SensorError(BusError::stuck));
  EXPECT_EQ(measure(sensor), mcp::SensorError(BusError::stuck));
  bus_.fail(BusError::none, 0);
  EXPECT_FALSE(measure(sensor));
}

TEST_F(Bme280Test, TakesNoValuesFromOtherDevices) {
  for (const int byte : {0x00, 0xFF, 0x60, 0x58}) {
    mcp::FakeNoise device(0x76, static_cast<std::uint8_t>(byte));
    devices_[0] = &device;
    mcp::Bme280 bme(test::bus, 0x76);
    mcp::Bmp280 bmp(test::bus, 0x76);
    EXPECT_TRUE(measure(bme)) << byte;
    EXPECT_TRUE(measure(bmp)) << byte;
  }
}

// Parameters that no device has reach neither an overflow nor a division by zero.
TEST_F(Bme280Test, RejectsExtremeParameters) {
  constexpr int extremes[] = {-32'768, -1, 0, 1, 32'767};
  for (const int low : extremes) {
    for (const int high : extremes) {
      const Trim trim{27504, 26435, -1000, high & 0xFFFF, low, high, low,  high, low,
                      high,  low,   high,  high & 0xFF,   low, 0,    2047, -9,   -128};
      FakeBme280 device(trim);
      devices_[0] = &device;
      for (const int raw : {0, 1, 415'148, 0xFFFFF}) {
        device.raw_pressure = raw;
        mcp::Bme280 sensor(test::bus, 0x76);
        const mcp::SensorError error = measure(sensor);
        if (error) {
          EXPECT_EQ(error.fault(), SensorFault::out_of_bounds);
          continue;
        }
        const double fine = fine_temperature(trim, device.raw_temperature);
        EXPECT_NEAR(sensor.value(1), pascals(trim, fine, raw), 10.0) << low << ' ' << high << ' ' << raw;
      }
    }
  }
}

}  // namespace
