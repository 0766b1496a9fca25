// SPDX-License-Identifier: Apache-2.0
// Measured sensors and their rows, as a client sees them.
#include "mcp/devices/sensor_rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "mcp/devices/ads1115.hpp"
#include "mcp/devices/ina219.hpp"
#include "mcp/devices/lm75.hpp"
#include "mcp/read_tools.hpp"
#include "ports/devices/on_bus.hpp"
#include "support/bench.hpp"

namespace {

using mcp::BusError;
using mcp::SensorFault;

mcp::Millis now_ms;
mcp::Millis step_ms;  // of the clock, at each look
mcp::Millis now() { return now_ms += step_ms; }

constexpr mcp::MeasureOptions each_second{.now = now};

// The sensors are constants of the program, but each test begins with new ones.
mcp::MeasuredSensor* supply;
mcp::MeasuredSensor* room;
struct SupplySensor {
  mcp::Errc read(mcp::ReadResult& out) const { return supply->read(out); }
} supply_row;
struct RoomSensor {
  mcp::Errc read(mcp::ReadResult& out) const { return room->read(out); }
} room_row;

constexpr mcp::HistoryOptions celsius =
    mcp::history_options<mcp::Tmp105>(mcp::Tmp105::temperature, {.now = now, .notify_above = 30, .hysteresis = 0.5});
static_assert(celsius.unit == "Cel" && celsius.decimals == 2);
mcp::History<celsius, 4> temperature;

constexpr mcp::Resource resources[] = {
    mcp::sensor<supply_row>({.uri = "sensor://supply", .name = "supply", .subscribable = true, .as_tool = true}),
    mcp::sensor<room_row>({.uri = "sensor://room", .name = "room", .subscribable = true}),
    mcp::history<temperature>({.uri = "sensor://room/history", .name = "room_history", .subscribable = true})};
constexpr mcp::Definition definition{
    .name = "test", .version = "1", .tools = mcp::tools_of<resources>, .resources = resources};

// One line declares a sensor, as a constant of the program.
[[maybe_unused]] constinit mcp::Measured<mcp::Lm75, each_second> global{test::bus, 0x4F};

class SensorRows : public test::OnBus<testing::Test> {
 protected:
  SensorRows() {
    now_ms = 0xFFFF'FF00;  // it wraps
    step_ms = 0;
    temperature.clear();
    supply = &supply_;
    room = &room_;
    constexpr std::uint16_t registers[][2] = {{0xFE, 0x5449}, {0xFF, 0x2260}, {1, 0x1F40}, {2, 0x2570}, {6, 8}};
    for (const auto& [number, value] : registers) ina226_[static_cast<std::uint8_t>(number)] = value;
    tmp105_[0] = 0x1900;
    devices_[0] = &ina226_;
    devices_[1] = &tmp105_;
    session_ = bench_.server.open(0);
    ask("initialize", R"("protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"})");
    bench_.ask(session_, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    for (const mcp::Resource& row : resources) ask("resources/subscribe", "\"uri\":\"" + std::string(row.uri) + "\"");
  }
  ~SensorRows() override { bench_.server.close(session_, 0); }

  std::string ask(std::string_view method, std::string_view params) {
    return bench_.ask(session_, R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" +
                                    std::string(params) + "}}");
  }
  std::string read(std::string_view uri) { return ask("resources/read", "\"uri\":\"" + std::string(uri) + "\""); }

  /// Polls when the sensors are due, until `ms` have passed.
  void run(mcp::Millis ms) {
    for (;;) {
      const mcp::Millis due = mcp::poll_sensors(rows_, bench_.server);
      if (due > ms) break;
      now_ms += due;
      ms -= due;
    }
    now_ms += ms;
  }
  /// The URIs of the updates that the client gets.
  std::string updates() {
    std::string all;
    for (;;) {
      const std::string message = bench_.next(session_);
      if (message.empty()) return all;
      const std::size_t at = message.find("sensor://");
      all += message.substr(at, message.find('"', at) - at) + ' ';
    }
  }

  mcp::FakeWords ina226_{0x40};
  mcp::FakeWords tmp105_{0x48, 1};
  mcp::Measured<mcp::Ina226<2000>, each_second> supply_{test::bus, 0x40};
  mcp::Measured<mcp::Tmp105, each_second> room_{test::bus, 0x48};
  mcp::SensorRow rows_[3] = {{&supply_, &resources[0]},
                             {&room_, &resources[1]},
                             {&room_, &resources[2], mcp::add_to<temperature, mcp::Tmp105::temperature>}};
  test::Bench bench_{definition, {}};
  mcp::SessionId session_;
};

TEST_F(SensorRows, TheBodyHasValuesWithUnitsAndTheirAge) {
  run(10);
  EXPECT_NE(read("sensor://supply")
                .find(R"("text":"{\"voltage\":{\"value\":11.98,\"unit\":\"V\"},)"
                      R"(\"current\":{\"value\":10000,\"unit\":\"mA\"},\"secondsAgo\":0}"})"),
            std::string::npos)
      << read("sensor://supply");
  now_ms += 3000;
  EXPECT_NE(read("sensor://supply").find(R"(\"secondsAgo\":3})"), std::string::npos);
}

TEST_F(SensorRows, ATwinToolHasTheBody) {
  run(10);
  const std::string response = ask("tools/call", R"("name":"read_supply")");
  EXPECT_NE(response.find(R"({\"voltage\":{\"value\":11.98,)"), std::string::npos) << response;
}

TEST_F(SensorRows, AnErrorNamesTheDeviceAndTheRemedy) {
  EXPECT_NE(read("sensor://room").find(R"("message":"TMP105 at address 0x48: It has not been measured yet. Try once )"),
            std::string::npos)
      << read("sensor://room");
  ina226_.is_present = tmp105_.is_present = false;
  run(10);
  EXPECT_NE(read("sensor://room")
                .find(R"("message":"TMP105 at address 0x48: No device acknowledges the address. )"
                      R"(Check the address, the power and the wires.")"),
            std::string::npos)
      << read("sensor://room");
  const std::string response = ask("tools/call", R"("name":"read_supply")");
  EXPECT_NE(response.find(R"("text":"INA226 at address 0x40: No device acknowledges)"), std::string::npos) << response;
  EXPECT_NE(response.find(R"("isError":true)"), std::string::npos) << response;
}

TEST_F(SensorRows, AnErrorHasTheValueThatIsOutOfBounds) {
  tmp105_[0] = 0x7E00;
  run(400);
  EXPECT_NE(read("sensor://room")
                .find(R"("message":"TMP105 at address 0x48: Its temperature is 126 Cel, outside of )"
                      R"(the bounds of the data sheet, -40 to 125 Cel. Check the sensor and what it )"
                      R"(measures.")"),
            std::string::npos)
      << read("sensor://room");
}

TEST_F(SensorRows, TheSensorRecoversWhenTheDeviceIsBack) {
  tmp105_.is_present = false;
  run(1500);
  EXPECT_EQ(room_.error(), mcp::SensorError(BusError::no_device));
  tmp105_.is_present = true;
  run(1500);
  EXPECT_TRUE(room_.has_values());
  EXPECT_EQ(room_.value(0), 2500);
}

TEST_F(SensorRows, UpdatesFollowNewValuesAndNewErrors) {
  run(500);
  EXPECT_EQ(updates(), "sensor://supply sensor://room ");  // no threshold is crossed
  run(1000);
  EXPECT_EQ(updates(), "sensor://supply sensor://room ");
  tmp105_[0] = 0x1F00;
  run(1000);
  EXPECT_EQ(updates(), "sensor://supply sensor://room sensor://room/history ");
  run(1000);
  EXPECT_EQ(updates(), "sensor://supply sensor://room ");
  tmp105_.is_present = false;
  run(1000);
  EXPECT_EQ(updates(), "sensor://supply sensor://room ");
  run(3000);
  EXPECT_EQ(updates(), "sensor://supply ");  // the error is known
  tmp105_.is_present = true;
  run(1000);
  EXPECT_EQ(updates(), "sensor://supply sensor://room ");
}

TEST_F(SensorRows, TheHistoryHasTheValues) {
  run(2500);
  EXPECT_EQ(temperature.size(), 3U);
  EXPECT_EQ(temperature.newest(), 2500);
  EXPECT_NE(read("sensor://room/history").find(R"(\"unit\":\"Cel\",\"level\":\"normal\",\"count\":3)"),
            std::string::npos)
      << read("sensor://room/history");
}

TEST_F(SensorRows, MeasuresAtTheIntervalAndNeverWaits) {
  EXPECT_EQ(mcp::poll_sensors(rows_, bench_.server), 4U);  // the INA226 is ready first
  const std::size_t transactions = bus_.count();
  EXPECT_EQ(mcp::poll_sensors(rows_, bench_.server), 4U);
  EXPECT_EQ(bus_.count(), transactions);
  now_ms += 4;
  EXPECT_EQ(mcp::poll_sensors(rows_, bench_.server), 296U);
  EXPECT_TRUE(supply_.has_values());
  EXPECT_FALSE(room_.has_values());
  now_ms += 296;
  EXPECT_EQ(mcp::poll_sensors(rows_, bench_.server), 700U);
  EXPECT_TRUE(room_.has_values());
  now_ms += 5000;  // late: it measures once, not five times
  EXPECT_EQ(mcp::poll_sensors(rows_, bench_.server), 4U);
  now_ms += 4;
  EXPECT_EQ(mcp::poll_sensors(rows_, bench_.server), 996U);
}

TEST_F(SensorRows, InputsOfOneConverterAreMeasuredOneAfterTheOther) {
  // It converts one input, and knows which one.
  mcp::FakeWords converter(0x49);
  converter[0] = 8000;
  converter[1] = 0x8583;
  devices_[2] = &converter;
  using Input = mcp::Ads1115::Input;
  using Range = mcp::Ads1115::Range;
  using Measured = mcp::Measured<mcp::Ads1115, each_second>;
  Measured tank(test::bus, 0x49, Input::a0, Range::v4_096);
  Measured pump(test::bus, 0x49, Input::a1, Range::v4_096);
  Measured door(test::bus, 0x49, Input::a2, Range::v4_096);
  const mcp::SensorRow rows[] = {{&tank}, {&pump}, {&door}};
  EXPECT_EQ(mcp::poll_sensors(rows, bench_.server), 10U);  // not 0: the others wait for the first one
  for (int i = 0; i < 12; ++i) {
    now_ms += mcp::poll_sensors(rows, bench_.server);
    EXPECT_NE(tank.error().fault(), SensorFault::settings_lost);
    EXPECT_NE(pump.error().fault(), SensorFault::settings_lost);
  }
  EXPECT_TRUE(tank.has_values());
  EXPECT_TRUE(pump.has_values());
  EXPECT_TRUE(door.has_values());
  // A converter that is gone keeps no one waiting.
  converter.is_present = false;
  now_ms += 1000;
  EXPECT_EQ(mcp::poll_sensors(rows, bench_.server), 1000U);
  EXPECT_EQ(door.error(), mcp::SensorError(BusError::no_device));
}

TEST_F(SensorRows, MeasuresEachSensorOnceBeforeTheFirstClient) {
  const mcp::Millis start_ms = now_ms;
  step_ms = 1;
  mcp::measure_sensors(rows_, bench_.server);
  step_ms = 0;
  EXPECT_GE(now_ms - start_ms, 300U);
  EXPECT_LT(now_ms - start_ms, 320U);
  EXPECT_TRUE(supply_.has_values());
  EXPECT_TRUE(room_.has_values());
  tmp105_.is_present = false;
  mcp::Measured<mcp::Tmp105, each_second> absent(test::bus, 0x48);
  const mcp::SensorRow rows[] = {{&absent}};
  mcp::measure_sensors(rows, bench_.server);
  EXPECT_EQ(absent.error(), mcp::SensorError(BusError::no_device));
}

TEST_F(SensorRows, ASensorThatIsNeverReadyIsAnError) {
  ina226_[6] = 0;
  run(100);
  EXPECT_EQ(supply_.error().fault(), SensorFault::not_ready);
  ina226_[6] = 8;
  run(1000);
  EXPECT_TRUE(supply_.has_values());
}

}  // namespace
