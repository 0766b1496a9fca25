// SPDX-License-Identifier: Apache-2.0
// Which chips may be at an address of an I2C bus. A scan only reads, because no write is harmless at each address: a
// written byte is a channel for a TCA9548A, a level for a PCF8574, and a command for an MS5611.
#pragma once

#include <cstdint>
#include <string_view>

namespace mcp::detail {

/// The chips of a range of addresses.
struct ProbableChips {
  std::uint8_t first;
  std::uint8_t last;
  std::string_view names;
};

inline constexpr ProbableChips probable_chips[] = {
    {0x0C, 0x0F, "magnetometer (AK8963), proximity"},
    {0x10, 0x10, "light (VEML7700)"},
    {0x18, 0x1F, "acceleration (LIS3DH), temperature (MCP9808)"},
    {0x20, 0x27, "pins (MCP23017, PCF8574), LCD"},
    {0x29, 0x29, "distance (VL53L0X), light (TSL2591, TCS34725)"},
    {0x38, 0x39, "humidity (AHT20), light (APDS-9960), pins (PCF8574A)"},
    {0x3A, 0x3B, "pins (PCF8574A)"},
    {0x3C, 0x3D, "OLED (SSD1306, SH1106)"},
    {0x3E, 0x3F, "pins (PCF8574A), LCD"},
    {0x40, 0x43, "current (INA219, INA226), humidity (HDC1080, Si7021), PWM (PCA9685)"},
    {0x44, 0x47, "humidity (SHT3x, SHT4x), current (INA219)"},
    {0x48, 0x4B, "ADC (ADS1115, PCF8591), temperature (LM75, TMP102, TMP117)"},
    {0x4C, 0x4F, "temperature (LM75, TMP105), current (INA226)"},
    {0x50, 0x57, "EEPROM (24Cxx)"},
    {0x58, 0x59, "air quality (SGP30, SGP40)"},
    {0x5A, 0x5B, "infrared temperature (MLX90614), touch (MPR121), air quality (CCS811)"},
    {0x5C, 0x5D, "light (BH1750), pressure (LPS22)"},
    {0x60, 0x61, "DAC (MCP4725), clock (Si5351), CO2 (SCD30)"},
    {0x62, 0x62, "CO2 (SCD40, SCD41)"},
    {0x68, 0x68, "clock (DS3231, DS1307), motion (MPU6050)"},
    {0x69, 0x69, "motion (MPU6050, MPU9250), particles (SPS30)"},
    {0x6A, 0x6B, "motion (LSM6DS3, LSM6DSO)"},
    {0x70, 0x75, "switch (TCA9548A), display (HT16K33)"},
    {0x76, 0x77, "pressure (BME280, BMP280, BMP390, MS5611), switch (TCA9548A)"},
};

}  // namespace mcp::detail
