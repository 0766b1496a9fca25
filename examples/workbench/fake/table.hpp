// SPDX-License-Identifier: Apache-2.0
// A PC without hardware: fake pins, and a fake bus with an LM75 in a box, a BME280 and an EEPROM.
#pragma once

#include <mcp/devices/bme280.hpp>
#include <mcp/devices/lm75.hpp>
#include <mcp/workbench.hpp>

#include "workbench.hpp"

namespace device {

mcp::Pins& pins();
mcp::I2cBus& i2c();

}  // namespace device

namespace table {

using mcp::PinUse;

inline constexpr mcp::Eras eras = mcp::dual_era;
inline constexpr std::size_t receive_size = 2048;
inline constexpr std::size_t transmit_size = 6144;
inline constexpr bool tools_in_one_page = true;
inline constexpr std::size_t subscriptions = 2;  // of stateless clients

inline constexpr mcp::MeasureOptions each_second{.now = device::now, .interval_ms = 1000};
inline constinit mcp::Measured<mcp::Lm75, each_second> box{device::i2c, 0x48};
inline constinit mcp::Measured<mcp::Bme280, each_second> air{device::i2c, 0x76};

inline constexpr mcp::WorkbenchReading readings[] = {
    {.name = "box", .sensor = &box, .quantity = mcp::Lm75::temperature, .hold_from = 5, .hold_to = 60},
    {.name = "air", .sensor = &air, .quantity = mcp::Bme280::temperature},
    {.name = "air_pressure", .sensor = &air, .quantity = mcp::Bme280::pressure},
    {.name = "air_humidity", .sensor = &air, .quantity = mcp::Bme280::humidity}};

inline constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED",
     .number = 25,
     .uses = PinUse::output | PinUse::pwm,
     .rest = mcp::PinRest::low,
     .note = "LED on the board"},
    {.name = "HEATER",
     .number = 3,
     .uses = PinUse::output | PinUse::hold,
     .rest = mcp::PinRest::low,
     .note = "MOSFET of the heating mat in the box",
     .away_ms = 600'000,
     .rest_ms = 500,
     .budget = {.away_ms = 1'800'000, .window_ms = 3'600'000},
     .holds_alone = true},
    {.name = "LOCK",
     .number = 4,
     .uses = PinUse::output,
     .rest = mcp::PinRest::low,
     .note = "bolt of the door",
     .away_ms = 5000,
     .is_dangerous = true},
    {.name = "GP6", .number = 6, .uses = PinUse::input | PinUse::output | PinUse::pwm},
    {.name = "GP7", .number = 7, .uses = PinUse::input | PinUse::capture, .note = "wire to GP6"},
    {.name = "A0", .number = 26, .uses = PinUse::analog, .note = "potentiometer, 0 to 3.3 V"}};

inline constexpr mcp::I2cRule rules[] = {
    {.first = 0x50, .last = 0x57, .access = mcp::I2cAccess::read, .register_bytes = 1, .note = "EEPROM"}};

inline constexpr mcp::WorkbenchOptions options{.pins = pins,
                                               .chip = device::pins,
                                               .now = device::now,
                                               .i2c = device::i2c,
                                               .i2c_rules = rules,
                                               .readings = readings,
                                               .holds = 2,
                                               .watch_values = 60,
                                               .capture_edges = 64};

}  // namespace table
