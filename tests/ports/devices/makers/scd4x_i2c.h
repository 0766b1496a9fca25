// SPDX-License-Identifier: Apache-2.0
// Of Sensirion's embedded-i2c-scd4x 1.2.0, the functions that the wrapped driver uses, and their transactions.
#pragma once

#include <cstdint>

#include "sensirion_i2c.h"
#include "sensirion_i2c_hal.h"

namespace scd4x_stub {

inline std::uint8_t address;

inline std::uint8_t crc(const std::uint8_t* bytes) {
  std::uint8_t sum = 0xFF;
  for (int i = 0; i < 2; ++i) {
    sum = static_cast<std::uint8_t>(sum ^ bytes[i]);
    for (int bit = 0; bit < 8; ++bit) sum = static_cast<std::uint8_t>((sum & 0x80) != 0 ? sum << 1 ^ 0x31 : sum << 1);
  }
  return sum;
}
inline std::int16_t send(std::uint16_t command) {
  const std::uint8_t out[] = {static_cast<std::uint8_t>(command >> 8), static_cast<std::uint8_t>(command)};
  return sensirion_i2c_hal_write(address, out, sizeof out);
}
inline std::int16_t read(std::uint16_t command, std::uint16_t* words, std::uint8_t count) {
  std::uint8_t in[9] = {};
  std::int16_t result = send(command);
  if (result != 0) return result;
  sensirion_i2c_hal_sleep_usec(1000);
  result = sensirion_i2c_hal_read(address, in, static_cast<std::uint8_t>(3 * count));
  for (std::uint8_t i = 0; i < count && result == 0; ++i) {
    if (crc(&in[3 * i]) != in[3 * i + 2]) return CRC_ERROR;
    words[i] = static_cast<std::uint16_t>(in[3 * i] << 8 | in[3 * i + 1]);
  }
  return result;
}

}  // namespace scd4x_stub

inline void scd4x_init(std::uint8_t address) { scd4x_stub::address = address; }
inline std::int16_t scd4x_start_periodic_measurement() { return scd4x_stub::send(0x21B1); }
inline std::int16_t scd4x_get_data_ready_status(bool* is_ready) {
  std::uint16_t status = 0;
  const std::int16_t result = scd4x_stub::read(0xE4B8, &status, 1);
  if (result == 0) *is_ready = (status & 0x07FF) != 0;
  return result;
}
inline std::int16_t scd4x_read_measurement(std::uint16_t* co2, std::int32_t* temperature, std::int32_t* humidity) {
  std::uint16_t words[3] = {};
  const std::int16_t result = scd4x_stub::read(0xEC05, words, 3);
  if (result != 0) return result;
  *co2 = words[0];
  *temperature = ((21'875 * std::int32_t{words[1]}) >> 13) - 45'000;
  *humidity = (12'500 * std::int32_t{words[2]}) >> 13;
  return result;
}
