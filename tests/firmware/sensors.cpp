// SPDX-License-Identifier: Apache-2.0
// Sensors of the emulated I2C bus as rows, two of them with a driver of this application.
// tests/client/bus_sensors.test.mjs has the devices, and plugs them in and out.
#include <mcp/devices/bme280.hpp>
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sensor_rows.hpp>
#include <mcp/history.hpp>
#include <mcp/ports/lm3s6965evb.hpp>
#include <mcp/read_tools.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

namespace {

// ---- Drivers of the application ------------------------------------------------------------------------------------

// TI TMP422 (SBOS398): its own temperature and those of two diodes, in steps of 0.0625 degrees. It converts all the
// time.
class Tmp422 final : public mcp::I2cSensor {
 public:
  static constexpr mcp::Quantity quantities[] = {
      {"local", "Cel", 2, -4000, 12'700}, {"first", "Cel", 2, -4000, 12'700}, {"second", "Cel", 2, -4000, 12'700}};
  static constexpr mcp::SensorType type{"TMP422", quantities};
  constexpr Tmp422(mcp::I2cBusOf bus, std::uint8_t address) : I2cSensor(type, values_, bus, address) {}

 private:
  Begun do_begin(bool is_set_up) override {
    constexpr std::uint8_t device_register = 0xFF;
    constexpr std::uint8_t device = 0x22;
    constexpr mcp::Millis conversion_ms = 400;
    if (is_set_up) return {};
    std::uint8_t id[1];
    if (const mcp::SensorError error = read_registers(device_register, id); error) return {error};
    if (id[0] != device) return {mcp::SensorFault::wrong_device};
    return {{}, conversion_ms};
  }

  mcp::SensorError do_collect(std::int32_t* values) override {
    for (std::uint8_t channel = 0; channel < 3; ++channel) {
      std::uint16_t word = 0;
      if (const mcp::SensorError error = read_word(channel, word); error) return error;
      if ((word & 0x000F) != 0) return mcp::SensorFault::invalid_data;
      values[channel] = (static_cast<std::int16_t>(word) * 25 + 32) >> 6;  // 256ths of a degree
    }
    return {};
  }

  std::int32_t values_[3] = {};
};

// Microchip EMC1414 (DS20005274): its own temperature and those of three diodes, here in whole degrees.
class Emc1414 final : public mcp::I2cSensor {
 public:
  static constexpr mcp::Quantity quantities[] = {{"internal", "Cel", 0, 0, 127},
                                                 {"first", "Cel", 0, 0, 127},
                                                 {"second", "Cel", 0, 0, 127},
                                                 {"third", "Cel", 0, 0, 127}};
  static constexpr mcp::SensorType type{"EMC1414", quantities};
  constexpr Emc1414(mcp::I2cBusOf bus, std::uint8_t address) : I2cSensor(type, values_, bus, address) {}

 private:
  Begun do_begin(bool is_set_up) override {
    constexpr std::uint8_t product_register = 0xFD;
    constexpr std::uint8_t product = 0x25;
    constexpr mcp::Millis conversion_ms = 300;
    if (is_set_up) return {};
    std::uint8_t id[1];
    if (const mcp::SensorError error = read_registers(product_register, id); error) return {error};
    if (id[0] != product) return {mcp::SensorFault::wrong_device};
    return {{}, conversion_ms};
  }

  mcp::SensorError do_collect(std::int32_t* values) override {
    constexpr std::uint8_t registers[] = {0x00, 0x01, 0x23, 0x2A};
    for (std::size_t i = 0; i < 4; ++i) {
      std::uint8_t degrees[1];
      if (const mcp::SensorError error = read_registers(registers[i], degrees); error) return error;
      values[i] = degrees[0];
    }
    return {};
  }

  std::int32_t values_[4] = {};
};

// ---- Sensors and rows ----------------------------------------------------------------------------------------------

constexpr mcp::MeasureOptions often{.now = board::millis, .interval_ms = 50};
constinit mcp::Measured<mcp::Tmp105, often> room{board::i2c0, 0x48};
constinit mcp::Measured<mcp::Lm75, often> coarse{board::i2c0, 0x49};
constinit mcp::Measured<Tmp422, often> diodes{board::i2c0, 0x4C};
constinit mcp::Measured<Emc1414, often> processor{board::i2c0, 0x4D};
constinit mcp::Measured<mcp::Bme280, often> air{board::i2c0, 0x77};
constinit mcp::Measured<mcp::Lm75b, often> cellar{board::i2c0, 0x4F};

constexpr mcp::HistoryOptions celsius = mcp::history_options<mcp::Tmp105>(
    mcp::Tmp105::temperature, {.now = board::millis, .notify_above = 30, .hysteresis = 0.5});
constinit mcp::History<celsius, 8> temperatures;

constexpr mcp::Resource resources[] = {
    mcp::sensor<room>({.uri = "sensor://room", .name = "room", .title = "Room", .subscribable = true, .as_tool = true}),
    mcp::history<temperatures>({.uri = "sensor://room/history", .name = "history", .subscribable = true}),
    mcp::sensor<coarse>({.uri = "sensor://coarse", .name = "coarse", .subscribable = true}),
    mcp::sensor<diodes>({.uri = "sensor://diodes", .name = "diodes", .subscribable = true}),
    mcp::sensor<processor>({.uri = "sensor://processor", .name = "processor", .subscribable = true}),
    mcp::sensor<air>({.uri = "sensor://air", .name = "air", .subscribable = true}),
    mcp::sensor<cellar>({.uri = "sensor://cellar", .name = "cellar", .subscribable = true, .as_tool = true}),
};
constexpr mcp::SensorRow rows[] = {
    {&room, &resources[0]},      {&room, &resources[1], mcp::add_to<temperatures, mcp::Tmp105::temperature>},
    {&coarse, &resources[2]},    {&diodes, &resources[3]},
    {&processor, &resources[4]}, {&air, &resources[5]},
    {&cellar, &resources[6]},
};

constexpr mcp::Definition definition{
    .name = "sensors", .version = "1", .tools = mcp::tools_of<resources>, .resources = resources};
constexpr mcp::Limits limits{.receive_size = 1024, .transmit_size = 2048};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage, {.boot_id = board::boot_id}};

}  // namespace

int main() {
  mcp::StdioTransport transport{server, board::uart0()};
  for (;;) {
    const mcp::Millis due = mcp::poll_sensors(rows, server);
    const mcp::Millis work = transport.poll(board::millis());
    board::wait_for_event(due < work ? due : work);
  }
}
