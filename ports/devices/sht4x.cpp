// SPDX-License-Identifier: Apache-2.0
#include "mcp/devices/sht4x.hpp"

namespace mcp {
namespace {

constexpr std::uint8_t measure_with_high_precision = 0xFD;
constexpr Millis sht4x_measurement_ms = 10;  // 8.3 ms at most, and a millisecond that has begun

// Polynomial 0x31, first value 0xFF. A word with its checksum has the checksum 0.
bool is_intact(const std::uint8_t* word) {
  std::uint8_t checksum = 0xFF;
  for (std::size_t i = 0; i < 3; ++i) {
    checksum ^= word[i];
    for (int bit = 0; bit < 8; ++bit)
      checksum = static_cast<std::uint8_t>((checksum & 0x80) != 0 ? checksum << 1 ^ 0x31 : checksum << 1);
  }
  return checksum == 0;
}

// `first` + `range` * the word / 65535, rounded.
std::int32_t scale(const std::uint8_t* word, std::int32_t first, std::uint32_t range) {
  const std::uint32_t raw = std::uint32_t{word[0]} << 8 | word[1];
  return first + static_cast<std::int32_t>((range * raw + 32'767) / 65'535);
}

}  // namespace

Sensor::Begun Sht4x::do_begin(bool) {
  constexpr std::uint8_t out[] = {measure_with_high_precision};
  return {write(out), sht4x_measurement_ms};
}

SensorError Sht4x::do_collect(std::int32_t* values) {
  std::uint8_t in[6];
  if (const SensorError error = read(in); error) return error;
  if (!is_intact(in) || !is_intact(in + 3)) return SensorFault::wrong_checksum;
  values[temperature] = scale(in, -4500, 17'500);
  // The range of the word is a little more than that of a humidity. The data sheet says to cut it.
  const std::int32_t percent_100 = scale(in + 3, -600, 12'500);
  values[humidity] = percent_100 < 0 ? 0 : percent_100 > 10'000 ? 10'000 : percent_100;
  return {};
}

}  // namespace mcp
