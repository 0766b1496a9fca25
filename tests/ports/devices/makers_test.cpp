// SPDX-License-Identifier: Apache-2.0
// The makers' drivers that ports/devices/README.md wraps.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "ports/devices/on_bus.hpp"
#include "readme_sensirion.hpp"
#include "readme_st.hpp"

namespace {

std::uint32_t waited_us;

using mcp::BusError;
using mcp::SensorError;
using mcp::SensorFault;
using test::measure;

// ---- ST -----------------------------------------------------------------------------------------------------------

// Registers of a byte each. Without auto-increment, a read of several repeats the first.
class FakeStts22h final : public mcp::FakeI2cDevice {
 public:
  FakeStts22h() : FakeI2cDevice(0x3F) {}
  std::uint8_t registers[8] = {0, 0xA0, 0, 0, 0x02, 0, 0, 0};
  int fails_at = 99;  // a register
  int shots = 0;

 private:
  BusError do_write(std::span<const std::uint8_t> out) override {
    if (out[0] == fails_at) return BusError::too_late;
    number_ = out[0];
    if (out.size() == 2) {
      registers[number_] = out[1];
      if (number_ == 4 && (out[1] & 1) != 0) ++shots;
    }
    return BusError::none;
  }
  BusError do_read(std::span<std::uint8_t> in) override {
    for (std::uint8_t& byte : in) byte = registers[number_];
    return BusError::none;
  }
  std::uint8_t number_ = 0;
};

class WrappedStts22h : public test::OnBus<testing::Test> {
 protected:
  WrappedStts22h() { devices_[0] = &device; }
  FakeStts22h device;
  Stts22h sensor{test::bus, 0x3F};
};

TEST_F(WrappedStts22h, ReadsEachTemperature) {
  for (int raw = -0x8000; raw < 0x8000; ++raw) {
    device.registers[6] = static_cast<std::uint8_t>(raw);
    device.registers[7] = static_cast<std::uint8_t>(raw >> 8);
    const SensorError error = measure(sensor);
    if (raw < -4000 || raw > 12'500) {
      ASSERT_EQ(error, SensorError::out_of_bounds(0)) << raw;
    } else {
      ASSERT_EQ(error, SensorError()) << raw;
    }
    ASSERT_EQ(sensor.value(0), raw);
  }
  EXPECT_EQ(device.shots, 0x10000);
  EXPECT_EQ(device.registers[4], 0x03) << "the other bits have their values";
}

TEST_F(WrappedStts22h, ReportsEachErrorOfTheBus) {
  for (const int number : {1, 4, 5, 6, 7}) {
    device.fails_at = number;
    EXPECT_EQ(measure(sensor), SensorError(BusError::too_late)) << number;
    device.fails_at = 99;
    EXPECT_EQ(measure(sensor), SensorError()) << number;
  }
  device.is_present = false;
  EXPECT_EQ(measure(sensor), SensorError(BusError::no_device));
}

TEST_F(WrappedStts22h, ReportsAnotherDeviceAndABusyOne) {
  EXPECT_EQ(sensor.begin().ready_ms, 50U);
  device.registers[5] = 1;
  EXPECT_EQ(sensor.collect(), SensorError(SensorFault::not_ready));
  device.registers[5] = 0;
  EXPECT_EQ(sensor.collect(), SensorError());
  Stts22h other{test::bus, 0x3F};
  device.registers[1] = 0xB3;
  EXPECT_EQ(other.begin().error, SensorError(SensorFault::wrong_device));
}

// ---- Sensirion ----------------------------------------------------------------------------------------------------

class FakeScd4x final : public mcp::FakeI2cDevice {
 public:
  FakeScd4x() : FakeI2cDevice(0x62) {}
  bool is_measuring = false;
  bool is_ready = true;
  std::uint16_t words[3] = {500, 0x6667, 0x5EB9};  // the example of the data sheet: 500 ppm, 25 Cel, 37 %
  int damaged = -1;                                // a byte of a response
  BusError error = BusError::none;                 // of each transaction

 private:
  BusError do_write(std::span<const std::uint8_t> out) override {
    if (error != BusError::none) return error;
    const int command = out[0] << 8 | out[1];
    if (command == 0x21B1) {
      if (is_measuring) return BusError::data_refused;
      is_measuring = true;
    }
    response_.clear();
    if (command == 0xE4B8) add(is_measuring && is_ready ? 0x8006 : 0x8000);
    if (command == 0xEC05) {
      for (const std::uint16_t word : words) add(word);
    }
    return BusError::none;
  }
  BusError do_read(std::span<std::uint8_t> in) override {
    if (error != BusError::none) return error;
    if (in.size() > response_.size()) return BusError::no_device;
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = static_cast<std::uint8_t>(response_[i] ^ (static_cast<int>(i) == damaged ? 1 : 0));
    }
    return BusError::none;
  }
  // The checksum of the data sheet: x^8 + x^5 + x^4 + 1, begun with ones.
  void add(int word) {
    unsigned remainder = 0xFF00U ^ static_cast<unsigned>(word);
    for (int bit = 0; bit < 16; ++bit) remainder = (remainder & 0x8000) != 0 ? remainder << 1 ^ 0x3100 : remainder << 1;
    for (const unsigned byte : {static_cast<unsigned>(word) >> 8, static_cast<unsigned>(word), remainder >> 8}) {
      response_.push_back(static_cast<std::uint8_t>(byte));
    }
  }
  std::vector<std::uint8_t> response_;
};

class WrappedScd4x : public test::OnBus<testing::Test> {
 protected:
  WrappedScd4x() {
    devices_[0] = &device;
    waited_us = 0;
  }
  FakeScd4x device;
  Scd4x sensor{test::bus, 0x62};
};

TEST_F(WrappedScd4x, ReadsTheExampleOfTheDataSheet) {
  const mcp::Sensor::Begun begun = sensor.begin();
  EXPECT_FALSE(begun.error);
  ASSERT_EQ(sensor.collect(), SensorError());
  EXPECT_EQ(sensor.value(0), 500);
  EXPECT_NEAR(sensor.value(1), 25'000, 2);
  EXPECT_NEAR(sensor.value(2), 37'000, 2);
  EXPECT_EQ(sensor.begin().ready_ms, 0U);
  EXPECT_LE(waited_us, 10'000U);
}

TEST_F(WrappedScd4x, BeginsWithADeviceThatMeasures) {
  device.is_measuring = true;
  device.is_ready = false;
  EXPECT_EQ(sensor.begin().ready_ms, 5000U);
  EXPECT_EQ(sensor.collect(), SensorError(SensorFault::not_ready));
  device.is_ready = true;
  EXPECT_EQ(sensor.collect(), SensorError());
}

TEST_F(WrappedScd4x, BeginsAgainAfterAResetOrAnAbsence) {
  ASSERT_EQ(measure(sensor), SensorError());
  device.is_measuring = false;
  EXPECT_EQ(measure(sensor), SensorError());
  device.is_present = false;
  EXPECT_EQ(measure(sensor), SensorError(BusError::no_device));
  device.is_present = true;
  device.is_measuring = false;
  EXPECT_EQ(measure(sensor), SensorError());
}

TEST_F(WrappedScd4x, ReportsEachDamagedByteAndErrorOfTheBus) {
  ASSERT_EQ(measure(sensor), SensorError());
  for (device.damaged = 0; device.damaged < 9; ++device.damaged) {
    EXPECT_EQ(measure(sensor), SensorError(SensorFault::wrong_checksum)) << device.damaged;
  }
  device.damaged = -1;
  device.error = BusError::arbitration_lost;
  EXPECT_EQ(measure(sensor), SensorError(BusError::arbitration_lost));
  device.error = BusError::none;
  device.words[0] = 40'001;
  EXPECT_EQ(measure(sensor), SensorError::out_of_bounds(0));
}

}  // namespace

void wait_us(std::uint32_t us) { waited_us += us; }
