// SPDX-License-Identifier: Apache-2.0
// The workbench on a PC: stdin and stdout are the wire to the client. The pins and the devices are fakes. The heater
// heats the box.
#include <mcp/ports/fake_i2c.hpp>
#include <mcp/ports/fake_pins.hpp>
#include <mcp/ports/posix.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

#include "table.hpp"

namespace {

constexpr std::size_t heater = 3;
constexpr std::size_t gp6 = 6;
constexpr std::size_t gp7 = 7;
constexpr std::size_t potentiometer = 26;

constinit mcp::FakePin wires[32] = {};
constinit mcp::FakePins the_pins{wires};

/// The registers of a BME280, with the parameters of a device and a measurement that has just ended.
class FakeBme280 final : public mcp::FakeI2cDevice {
 public:
  constexpr FakeBme280() : FakeI2cDevice(0x76) {
    constexpr int words[] = {27504, 26435, -1000, 36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000};
    registers_[0xD0] = 0x60;
    for (std::size_t i = 0; i < std::size(words); ++i) {
      registers_[0x88 + 2 * i] = static_cast<std::uint8_t>(words[i]);
      registers_[0x89 + 2 * i] = static_cast<std::uint8_t>(words[i] >> 8);
    }
    constexpr std::uint8_t humidity[] = {0x6F, 0x01, 0x00, 0x13, 0x2A, 0x03, 0x1E};
    registers_[0xA1] = 75;
    std::copy_n(humidity, std::size(humidity), registers_ + 0xE1);
    // Pressure, temperature and humidity.
    constexpr std::uint8_t values[] = {0x65, 0x5A, 0xC0, 0x7E, 0xED, 0x00, 0x75, 0x30};
    std::copy_n(values, std::size(values), registers_ + 0xF7);
  }

 private:
  static constexpr std::uint8_t ctrl_meas = 0xF4;

  // Bytes after the first one are pairs of a register and a value.
  mcp::BusError do_write(std::span<const std::uint8_t> bytes) override {
    if (!bytes.empty()) next_ = bytes[0];
    for (std::size_t i = 1; i < bytes.size(); i += 2) {
      const std::uint8_t number = bytes[i - 1];
      registers_[number] = static_cast<std::uint8_t>(number == ctrl_meas ? bytes[i] & 0xFC : bytes[i]);
    }
    return mcp::BusError::none;
  }
  mcp::BusError do_read(std::span<std::uint8_t> into) override {
    for (std::uint8_t& byte : into) byte = registers_[next_++];
    return mcp::BusError::none;
  }

  std::uint8_t registers_[256] = {};
  std::uint8_t next_ = 0;
};

constinit mcp::FakeRegisters lm75{0x48};
constinit FakeBme280 bme280;
constinit mcp::FakeRegisters eeprom{0x50};
constinit mcp::FakeI2cDevice* const devices[] = {&lm75, &bme280, &eeprom};
constinit mcp::FakeI2c bus{devices, {}};

/// The temperature of the box, in thousandths of a degree. The heater raises it by 0.5 degrees in a second, and the air
/// around the box takes 1 % of the difference.
class Box {
 public:
  void run(mcp::Millis now) {
    for (; now - last_ms_ >= step_ms; last_ms_ += step_ms) {
      const bool is_on = wires[heater].mode == mcp::FakePin::Mode::output && wires[heater].is_high;
      millidegrees_ += (is_on ? 50 : 0) - (millidegrees_ - room) / 1000;
    }
    // Steps of half a degree.
    const std::int32_t halves = millidegrees_ / 500;
    lm75[0] = static_cast<std::uint8_t>(halves / 2);
    lm75[1] = static_cast<std::uint8_t>(halves % 2 != 0 ? 0x80 : 0);
  }
  void begin(mcp::Millis now) { last_ms_ = now; }

 private:
  static constexpr mcp::Millis step_ms = 100;
  static constexpr std::int32_t room = 21'000;
  std::int32_t millidegrees_ = room;
  mcp::Millis last_ms_ = 0;
};

constexpr mcp::Millis longest_wait_ms = 100;  // for the box

}  // namespace

namespace device {

mcp::Millis now() { return mcp::posix::now(); }
std::uint32_t boot_id() { return 0; }
bool Random::do_fill(std::span<std::uint8_t> into) { return mcp::posix::SystemEntropy().fill(into); }
mcp::Pins& pins() { return the_pins; }
mcp::I2cBus& i2c() { return bus; }

}  // namespace device

int main() {
  static_assert(potentiometer < std::size(wires));
  wires[potentiometer].millivolts = 1650;
  Box the_box;
  the_box.begin(device::now());
  app::begin();
  mcp::posix::Stdio stdio;
  mcp::StdioTransport transport{app::server, stdio};
  while (!transport.closed()) {
    const mcp::Millis now = device::now();
    the_box.run(now);
    wires[gp7].wire = wires[gp6].mode == mcp::FakePin::Mode::output && wires[gp6].is_high ? mcp::FakePin::Wire::high
                                                                                          : mcp::FakePin::Wire::low;
    const mcp::Millis next = transport.poll(now);
    stdio.wait(std::min({next, app::poll(), longest_wait_ms}));
  }
  return 0;
}
