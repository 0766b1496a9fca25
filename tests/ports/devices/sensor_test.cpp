// SPDX-License-Identifier: Apache-2.0
// What all sensors have in common.
#include "mcp/devices/sensor.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace {

using mcp::BusError;
using mcp::SensorError;
using mcp::SensorFault;

constexpr mcp::Quantity quantities[] = {{"first", "Cel", 2, -100, 100}, {"second", "%", 0, 0, 100}};
constexpr mcp::SensorType type{"ANY1", quantities};

class AnySensor final : public mcp::Sensor {
 public:
  AnySensor() : Sensor(type, values_, 0x23) {}
  SensorError begins;
  SensorError collects;
  std::int32_t next[2] = {1, 2};
  int set_ups = 0;

 private:
  Begun do_begin(bool is_set_up) override {
    if (!is_set_up) ++set_ups;
    return {begins, 7};
  }
  SensorError do_collect(std::int32_t* values) override {
    if (collects) return collects;
    values[0] = next[0];
    values[1] = next[1];
    return {};
  }
  std::int32_t values_[2] = {};
};

TEST(Sensor, SaysWhatItIs) {
  const AnySensor sensor;
  EXPECT_EQ(sensor.name(), "ANY1");
  EXPECT_EQ(sensor.address(), 0x23);
  EXPECT_EQ(sensor.quantities()[1].name, "second");
}

TEST(Sensor, CollectsOnceForEachBegin) {
  AnySensor sensor;
  EXPECT_EQ(sensor.collect().fault(), SensorFault::not_begun);
  EXPECT_EQ(sensor.begin().ready_ms, 7U);
  EXPECT_FALSE(sensor.collect());
  EXPECT_EQ(sensor.value(1), 2);
  EXPECT_EQ(sensor.collect().fault(), SensorFault::not_begun);
}

TEST(Sensor, CollectsAgainIfItCameTooEarly) {
  AnySensor sensor;
  ASSERT_FALSE(sensor.begin().error);
  sensor.collects = SensorFault::not_ready;
  EXPECT_EQ(sensor.collect().fault(), SensorFault::not_ready);
  sensor.collects = {};
  EXPECT_FALSE(sensor.collect());
}

TEST(Sensor, HasNoMeasurementAfterABeginThatFailed) {
  AnySensor sensor;
  sensor.begins = BusError::too_late;
  EXPECT_EQ(sensor.begin().error.bus(), BusError::too_late);
  EXPECT_EQ(sensor.collect().fault(), SensorFault::not_begun);
}

TEST(Sensor, SetsUpAtFirstAndAfterEachError) {
  AnySensor sensor;
  static_cast<void>(sensor.begin());
  static_cast<void>(sensor.collect());
  static_cast<void>(sensor.begin());
  EXPECT_EQ(sensor.set_ups, 1);
  sensor.collects = SensorFault::wrong_checksum;
  EXPECT_TRUE(sensor.collect());
  static_cast<void>(sensor.begin());
  EXPECT_EQ(sensor.set_ups, 2);
  sensor.begins = BusError::no_device;
  static_cast<void>(sensor.begin());
  static_cast<void>(sensor.begin());
  EXPECT_EQ(sensor.set_ups, 3);
}

TEST(Sensor, NamesTheValueThatIsOutOfBounds) {
  constexpr std::int32_t pairs[][2] = {{-101, 0}, {101, 0}, {0, -1}, {0, 101}};
  AnySensor sensor;
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_FALSE(sensor.begin().error);
    sensor.next[0] = pairs[i][0];
    sensor.next[1] = pairs[i][1];
    EXPECT_EQ(sensor.collect(), SensorError::out_of_bounds(i / 2));
    EXPECT_EQ(sensor.value(i / 2), pairs[i][i / 2]);
  }
  EXPECT_EQ(sensor.set_ups, 4);  // a device that has lost its settings sends such values, too
  for (const std::int32_t bound : {-100, 100}) {
    sensor.next[0] = bound;
    sensor.next[1] = bound < 0 ? 0 : 100;
    ASSERT_FALSE(sensor.begin().error);
    EXPECT_FALSE(sensor.collect());
  }
}

TEST(Sensor, HasADifferentRemedyForEachFault) {
  std::set<std::string_view> texts;
  for (int i = 2; i <= static_cast<int>(SensorFault::out_of_bounds); ++i) {
    const std::string_view text = remedy(SensorError(static_cast<SensorFault>(i)));
    EXPECT_TRUE(text.ends_with('.')) << text;
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), 7U);
  EXPECT_EQ(remedy(SensorError(BusError::no_device)), mcp::remedy(BusError::no_device));
  EXPECT_EQ(remedy(SensorError()), mcp::remedy(BusError::none));
}

}  // namespace
