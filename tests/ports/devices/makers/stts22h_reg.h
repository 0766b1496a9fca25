// SPDX-License-Identifier: Apache-2.0
// Of ST's stts22h_reg 2.3.1, the names and types that the wrapped driver uses, and the transactions of its functions.
#pragma once

#include <cstdint>

constexpr std::uint8_t STTS22H_ID = 0xA0;
enum stts22h_odr_temp_t { STTS22H_POWER_DOWN = 0x00, STTS22H_ONE_SHOT = 0x01 };

struct stmdev_ctx_t {
  std::int32_t (*write_reg)(void* handle, std::uint8_t first, const std::uint8_t* from, std::uint16_t size);
  std::int32_t (*read_reg)(void* handle, std::uint8_t first, std::uint8_t* into, std::uint16_t size);
  void (*mdelay)(std::uint32_t milliseconds);
  void* handle;
  void* priv_data;
};
struct stts22h_dev_status_t {
  std::uint8_t busy : 1;
};

inline std::int32_t stts22h_dev_id_get(const stmdev_ctx_t* device, std::uint8_t* id) {
  return device->read_reg(device->handle, 0x01, id, 1);
}
inline std::int32_t stts22h_temp_data_rate_set(const stmdev_ctx_t* device, stts22h_odr_temp_t rate) {
  std::uint8_t control = 0;
  const std::int32_t result = device->read_reg(device->handle, 0x04, &control, 1);
  if (result != 0) return result;
  // One shot, free run, average and low rate; the other three bits stay.
  control = static_cast<std::uint8_t>((control & 0x4A) | (rate & 0x01) | (rate & 0x02) << 1 | (rate & 0x30) |
                                      (rate & 0x04) << 5);
  return device->write_reg(device->handle, 0x04, &control, 1);
}
inline std::int32_t stts22h_dev_status_get(const stmdev_ctx_t* device, stts22h_dev_status_t* status) {
  std::uint8_t bits = 0;
  const std::int32_t result = device->read_reg(device->handle, 0x05, &bits, 1);
  if (result == 0) status->busy = bits & 1;
  return result;
}
// Returns only the error of the second transaction.
inline std::int32_t stts22h_temperature_raw_get(const stmdev_ctx_t* device, std::int16_t* value) {
  std::uint8_t bytes[2] = {};
  static_cast<void>(device->read_reg(device->handle, 0x06, &bytes[0], 1));
  const std::int32_t result = device->read_reg(device->handle, 0x07, &bytes[1], 1);
  if (result == 0) *value = static_cast<std::int16_t>(bytes[1] << 8 | bytes[0]);
  return result;
}
