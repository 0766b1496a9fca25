// SPDX-License-Identifier: Apache-2.0
// A fixture with a bus, for the tests of drivers.
#pragma once

#include "mcp/devices/sensor.hpp"
#include "mcp/ports/fake_i2c.hpp"

namespace test {

/// The bus of the running test.
inline mcp::FakeI2c* current_bus = nullptr;
inline mcp::I2cBus& bus() { return *current_bus; }

/// Measures once. The devices of these tests convert at once.
inline mcp::SensorError measure(mcp::Sensor& sensor) {
  const mcp::Sensor::Begun begun = sensor.begin();
  return begun.error ? begun.error : sensor.collect();
}

/// A fixture with a bus.
template <class Test>
class OnBus : public Test {
 protected:
  OnBus() { current_bus = &bus_; }
  ~OnBus() override { current_bus = nullptr; }

  mcp::FakeI2cDevice* devices_[3] = {};  // nullptr: no device
  mcp::FakeTransaction log_[8];
  mcp::FakeI2c bus_{devices_, log_};
};

}  // namespace test
