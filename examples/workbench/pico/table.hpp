// SPDX-License-Identifier: Apache-2.0
// A Raspberry Pi Pico or Pico 2. ../README.md has the wiring. For pins and sensors of your own, change these tables.
#pragma once

#include <mcp/devices/bme280.hpp>
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sht4x.hpp>
#include <mcp/ports/pico.hpp>
#include <mcp/ports/pico_i2c.hpp>
#include <mcp/ports/pico_pins.hpp>
#include <mcp/workbench.hpp>

#include <hardware/i2c.h>

namespace table {

using mcp::PinPull;
using mcp::PinRest;
using mcp::PinUse;

inline constexpr mcp::Eras eras = mcp::dual_era;
inline constexpr std::size_t receive_size = 2048;
inline constexpr std::size_t transmit_size = 8192;
inline constexpr bool tools_in_one_page = true;
inline constexpr std::size_t subscriptions = 2;  // of stateless clients

// ---- The bus and its sensors ---------------------------------------------------------------------------------------

// SDA is GP4, and SCL is GP5.
inline mcp::I2cBus& bus() {
  static mcp::pico::I2c i2c{i2c0, 4, 5};
  return i2c;
}

// A sensor that is not connected costs nothing but a probe each second.
inline constexpr mcp::MeasureOptions each_second{.now = mcp::pico::millis};
inline constinit mcp::Measured<mcp::Bme280, each_second> bme280{bus, 0x76};
inline constinit mcp::Measured<mcp::Lm75, each_second> lm75{bus, 0x48};
inline constinit mcp::Measured<mcp::Sht4x, each_second> sht4x{bus, 0x44};

inline constexpr mcp::WorkbenchReading readings[] = {
    {.name = "bme280_temperature", .sensor = &bme280, .quantity = mcp::Bme280::temperature, .hold_to = 60},
    {.name = "bme280_humidity", .sensor = &bme280, .quantity = mcp::Bme280::humidity},
    {.name = "bme280_pressure", .sensor = &bme280, .quantity = mcp::Bme280::pressure},
    {.name = "lm75_temperature", .sensor = &lm75, .quantity = mcp::Lm75::temperature, .hold_to = 60},
    {.name = "sht4x_temperature", .sensor = &sht4x, .quantity = mcp::Sht4x::temperature, .hold_to = 60},
    {.name = "sht4x_humidity", .sensor = &sht4x, .quantity = mcp::Sht4x::humidity},
};

// Some of these devices have two bytes of address, and others one. One byte writes nothing to any of them.
inline constexpr mcp::I2cRule i2c_rules[] = {
    {.first = 0x50, .last = 0x57, .access = mcp::I2cAccess::read, .register_bytes = 1, .note = "memory"}};

// ---- The pins ------------------------------------------------------------------------------------------------------

inline constexpr PinUse any_signal = PinUse::input | PinUse::output | PinUse::pwm | PinUse::capture;

inline constexpr mcp::WorkbenchPin pins[] = {
#ifdef PICO_DEFAULT_LED_PIN  // that of Pico W is on its radio chip
    {.name = "LED",
     .number = PICO_DEFAULT_LED_PIN,
     .uses = PinUse::output | PinUse::pwm,
     .rest = PinRest::low,
     .note = "on the board"},
#endif
    {.name = "GP2", .number = 2, .uses = any_signal, .note = "free"},
    {.name = "GP3", .number = 3, .uses = any_signal, .note = "free"},
    {.name = "GP6", .number = 6, .uses = any_signal, .note = "free"},
    {.name = "GP7", .number = 7, .uses = any_signal, .note = "free"},
    {.name = "GP10",
     .number = 10,
     .uses = PinUse::input | PinUse::capture,
     .pull = PinPull::up,
     .note = "for a button to ground"},
    {.name = "GP14",
     .number = 14,
     .uses = PinUse::output | PinUse::hold,
     .rest = PinRest::low,
     .note = "for a MOSFET or relay; a hold continues without its client",
     .away_ms = 1'800'000,
     .budget = {.away_ms = 2'700'000, .window_ms = 3'600'000},
     .holds_alone = true},
    {.name = "GP15",
     .number = 15,
     .uses = PinUse::output | PinUse::hold,
     .rest = PinRest::low,
     .note = "for a MOSFET or relay",
     .away_ms = 600'000,
     .rest_ms = 2'000,
     .budget = {.away_ms = 1'800'000, .window_ms = 3'600'000}},
    {.name = "A0", .number = 26, .uses = PinUse::analog, .note = "GP26, 0 to 3.3 V"},
    {.name = "A1", .number = 27, .uses = PinUse::analog, .note = "GP27, 0 to 3.3 V"},
    {.name = "A2", .number = 28, .uses = PinUse::analog, .note = "GP28, 0 to 3.3 V"},
};

inline constexpr mcp::WorkbenchOptions options{.pins = pins,
                                               .chip = mcp::pico::pins,
                                               .now = mcp::pico::millis,
                                               .i2c = bus,
                                               .i2c_rules = i2c_rules,
                                               .readings = readings,
                                               .holds = 2,
                                               .hold_minutes = 240,
                                               .watch_values = 128,
                                               .capture_edges = 256,
                                               .lease_ms = 120'000};

}  // namespace table
