// SPDX-License-Identifier: Apache-2.0
// AdafruitSensor on sensors of the library's interface, and the sketch of the README.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

#include "arduino_fakes.hpp"

// The headers of the sketch, which has a namespace of its own.
#include <Adafruit_BME280.h>
#include <mote.h>
#include <mote_adafruit.h>

#include <mcp/devices/sensor_rows.hpp>

namespace sketch {
#include "adafruit_sketch.hpp"
}

namespace {

using mcp::BusError;
using mcp::SensorError;
using mcp::SensorFault;
using mcp::arduino::AdafruitSensor;

struct Any final : Adafruit_Sensor {
  bool getEvent(sensors_event_t* out) override {
    *out = event;
    return works;
  }
  void getSensor(sensor_t* out) override {
    ++details_read;
    *out = details;
  }
  sensor_t details = {};
  sensors_event_t event = {};
  bool works = true;
  int details_read = 0;
};
Any* any;
Adafruit_Sensor* any_sensor() { return any; }

class ArduinoAdafruit : public testing::Test {
 protected:
  ArduinoAdafruit() {
    test::board = {};
    any = &device;
    std::strcpy(device.details.name, "ADXL345");
    device.details.type = SENSOR_TYPE_ACCELEROMETER;
  }
  ~ArduinoAdafruit() override { any = nullptr; }

  SensorError measure() {
    const mcp::Sensor::Begun begun = sensor.begin();
    return begun.error ? begun.error : sensor.collect();
  }
  void is_thermometer() {
    device.details.type = SENSOR_TYPE_AMBIENT_TEMPERATURE;
    device.details.min_value = -40;
    device.details.max_value = 85;
  }

  Any device;
  AdafruitSensor sensor{any_sensor};
};

TEST_F(ArduinoAdafruit, ReadsAVector) {
  device.event.acceleration.x = 0.0005F;
  device.event.acceleration.y = -9.80665F;
  device.event.acceleration.z = 156.9F;
  device.event.timestamp = 12'345;
  ASSERT_EQ(measure(), SensorError());
  EXPECT_EQ(sensor.name(), "ADXL345");
  ASSERT_EQ(sensor.quantities().size(), 3U);
  EXPECT_EQ(sensor.quantities()[1].name, "y");
  EXPECT_EQ(sensor.quantities()[1].unit, "m/s2");
  EXPECT_EQ(sensor.quantities()[1].decimals, 3);
  EXPECT_EQ(sensor.value(0), 1);
  EXPECT_EQ(sensor.value(1), -9807);
  EXPECT_EQ(sensor.value(2), 156'900);
  EXPECT_EQ(sensor.measured_ms(), 12'345U);
}

TEST_F(ArduinoAdafruit, ChecksTheBoundsOfTheLibrary) {
  is_thermometer();
  device.event.temperature = 85;
  test::board.now_ms = 777;
  EXPECT_EQ(measure(), SensorError());
  EXPECT_EQ(sensor.value(0), 8500);
  EXPECT_EQ(sensor.measured_ms(), 777U) << "the driver has no time";
  device.event.temperature = 85.01F;
  EXPECT_EQ(measure(), SensorError::out_of_bounds(0));
  device.event.temperature = -40.01F;
  EXPECT_EQ(measure(), SensorError::out_of_bounds(0));
  device.event.temperature = 3e38F;
  EXPECT_EQ(measure(), SensorError::out_of_bounds(0));
  EXPECT_EQ(sensor.value(0), INT32_MAX);
  device.event.temperature = -3e38F;
  EXPECT_EQ(measure(), SensorError::out_of_bounds(0));
}

TEST_F(ArduinoAdafruit, HasNoBoundsIfTheLibraryHasNone) {
  device.details.type = SENSOR_TYPE_LIGHT;
  device.event.light = 120'000;
  EXPECT_EQ(measure(), SensorError());
  EXPECT_EQ(sensor.value(0), 12'000'000);
}

TEST_F(ArduinoAdafruit, ReportsValuesThatAreNoNumbers) {
  is_thermometer();
  for (const float value : {std::nanf(""), HUGE_VALF, -HUGE_VALF}) {
    device.event.temperature = value;
    EXPECT_EQ(measure(), SensorError(SensorFault::invalid_data));
  }
  device.event.temperature = 20;
  EXPECT_EQ(measure(), SensorError());
  device.details.type = SENSOR_TYPE_GYROSCOPE;
  device.event = {};
  device.event.gyro.z = std::nanf("");
  AdafruitSensor other{any_sensor};
  ASSERT_FALSE(other.begin().error);
  EXPECT_EQ(other.collect(), SensorError(SensorFault::invalid_data));
}

TEST_F(ArduinoAdafruit, ReportsAnEventThatFails) {
  is_thermometer();
  device.works = false;
  EXPECT_EQ(measure(), SensorError(BusError::failed));
  device.works = true;
  EXPECT_EQ(measure(), SensorError());
  EXPECT_EQ(device.details_read, 2) << "it was set up again";
  EXPECT_EQ(measure(), SensorError());
  EXPECT_EQ(device.details_read, 2);
}

TEST_F(ArduinoAdafruit, WaitsForItsSensor) {
  is_thermometer();
  any = nullptr;
  EXPECT_EQ(measure(), SensorError(SensorFault::not_ready));
  EXPECT_EQ(sensor.name(), "Adafruit_Sensor");
  any = &device;
  ASSERT_FALSE(sensor.begin().error);
  any = nullptr;
  EXPECT_EQ(sensor.collect(), SensorError(SensorFault::not_ready));
  any = &device;
  EXPECT_EQ(sensor.collect(), SensorError());
}

TEST_F(ArduinoAdafruit, RejectsATypeWithoutValues) {
  for (const std::int32_t type : {0, 7, int{SENSOR_TYPE_ROTATION_VECTOR}, 32, -1}) {
    device.details.type = type;
    EXPECT_EQ(measure(), SensorError(SensorFault::invalid_data)) << type;
  }
}

TEST_F(ArduinoAdafruit, KnowsEachTypeOfTheLibrary) {
  for (std::int32_t type = SENSOR_TYPE_ACCELEROMETER; type <= SENSOR_TYPE_ALTITUDE; ++type) {
    if (type == 7 || type == SENSOR_TYPE_ROTATION_VECTOR) continue;
    device.details.type = type;
    AdafruitSensor one{any_sensor};
    ASSERT_FALSE(one.begin().error) << type;
    ASSERT_FALSE(one.collect()) << type;
    EXPECT_FALSE(one.quantities().empty()) << type;
    EXPECT_FALSE(one.quantities()[0].unit.empty()) << type;
  }
}

TEST_F(ArduinoAdafruit, TakesANameWithoutAnEnd) {
  std::memcpy(device.details.name, "ABCDEFGHIJKL", 12);
  EXPECT_EQ(measure(), SensorError());
  EXPECT_EQ(sensor.name(), "ABCDEFGHIJKL");
  device.details.name[0] = '\0';
  AdafruitSensor other{any_sensor};
  ASSERT_FALSE(other.begin().error);
  EXPECT_EQ(other.name(), "Adafruit_Sensor");
}

// ---- The sketch of the README ---------------------------------------------------------------------------------------

std::string say(std::string_view bytes) {
  test::board.from_serial.clear();
  test::board.to_serial += bytes;
  for (int i = 0; i < 4; ++i) sketch::loop();
  return test::board.from_serial;
}

TEST_F(ArduinoAdafruit, ServesARowInTheSketchOfTheReadme) {
  const std::string read = R"({"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"sensor://room"}})"
                           "\n";
  sketch::setup();
  const std::string missing = say(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
      "\n" +
      read);
  EXPECT_NE(missing.find("Adafruit_Sensor: It is still starting"), std::string::npos) << missing;
  sketch::bme280.is_there = true;
  sketch::bme280.temperature.celsius = 21.53F;
  sketch::setup();
  test::board.now_ms = 1'000;
  const std::string found = say(read);
  EXPECT_NE(found.find(R"({\"temperature\":{\"value\":21.53,\"unit\":\"Cel\"},\"secondsAgo\":0})"), std::string::npos)
      << found;
  sketch::bme280.temperature.celsius = std::nanf("");
  test::board.now_ms = 2'000;
  const std::string invalid = say(read);
  EXPECT_NE(invalid.find("BME280: Its data is invalid."), std::string::npos) << invalid;
}

}  // namespace
