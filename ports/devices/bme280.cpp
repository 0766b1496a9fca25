// SPDX-License-Identifier: Apache-2.0
// The compensation has the steps of the integer formulas of BST-BME280-DS002, section 4.2.3.
#include "mcp/devices/bme280.hpp"

#include <iterator>

namespace mcp::detail {
namespace {

constexpr std::uint8_t id_register = 0xD0;
constexpr std::uint8_t bme280_id = 0x60;
constexpr std::uint8_t bmp280_id = 0x58;
constexpr std::uint8_t first_trim_register = 0x88;
constexpr std::uint8_t second_trim_register = 0xE1;

// One transaction reads the registers from the first one to the data. These are the places in its bytes.
constexpr std::uint8_t first_register = 0xF2;
constexpr std::uint8_t ctrl_hum = 0;
constexpr std::uint8_t status = 1;
constexpr std::uint8_t ctrl_meas = 2;
constexpr std::uint8_t config = 3;
constexpr std::uint8_t pressure_data = 5;
constexpr std::uint8_t temperature_data = 8;
constexpr std::uint8_t humidity_data = 11;
constexpr std::uint8_t all_data = 13;

constexpr std::uint8_t status_measuring = 8;
constexpr std::uint8_t status_starts = 1;   // copies the trimming parameters
constexpr std::uint8_t humidity_once = 1;   // oversampling x1
constexpr std::uint8_t others_once = 0x24;  // temperature x1, pressure x1
constexpr std::uint8_t mode_bits = 3;
constexpr std::uint8_t forced_mode = 1;
constexpr std::uint8_t mark = 0x20;  // a standby time, which forced mode does not use; 0 after a reset

// Section 9.1: 9.3 ms at most for three values, and a millisecond that has begun.
constexpr Millis bme280_measurement_ms = 11;

std::uint16_t word(const std::uint8_t* at) { return static_cast<std::uint16_t>(at[0] | at[1] << 8); }
std::int16_t number(const std::uint8_t* at) { return static_cast<std::int16_t>(word(at)); }
std::int32_t raw_20_bits(const std::uint8_t* at) { return at[0] << 12 | at[1] << 4 | at[2] >> 4; }

}  // namespace

std::int32_t Bme280Trim::fine(std::int32_t raw) const {
  const std::int64_t linear = (raw >> 3) - 2 * std::int64_t{t1};
  const std::int64_t square = (raw >> 4) - std::int64_t{t1};
  return static_cast<std::int32_t>(((linear * t2) >> 11) + ((((square * square) >> 12) * t3) >> 14));
}

std::int32_t Bme280Trim::pressure(std::int32_t fine, std::int32_t raw) const {
  const std::int64_t t = std::int64_t{fine} - 128'000;
  const std::int64_t offset = t * t * p6 + ((t * p5) << 17) + (std::int64_t{p4} << 35);
  const std::int64_t slope = ((t * t * p3) >> 8) + ((t * p2) << 12);
  // Positive, since |t| is at most 332,800. Without a sign, its product with P1 has at most 64 bits.
  const auto scale = static_cast<std::uint64_t>((std::int64_t{1} << 47) + slope);
  const auto sensitivity = static_cast<std::int64_t>((scale * p1) >> 33);
  const std::int64_t difference = (std::int64_t{1'048'576 - raw} << 31) - offset;
  // Beyond these limits, the next product would overflow. They are twice what any pressure has.
  constexpr std::int64_t most_difference = INT64_MAX / 3125;
  constexpr std::int64_t most_pressure = std::int64_t{1} << 34;
  if (sensitivity == 0 || difference > most_difference || difference < -most_difference) return 0;
  const std::int64_t p = difference * 3125 / sensitivity;
  if (p > most_pressure || p < -most_pressure) return 0;
  const std::int64_t second = (p9 * (p >> 13) * (p >> 13)) >> 25;
  const std::int64_t first = (p8 * p) >> 19;
  const std::int64_t pascals_256 = ((p + second + first) >> 8) + (std::int64_t{p7} << 4);
  return static_cast<std::int32_t>((pascals_256 + 128) >> 8);
}

std::int32_t Bme280Trim::humidity(std::int32_t fine, std::int32_t raw) const {
  const std::int64_t t = std::int64_t{fine} - 76'800;
  const std::int64_t base = ((std::int64_t{raw} << 14) - (std::int64_t{h4} << 20) - h5 * t + 16'384) >> 15;
  const std::int64_t scale = ((((t * h6) >> 10) * (((t * h3) >> 11) + 32'768)) >> 10) + 2'097'152;
  std::int64_t h = base * ((scale * h2 + 8192) >> 14);
  h -= ((((h >> 15) * (h >> 15)) >> 7) * h1) >> 4;
  constexpr std::int64_t most = std::int64_t{100} << 22;
  h = h < 0 ? 0 : h > most ? most : h;
  return static_cast<std::int32_t>(((h >> 12) * 100 + 512) >> 10);
}

SensorError Bme280Family::read_trim(Bme280Trim& t) {
  std::uint8_t in[26];
  if (const SensorError error = read_registers(first_trim_register, in); error) return error;
  t.t1 = word(in);
  t.t2 = number(in + 2);
  t.t3 = number(in + 4);
  t.p1 = word(in + 6);
  std::int16_t* const of_pressure[] = {&t.p2, &t.p3, &t.p4, &t.p5, &t.p6, &t.p7, &t.p8, &t.p9};
  for (std::size_t i = 0; i < std::size(of_pressure); ++i) *of_pressure[i] = number(in + 8 + 2 * i);
  if (!has_humidity()) return {};
  t.h1 = in[25];
  if (const SensorError error = read_registers(second_trim_register, {in, 7}); error) return error;
  t.h2 = number(in);
  t.h3 = in[2];
  // Two signed numbers of 12 bits share a byte.
  t.h4 = static_cast<std::int16_t>(static_cast<std::int8_t>(in[3]) * 16 + (in[4] & 0x0F));
  t.h5 = static_cast<std::int16_t>(static_cast<std::int8_t>(in[5]) * 16 + (in[4] >> 4));
  t.h6 = static_cast<std::int8_t>(in[6]);
  return {};
}

SensorError Bme280Family::set_up() {
  std::uint8_t in[1];
  if (const SensorError error = read_registers(id_register, in); error) return error;
  if (in[0] != (has_humidity() ? bme280_id : bmp280_id)) return SensorFault::wrong_device;
  if (const SensorError error = read_registers(first_register + status, in); error) return error;
  if ((in[0] & status_starts) != 0) return SensorFault::not_ready;
  // Parameters with a changed bit would make each later value wrong, and I2C has no checksum.
  Bme280Trim again = {};
  if (const SensorError error = read_trim(trim_); error) return error;
  if (const SensorError error = read_trim(again); error) return error;
  if (again != trim_) return SensorFault::invalid_data;
  constexpr std::uint8_t out[] = {first_register + config, mark};
  return write(out);
}

Sensor::Begun Bme280Family::begin_measurement(bool is_set_up) {
  if (!is_set_up) {
    if (const SensorError error = set_up(); error) return {error};
  }
  // The device takes a new ctrl_hum with the next ctrl_meas. A BMP280 has no ctrl_hum.
  constexpr std::uint8_t out[] = {first_register + ctrl_hum, humidity_once, first_register + ctrl_meas,
                                  others_once | forced_mode};
  const std::span<const std::uint8_t> pairs = out;
  return {write(has_humidity() ? pairs : pairs.subspan(2)), bme280_measurement_ms};
}

SensorError Bme280Family::read_values(std::int32_t* values) {
  std::uint8_t in[all_data];
  const std::size_t size = has_humidity() ? all_data : humidity_data;
  if (const SensorError error = read_registers(first_register, {in, size}); error) return error;
  const bool keeps_humidity = !has_humidity() || in[ctrl_hum] == humidity_once;
  if (in[config] != mark || (in[ctrl_meas] & ~mode_bits) != others_once || !keeps_humidity)
    return SensorFault::settings_lost;
  if ((in[status] & status_measuring) != 0 || (in[ctrl_meas] & mode_bits) != 0) return SensorFault::not_ready;
  const std::int32_t fine = trim_.fine(raw_20_bits(in + temperature_data));
  const Quantity& of_temperature = quantities()[temperature];
  values[temperature] = Bme280Trim::temperature(fine);
  // The caller finds this value first.
  if (values[temperature] < of_temperature.minimum || values[temperature] > of_temperature.maximum) return {};
  values[pressure] = trim_.pressure(fine, raw_20_bits(in + pressure_data));
  if (has_humidity()) values[Bme280::humidity] = trim_.humidity(fine, in[humidity_data] << 8 | in[humidity_data + 1]);
  return {};
}

}  // namespace mcp::detail
