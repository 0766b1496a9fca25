// SPDX-License-Identifier: Apache-2.0
// The driver of ports/devices/README.md.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "ports/devices/fake_bus.hpp"
#include "readme_driver.hpp"

namespace {

using ReadmeDriver = test::OnBus<testing::Test>;

TEST_F(ReadmeDriver, AgreesWithFloatingPointForAllWords) {
  test::Words device;
  device.words[6] = 0x0054;
  bus_.devices[0x18] = &device;
  Mcp9808 sensor(test::bus, 0x18);
  EXPECT_EQ(sensor.begin().ready_ms, 300U);
  for (unsigned word = 0; word < 0x10000; ++word) {
    device.words[5] = static_cast<std::uint16_t>(word);
    ASSERT_FALSE(sensor.begin().error);
    const mcp::SensorError error = sensor.collect();
    // The data sheet has a sign of its own weight, and 12 bits.
    const double celsius = (word & 0x0FFF) / 16.0 - ((word & 0x1000) != 0 ? 256 : 0);
    if (celsius < -40 || celsius > 125) {
      ASSERT_EQ(error, mcp::SensorError::out_of_bounds(0)) << word;
    } else {
      ASSERT_EQ(error, mcp::SensorError()) << word;
      ASSERT_NEAR(sensor.value(Mcp9808::temperature) / 100.0, celsius, 0.005001) << word;
    }
  }
}

TEST_F(ReadmeDriver, RejectsAnotherDevice) {
  test::Rubbish device(0xFF);
  bus_.devices[0x18] = &device;
  Mcp9808 sensor(test::bus, 0x18);
  EXPECT_EQ(sensor.begin().error.fault(), mcp::SensorFault::wrong_device);
}

}  // namespace
