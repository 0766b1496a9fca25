// SPDX-License-Identifier: Apache-2.0
// The LM3S6965EVB. PD3 to PD6 and ADC0 are on its header, and I2C0 is PB2 and PB3.
#pragma once

#include <mcp/devices/bme280.hpp>
#include <mcp/devices/lm75.hpp>
#include <mcp/ports/lm3s6965evb.hpp>
#include <mcp/workbench.hpp>

namespace table {

using mcp::PinUse;

// The chip has no random source, which input requests to stateless clients need.
inline constexpr mcp::Eras eras = mcp::legacy_era;
// A request of a host has at most 764 bytes, and 1,040 bytes through toolchains/attach.
inline constexpr std::size_t receive_size = 1088;
inline constexpr std::size_t transmit_size = 1024;
inline constexpr bool tools_in_one_page = false;
inline constexpr std::size_t subscriptions = 0;  // of stateless clients

inline constexpr mcp::MeasureOptions each_second{.now = board::millis, .interval_ms = 1000};
inline constinit mcp::Measured<mcp::Tmp105, each_second> room{board::i2c0, 0x48};
inline constinit mcp::Measured<mcp::Bme280, each_second> air{board::i2c0, 0x76};

inline constexpr mcp::WorkbenchReading readings[] = {
    {.name = "room", .sensor = &room, .quantity = mcp::Tmp105::temperature, .hold_from = 5, .hold_to = 60},
    {.name = "air", .sensor = &air, .quantity = mcp::Bme280::temperature, .hold_from = 5, .hold_to = 60},
    {.name = "air_pressure", .sensor = &air, .quantity = mcp::Bme280::pressure},
    {.name = "air_humidity", .sensor = &air, .quantity = mcp::Bme280::humidity}};

inline constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED",
     .number = 40,
     .uses = PinUse::output | PinUse::pwm,
     .rest = mcp::PinRest::low,
     .note = "LED on the board"},
    {.name = "HEATER",
     .number = 27,
     .uses = PinUse::output | PinUse::hold,
     .rest = mcp::PinRest::low,
     .note = "relay of a heating mat",
     .away_ms = 600'000,
     .rest_ms = 500,
     .budget = {.away_ms = 1'800'000, .window_ms = 3'600'000},
     .is_dangerous = true,
     .holds_alone = true},
    {.name = "FAN",
     .number = 28,
     .uses = PinUse::output | PinUse::pwm | PinUse::hold,
     .rest = mcp::PinRest::low,
     .note = "MOSFET of a fan"},
    {.name = "PD5", .number = 29, .uses = PinUse::input | PinUse::output | PinUse::capture},
    {.name = "PD6", .number = 30, .uses = PinUse::input | PinUse::output | PinUse::capture},
    {.name = "BUTTON",
     .number = 41,
     .uses = PinUse::input | PinUse::capture,
     .pull = mcp::PinPull::up,
     .note = "SELECT, low if pressed"},
    {.name = "A0", .number = 0, .uses = PinUse::analog, .note = "ADC0, 0 to 3 V"}};

inline constexpr mcp::I2cRule rules[] = {
    {.first = 0x50, .last = 0x57, .access = mcp::I2cAccess::read, .register_bytes = 1, .note = "EEPROM"}};

inline constexpr mcp::WorkbenchOptions options{.pins = pins,
                                               .chip = board::pins,
                                               .now = board::millis,
                                               .i2c = board::i2c0,
                                               .i2c_rules = rules,
                                               .readings = readings,
                                               .holds = 2,
                                               .watch_values = 12,
                                               .capture_edges = 32};

}  // namespace table
