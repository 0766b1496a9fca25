// SPDX-License-Identifier: Apache-2.0
// Of Sensirion's embedded-i2c-scd4x 1.2.0.
#pragma once

#include <cstdint>

extern "C" {
std::int8_t sensirion_i2c_hal_read(std::uint8_t address, std::uint8_t* data, std::uint8_t count);
std::int8_t sensirion_i2c_hal_write(std::uint8_t address, const std::uint8_t* data, std::uint8_t count);
void sensirion_i2c_hal_sleep_usec(std::uint32_t useconds);
}
