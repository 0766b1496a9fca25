// SPDX-License-Identifier: Apache-2.0
// A small server on the first board, with a resource that its main loop updates. CMakeLists.txt makes an image of each
// part: WITH_BUS reads a byte of the I2C bus, WITH_PINS uses pins, DRIVER is the driver of a sensor whose row takes the
// place of the resource. WITH_HISTORY adds the last values of the sensor, and WITH_TOOL makes a tool of its row. The
// difference of two images is the cost of a part. The strings are short, because they are not measured.
#include <mcp/history.hpp>
#include <mcp/ports/lm3s6965evb.hpp>
#include <mcp/read_tools.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#ifdef DRIVER
#include <mcp/devices/ads1115.hpp>
#include <mcp/devices/bme280.hpp>
#include <mcp/devices/ina219.hpp>
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sensor_rows.hpp>
#include <mcp/devices/sht4x.hpp>
#endif

namespace {

constexpr std::uint8_t address = 0x48;

#ifdef DRIVER

// The least that a driver does: it reads one register.
class OneRegister final : public mcp::I2cSensor {
 public:
  static constexpr mcp::Quantity quantities[] = {{"x", "1", 0, 0, 0xFFFF}};
  static constexpr mcp::SensorType type{"x", quantities};
  constexpr OneRegister(mcp::I2cBusOf bus, std::uint8_t at) : I2cSensor(type, value_, bus, at) {}

 private:
  Begun do_begin(bool) override { return {}; }
  mcp::SensorError do_collect(std::int32_t* values) override {
    std::uint16_t word = 0;
    const mcp::SensorError error = read_word(0, word);
    values[0] = word;
    return error;
  }

  std::int32_t value_[1] = {};
};

constexpr mcp::MeasureOptions each_second{.now = board::millis};
// As a macro, because some drivers take more than an address.
constinit mcp::Measured<DRIVER, each_second> measured{board::i2c0, address ARGUMENTS};

#ifdef WITH_HISTORY
constexpr mcp::HistoryOptions options =
    mcp::history_options<DRIVER>(0, {.now = board::millis, .notify_above = 30, .hysteresis = 0.5});
constinit mcp::History<options, 96> history;
#endif

constexpr mcp::Resource resources[] = {
#ifdef WITH_TOOL
    mcp::sensor<measured>({.uri = "x:x", .name = "x", .subscribable = true, .as_tool = true}),
#else
    mcp::sensor<measured>({.uri = "x:x", .name = "x", .subscribable = true}),
#endif
#ifdef WITH_HISTORY
    mcp::history<history>({.uri = "x:h", .name = "h", .subscribable = true}),
#endif
};
constexpr mcp::SensorRow rows[] = {
    {&measured, &resources[0]},
#ifdef WITH_HISTORY
    {&measured, &resources[1], mcp::add_to<history, 0>},
#endif
};

#else

mcp::Errc read(mcp::ReadResult& out) {
  std::uint32_t number = board::millis();
#ifdef WITH_BUS
  std::uint8_t byte[1];
  const mcp::BusError error = board::i2c0().read(address, byte);
  if (error != mcp::BusError::none) return out.fail(mcp::remedy(error));
  number = byte[0];
#endif
#ifdef WITH_PINS
  constexpr std::uint8_t led = 40;
  constexpr std::uint8_t door = 4;
  bool is_high = false;
  mcp::PinError error = board::digital_pins().input(door, mcp::PinPull::up);
  if (error == mcp::PinError::none) error = board::digital_pins().level(door, is_high);
  if (error == mcp::PinError::none) error = board::digital_pins().output(led, is_high);
  if (error != mcp::PinError::none) return out.fail(mcp::remedy(error));
  number = is_high ? 1 : 0;
#endif
  return out.number(number);
}

constexpr mcp::Resource resources[] = {{.uri = "x:x", .name = "x", .read = read, .subscribable = true}};

#endif

mcp::Errc plain(mcp::Call& call) { return call.result().text("x"); }
constexpr mcp::Tool tools[] = {mcp::tool<plain>({.name = "plain"})};
#ifdef WITH_TOOL
constexpr const auto& all_tools = mcp::tools_of<tools, resources>;
#else
constexpr const auto& all_tools = tools;
#endif

constexpr mcp::Definition definition{.name = "x", .version = "1", .tools = all_tools, .resources = resources};
constexpr mcp::Limits limits{.receive_size = 1024, .transmit_size = 1024};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage};

}  // namespace

int main() {
  mcp::StdioTransport transport{server, board::uart0()};
  for (;;) {
#ifdef DRIVER
    const mcp::Millis due = mcp::poll_sensors(rows, server);
#else
    const mcp::Millis due = 1000;
    server.resource_updated(resources[0]);
#endif
    const mcp::Millis work = transport.poll(board::millis());
    board::wait_for_event(due < work ? due : work);
  }
}
