// SPDX-License-Identifier: Apache-2.0
// A bus that answers each transaction of a driver with anything. The input chooses the driver, and for each transaction
// an error, any bytes, or those of a healthy device with changes. After the input, the device is healthy again.
#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "fuzz/target.hpp"
#include "mcp/devices/ads1115.hpp"
#include "mcp/devices/bme280.hpp"
#include "mcp/devices/ina219.hpp"
#include "mcp/devices/lm75.hpp"
#include "mcp/devices/sht4x.hpp"
#include "mcp/ports/fake_i2c.hpp"

namespace {

using mcp::BusError;
using mcp::SensorFault;

constexpr std::uint8_t device_address = 0x48;
constexpr std::uint16_t least_limit = 32;      // the fewest bytes that a bus has as its limit
constexpr std::size_t most_transactions = 16;  // of one call of a driver, each perhaps twice
constexpr mcp::Millis most_ready_ms = 1000;

/// The registers of a device, by their number. A register that continues in the next one has one byte.
using Registers = std::map<std::uint8_t, std::vector<std::uint8_t>>;

/// A device and what its data sheet allows.
struct Kind {
  Registers registers;
  bool has_pairs;        // a write is pairs of a register and a value
  std::uint8_t cleared;  // bits of the control register that the device clears at once
  std::int32_t bounds[3][2];
  std::size_t count;
};

const Kind& kind_of(std::size_t number) {
  // The trimming parameters of the example in BST-BMP280-DS001, section 3.12.
  static const Registers bmp280 = [] {
    constexpr std::uint8_t trim[] = {0x70, 0x6B, 0x43, 0x67, 0x18, 0xFC, 0x7D, 0x8E, 0x43, 0xD6, 0xD0, 0x0B, 0x27,
                                     0x0B, 0x8C, 0x00, 0xF9, 0xFF, 0x8C, 0x3C, 0xF8, 0xC6, 0x70, 0x17, 0x00, 0x4B};
    constexpr std::uint8_t data[] = {0x65, 0x5A, 0xC0, 0x7E, 0xED, 0x00, 0x75, 0x30};
    Registers all{{0xD0, {0x58}}};
    for (std::size_t i = 0; i < std::size(trim); ++i) all[static_cast<std::uint8_t>(0x88 + i)] = {trim[i]};
    for (std::size_t i = 0; i < std::size(data); ++i) all[static_cast<std::uint8_t>(0xF7 + i)] = {data[i]};
    return all;
  }();
  static const Registers bme280 = [] {
    constexpr std::uint8_t trim[] = {0x6F, 0x01, 0x00, 0x13, 0x2A, 0x03, 0x1E};
    Registers all = bmp280;
    all[0xD0] = {0x60};
    for (std::size_t i = 0; i < std::size(trim); ++i) all[static_cast<std::uint8_t>(0xE1 + i)] = {trim[i]};
    return all;
  }();
  static const Kind kinds[] = {
      {{{0, {0x19, 0x00}}}, false, 0, {{-5500, 12'500}}, 1},
      {{{0, {0x19, 0x00}}}, false, 0, {{-5500, 12'500}}, 1},
      {{{0, {0x19, 0x00}}, {1, {0x60, 0xA0}}}, false, 0, {{-4000, 12'500}}, 1},
      {{{0, {0x19, 0x00}}, {1, {0x00}}}, false, 0, {{-4000, 12'500}}, 1},
      {bme280, true, 3, {{-4000, 8500}, {30'000, 110'000}, {0, 10'000}}, 3},
      {bmp280, true, 3, {{-4000, 8500}, {30'000, 110'000}}, 2},
      {{{0xFD, {0xBE, 0xEF, 0x92, 0xBE, 0xEF, 0x92}}}, false, 0, {{-4000, 12'500}, {0, 10'000}}, 2},
      {{{0, {0x12, 0x34}}}, false, 0, {{-4'096'000, 4'096'000}}, 1},
      {{{1, {0x07, 0xD0}}, {2, {0x5D, 0x9A}}}, false, 0, {{0, 26'000}, {-3'200'000, 3'200'000}}, 2},
      {{{1, {0x1F, 0x40}}, {2, {0x25, 0x70}}, {6, {0x00, 0x08}}, {0xFE, {0x54, 0x49}}, {0xFF, {0x22, 0x60}}},
       false,
       0,
       {{0, 3'600'000}, {-819'200, 819'200}},
       2},
  };
  return kinds[number % std::size(kinds)];
}

/// Answers with anything.
class AnyDevice final : public mcp::FakeI2cDevice {
 public:
  AnyDevice() : FakeI2cDevice(device_address) {}

  void begin(const Kind& kind, fuzz::Bytes bytes) {
    cleared_ = kind.cleared;
    has_pairs_ = kind.has_pairs;
    registers_ = kind.registers;
    // A device with one register has its values there, whatever was written.
    pointer_ = registers_.begin()->first;
    bytes_ = bytes;
  }
  [[nodiscard]] bool is_healthy() const { return bytes_.empty(); }

 private:
  BusError do_write(std::span<const std::uint8_t> out) override {
    if (choose() == fails) return any_error();
    take(out);
    return BusError::none;
  }
  BusError do_read(std::span<std::uint8_t> in) override {
    const std::uint8_t choice = choose();
    if (choice == fails) return any_error();
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = choice == has_any_bytes ? bytes_.byte() : at(i);
    for (int i = 3; i < choice && choice != has_any_bytes; ++i) {
      const std::uint8_t place = bytes_.byte();
      in[place % in.size()] ^= bytes_.byte();
    }
    return BusError::none;
  }

  static constexpr std::uint8_t has_any_bytes = 6;
  static constexpr std::uint8_t fails = 7;
  std::uint8_t choose() { return bytes_.byte() % 8; }
  BusError any_error() { return static_cast<BusError>(1 + bytes_.byte() % static_cast<unsigned>(BusError::failed)); }

  void take(std::span<const std::uint8_t> out) {
    pointer_ = out[0];
    if (out.size() == 1) return;
    if (!has_pairs_) {
      registers_[pointer_].assign(out.begin() + 1, out.end());
      return;
    }
    for (std::size_t i = 0; i + 1 < out.size(); i += 2)
      registers_[out[i]] = {static_cast<std::uint8_t>(out[i] == 0xF4 ? out[i + 1] & ~cleared_ : out[i + 1])};
  }
  std::uint8_t at(std::size_t i) {
    if (has_pairs_) {
      const auto found = registers_.find(static_cast<std::uint8_t>(pointer_ + i));
      return found == registers_.end() ? 0 : found->second[0];
    }
    const auto found = registers_.find(pointer_);
    return found == registers_.end() ? 0 : found->second[i % found->second.size()];
  }

  bool has_pairs_ = false;
  std::uint8_t cleared_ = 0;
  std::uint8_t pointer_ = 0;
  Registers registers_;
  fuzz::Bytes bytes_{{}};
};

AnyDevice any_device;
mcp::FakeI2cDevice* const devices[] = {&any_device};
mcp::FakeTransaction transactions[most_transactions];
mcp::FakeI2c any_bus{devices, transactions, {.most_bytes = least_limit, .limit_ms = 10}};
mcp::I2cBus& bus() { return any_bus; }

/// Checks the transactions of one call of a driver, and returns the error of the last one.
BusError checked_error() {
  if (any_bus.count() > most_transactions) fuzz::fail("too many transactions in one call");
  BusError error = BusError::none;
  bool is_second_try = false;
  for (const mcp::FakeTransaction& one : any_bus.log()) {
    if (one.address != device_address) fuzz::fail("another address than that of the sensor");
    // The bus tries once more after `stuck`.
    is_second_try = error == BusError::stuck && !is_second_try;
    if (error != BusError::none && !is_second_try) fuzz::fail("a transaction after an error");
    error = one.error;
  }
  return error;
}

/// The errors and values of one run.
using Log = std::vector<std::int32_t>;

void add(Log& log, const mcp::SensorError& error) {
  const BusError of_bus = checked_error();
  if (error.fault() == SensorFault::bus ? error.bus() != of_bus : of_bus != BusError::none)
    fuzz::fail("an error of the bus that is not reported, or another one");
  log.push_back(static_cast<std::int32_t>(error.fault()));
  log.push_back(static_cast<std::int32_t>(error.bus()));
}

bool measure(mcp::Sensor& sensor, const Kind& kind, Log& log) {
  any_bus.clear_log();
  const mcp::Sensor::Begun begun = sensor.begin();
  add(log, begun.error);
  if (begun.ready_ms > most_ready_ms) fuzz::fail("a measurement that takes too long");
  any_bus.clear_log();
  const mcp::SensorError error = sensor.collect();
  add(log, error);
  if (begun.error && error.fault() != SensorFault::not_begun) fuzz::fail("values without a measurement");
  if (error) return false;
  if (sensor.quantities().size() != kind.count) fuzz::fail("another number of values");
  for (std::size_t i = 0; i < kind.count; ++i) {
    const std::int32_t value = sensor.value(i);
    if (value < kind.bounds[i][0] || value > kind.bounds[i][1])
      fuzz::fail("a value outside of its data sheet", std::to_string(value), sensor.quantities()[i].name);
    log.push_back(value);
  }
  return true;
}

// Returns whether a measurement succeeded while the input was not at its end.
bool measure_all(mcp::Sensor& sensor, const Kind& kind, Log& log) {
  bool any = false;
  while (!any_device.is_healthy()) any = measure(sensor, kind, log) || any;
  // The first may collect what the last transaction has spoilt.
  const bool first = measure(sensor, kind, log);
  if (!measure(sensor, kind, log) && !first) fuzz::fail("a sensor that does not recover", sensor.name());
  return any;
}

bool run_once(std::size_t number, fuzz::Bytes bytes, std::uint8_t undefined, Log& log) {
  const Kind& kind = kind_of(number);
  any_device.begin(kind, bytes);
  any_bus.undefined = undefined;
  mcp::Lm75 lm75(bus, device_address);
  mcp::Lm75b lm75b(bus, device_address);
  mcp::Tmp102 tmp102(bus, device_address);
  mcp::Tmp105 tmp105(bus, device_address);
  mcp::Bme280 bme280(bus, device_address);
  mcp::Bmp280 bmp280(bus, device_address);
  mcp::Sht4x sht4x(bus, device_address);
  mcp::Ads1115 ads1115(bus, device_address, mcp::Ads1115::Input::a0, mcp::Ads1115::Range::v4_096);
  mcp::Ina219<100'000> ina219(bus, device_address);
  mcp::Ina226<100'000> ina226(bus, device_address);
  mcp::Sensor* const sensors[] = {&lm75,   &lm75b, &tmp102,  &tmp105, &bme280,
                                  &bmp280, &sht4x, &ads1115, &ina219, &ina226};
  return measure_all(*sensors[number % std::size(sensors)], kind, log);
}

bool run(std::string_view input) {
  fuzz::Bytes bytes(input);
  const std::size_t number = bytes.byte();
  Log log;
  Log again;
  const bool any = run_once(number, bytes, 0x00, log);
  static_cast<void>(run_once(number, bytes, 0xFF, again));
  if (log != again) fuzz::fail("bytes of a failed transaction have an effect");
  return any;
}

std::vector<std::string> seeds() {
  std::vector<std::string> all;
  for (char number = 0; number < 10; ++number) {
    all.push_back(std::string(1, number) + std::string(20, '\1'));
    all.push_back(std::string(1, number) + std::string(8, '\1') + "\7\1" + std::string(4, '\1'));
    all.push_back(std::string(1, number) + std::string(4, '\5') + "\6\xFF\xFF\xFF\xFF");
  }
  return all;
}

std::vector<std::string> words() {
  return {std::string(1, '\0'),
          "\1",
          "\4",
          "\5",
          "\6",
          "\7",
          std::string("\x80\0", 2),
          "\x7F\xFF",
          "\xFF\xFF",
          std::string("\6\xFF\xFF\xFF\xFF\xFF\xFF")};
}

}  // namespace

namespace fuzz {
const Target devices_target{"devices", run, seeds, words, nullptr, 512};
}  // namespace fuzz
