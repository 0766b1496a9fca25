// SPDX-License-Identifier: Apache-2.0
// The I2C bus of the HAL, with functions that behave as those of Src/stm32f4xx_hal_i2c.c in stm32f4xx_hal_driver: a
// NACK of the address or of a byte is HAL_ERROR with HAL_I2C_ERROR_AF, a timeout is HAL_ERROR with
// HAL_I2C_ERROR_TIMEOUT and leaves the controller busy, and a busy bus is HAL_BUSY after 25 ms.
#include "mcp/ports/stm32_hal_i2c.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "support/hex.hpp"
#include "support/i2c_lines.hpp"

namespace {

using mcp::BusError;
using test::hex;

constexpr std::uint8_t sensor = 0x48;

struct Chip {
  GPIO_TypeDef port{1};
  I2C_HandleTypeDef handle{0};
  bool is_on = true;       // HAL_I2C_Init() was called
  bool is_in_use = false;  // by an interrupt of the HAL
  bool is_busy = false;    // after a timeout
  bool holds_clock = false;
  bool loses_arbitration = false;
  bool has_bus_error = false;
  bool status_is_timeout = false;  // older versions return HAL_TIMEOUT
  std::size_t acknowledges = 999;  // bytes of a write
  test::I2cLines lines;
  unsigned inits = 0;
  std::uint32_t limit_ms = 0;
  std::string log;
};
Chip chip;

HAL_StatusTypeDef fail(std::uint32_t error) {
  chip.handle.ErrorCode |= error;
  if (error == HAL_I2C_ERROR_TIMEOUT) chip.is_busy = true;
  return error == HAL_I2C_ERROR_TIMEOUT && chip.status_is_timeout ? HAL_TIMEOUT : HAL_ERROR;
}

// What each function does before the first byte.
HAL_StatusTypeDef begin(I2C_HandleTypeDef* hi2c, std::uint16_t address) {
  EXPECT_EQ(hi2c, &chip.handle);
  EXPECT_TRUE(chip.is_on);
  if (chip.is_in_use || chip.is_busy || chip.lines.holds_data || chip.lines.holds_clock) return HAL_BUSY;
  hi2c->ErrorCode = HAL_I2C_ERROR_NONE;
  chip.log += "S" + hex(address >> 1);
  if (chip.holds_clock) return fail(HAL_I2C_ERROR_TIMEOUT);
  if (chip.loses_arbitration) return fail(HAL_I2C_ERROR_ARLO);
  if (chip.has_bus_error) return fail(HAL_I2C_ERROR_BERR);
  return address >> 1 == sensor ? HAL_OK : fail(HAL_I2C_ERROR_AF);
}

HAL_StatusTypeDef send(std::span<const std::uint8_t> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == chip.acknowledges) return fail(HAL_I2C_ERROR_AF);
    chip.log += " " + hex(bytes[i]);
  }
  return HAL_OK;
}

void receive(std::span<std::uint8_t> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(0xA0 + i);
  chip.log += " R" + hex(static_cast<unsigned>(bytes.size())) + "P ";
}

class Stm32I2c : public testing::Test {
 protected:
  Stm32I2c() { chip = {}; }

  static constexpr std::uint8_t one[] = {0x05};
  static constexpr std::uint8_t two[] = {0x05, 0x11};
  static constexpr std::uint8_t three[] = {0x05, 0x11, 0x12};
  std::uint8_t in_[2] = {};
  mcp::stm32::I2c bus_{&chip.handle, {&chip.port, GPIO_PIN_7}, {&chip.port, GPIO_PIN_6}};
};

TEST_F(Stm32I2c, ReadsRegistersWithARepeatedStart) {
  EXPECT_EQ(bus_.transfer(sensor, one, in_), BusError::none);
  EXPECT_EQ(bus_.transfer(sensor, two, in_), BusError::none);
  EXPECT_EQ(chip.log, "S48 05 S R02P S48 05 11 S R02P ");
  EXPECT_EQ(in_[1], 0xA1);
}

TEST_F(Stm32I2c, WritesAndReadsWithAStopAndAStart) {
  EXPECT_EQ(bus_.transfer(sensor, three, in_), BusError::none);
  EXPECT_EQ(chip.log, "S48 05 11 12P S48 R02P ");
  chip.log.clear();
  EXPECT_EQ(bus_.write(sensor, one), BusError::none);
  EXPECT_EQ(bus_.read(sensor, in_), BusError::none);
  EXPECT_EQ(chip.log, "S48 05P S48 R02P ");
  EXPECT_TRUE(bus_.stops_between());
}

TEST_F(Stm32I2c, LimitsTheTimeByTheNumberOfBytes) {
  EXPECT_EQ(bus_.write(sensor, one), BusError::none);
  EXPECT_EQ(chip.limit_ms, 6U);
  std::array<std::uint8_t, 1000> many{};
  EXPECT_EQ(bus_.read(sensor, many), BusError::none);
  EXPECT_EQ(chip.limit_ms, 97U);
}

TEST_F(Stm32I2c, ReportsAMissingDevice) {
  EXPECT_EQ(bus_.transfer(0x50, one, in_), BusError::no_device);
  EXPECT_EQ(bus_.write(0x50, three), BusError::no_device);
  EXPECT_EQ(bus_.read(0x50, in_), BusError::no_device);
}

TEST_F(Stm32I2c, ReportsAByteThatTheDeviceRefuses) {
  chip.acknowledges = 1;
  EXPECT_EQ(bus_.write(sensor, three), BusError::data_refused);
  chip.acknowledges = 0;
  EXPECT_EQ(bus_.transfer(sensor, one, in_), BusError::data_refused);
}

TEST_F(Stm32I2c, ReportsALostArbitrationAndABusError) {
  chip.loses_arbitration = true;
  EXPECT_EQ(bus_.write(sensor, three), BusError::arbitration_lost);
  chip.loses_arbitration = false;
  chip.has_bus_error = true;
  EXPECT_EQ(bus_.write(sensor, three), BusError::failed);
}

TEST_F(Stm32I2c, ResetsTheControllerAfterADeviceHeldTheClock) {
  for (const bool status_is_timeout : {false, true}) {
    chip.status_is_timeout = status_is_timeout;
    chip.holds_clock = true;
    EXPECT_EQ(bus_.write(sensor, three), BusError::too_late);
    chip.holds_clock = false;
    EXPECT_EQ(bus_.write(sensor, three), BusError::none);
  }
  EXPECT_EQ(chip.inits, 2U);
}

TEST_F(Stm32I2c, FailsWhileAnInterruptUsesTheController) {
  chip.is_in_use = true;
  EXPECT_EQ(bus_.write(sensor, three), BusError::failed);
}

TEST_F(Stm32I2c, RecoversFromADeviceThatHoldsTheDataLine) {
  chip.lines.holds_data = true;
  chip.lines.pulses_to_release = 4;
  EXPECT_EQ(bus_.transfer(sensor, one, in_), BusError::none);
  EXPECT_EQ(chip.lines.pulses, 5) << "four, and the one of the stop";
  EXPECT_EQ(chip.lines.stops, 1);
}

TEST_F(Stm32I2c, ReportsALineThatStaysLow) {
  chip.lines.holds_data = true;
  EXPECT_EQ(bus_.write(sensor, three), BusError::stuck);
  EXPECT_EQ(chip.lines.pulses, 10) << "nine, and the one of the stop";
  chip.lines.holds_data = false;
  chip.lines.holds_clock = true;
  EXPECT_EQ(bus_.read(sensor, in_), BusError::stuck);
  EXPECT_FALSE(bus_.recover());
  chip.lines.holds_clock = false;
  EXPECT_TRUE(bus_.recover());
}

}  // namespace

extern "C" {
HAL_StatusTypeDef HAL_I2C_Init(I2C_HandleTypeDef*) {
  ++chip.inits;
  chip.is_on = true;
  chip.is_busy = false;
  chip.lines.pull_data(false);
  chip.lines.pull_clock(false);
  return HAL_OK;
}
HAL_StatusTypeDef HAL_I2C_DeInit(I2C_HandleTypeDef*) {
  chip.is_on = false;
  return HAL_OK;
}
HAL_StatusTypeDef HAL_I2C_Master_Transmit(I2C_HandleTypeDef* hi2c, uint16_t DevAddress, uint8_t* pData, uint16_t Size,
                                          uint32_t Timeout) {
  chip.limit_ms = Timeout;
  HAL_StatusTypeDef status = begin(hi2c, DevAddress);
  if (status == HAL_OK) status = send({pData, Size});
  chip.log += "P ";
  return status;
}
HAL_StatusTypeDef HAL_I2C_Master_Receive(I2C_HandleTypeDef* hi2c, uint16_t DevAddress, uint8_t* pData, uint16_t Size,
                                         uint32_t Timeout) {
  chip.limit_ms = Timeout;
  const HAL_StatusTypeDef status = begin(hi2c, DevAddress);
  if (status == HAL_OK) receive({pData, Size});
  return status;
}
HAL_StatusTypeDef HAL_I2C_Mem_Read(I2C_HandleTypeDef* hi2c, uint16_t DevAddress, uint16_t MemAddress,
                                   uint16_t MemAddSize, uint8_t* pData, uint16_t Size, uint32_t Timeout) {
  chip.limit_ms = Timeout;
  HAL_StatusTypeDef status = begin(hi2c, DevAddress);
  const std::uint8_t bytes[] = {static_cast<std::uint8_t>(MemAddress >> 8), static_cast<std::uint8_t>(MemAddress)};
  const std::size_t size = MemAddSize == I2C_MEMADD_SIZE_8BIT ? 1 : 2;
  if (status == HAL_OK) status = send(std::span(bytes).last(size));
  if (status != HAL_OK) return status;
  chip.log += " S";
  receive({pData, Size});
  return HAL_OK;
}
HAL_StatusTypeDef HAL_I2C_IsDeviceReady(I2C_HandleTypeDef* hi2c, uint16_t DevAddress, uint32_t Trials, uint32_t) {
  EXPECT_EQ(hi2c, &chip.handle);
  EXPECT_EQ(Trials, 1U);
  return DevAddress >> 1 == sensor ? HAL_OK : HAL_ERROR;
}
uint32_t HAL_I2C_GetError(const I2C_HandleTypeDef* hi2c) { return hi2c->ErrorCode; }

void HAL_GPIO_Init(GPIO_TypeDef* GPIOx, GPIO_InitTypeDef* GPIO_Init) {
  EXPECT_EQ(GPIOx, &chip.port);
  EXPECT_EQ(GPIO_Init->Mode, GPIO_MODE_OUTPUT_OD);
}
GPIO_PinState HAL_GPIO_ReadPin(GPIO_TypeDef*, uint16_t GPIO_Pin) {
  const bool is_high = GPIO_Pin == GPIO_PIN_7 ? chip.lines.is_data_high() : chip.lines.is_clock_high();
  return is_high ? GPIO_PIN_SET : GPIO_PIN_RESET;
}
void HAL_GPIO_WritePin(GPIO_TypeDef*, uint16_t GPIO_Pin, GPIO_PinState PinState) {
  EXPECT_FALSE(chip.is_on) << "the pins belong to the controller";
  const bool is_low = PinState == GPIO_PIN_RESET;
  GPIO_Pin == GPIO_PIN_7 ? chip.lines.pull_data(is_low) : chip.lines.pull_clock(is_low);
}
}
