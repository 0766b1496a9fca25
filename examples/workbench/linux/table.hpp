// SPDX-License-Identifier: Apache-2.0
// A board with Linux, such as a Raspberry Pi: the numbers of the pins are the offsets of their lines in the GPIO chip.
#pragma once

#include <mcp/devices/bme280.hpp>
#include <mcp/devices/lm75.hpp>
#include <mcp/workbench.hpp>

#include "devices.hpp"
#include "workbench.hpp"

namespace table {

using mcp::PinUse;

inline constexpr mcp::Eras eras = mcp::dual_era;
inline constexpr std::size_t receive_size = 4096;
inline constexpr std::size_t transmit_size = 8192;
inline constexpr bool tools_in_one_page = true;
inline constexpr std::size_t subscriptions = 2;  // of stateless clients

inline constexpr mcp::MeasureOptions each_second{.now = device::now};
inline constinit mcp::Measured<mcp::Bme280, each_second> bme280{device::i2c, 0x76};
inline constinit mcp::Measured<mcp::Lm75, each_second> lm75{device::i2c, 0x48};

inline constexpr mcp::WorkbenchReading readings[] = {
    {.name = "bme280_temperature", .sensor = &bme280, .quantity = mcp::Bme280::temperature, .hold_to = 60},
    {.name = "bme280_humidity", .sensor = &bme280, .quantity = mcp::Bme280::humidity},
    {.name = "bme280_pressure", .sensor = &bme280, .quantity = mcp::Bme280::pressure},
    {.name = "lm75_temperature", .sensor = &lm75, .quantity = mcp::Lm75::temperature, .hold_to = 60},
};

inline constexpr mcp::WorkbenchPin pins[] = {
    {.name = "GPIO17", .number = 17, .uses = PinUse::output, .rest = mcp::PinRest::low, .note = "for an LED"},
    {.name = "GPIO22",
     .number = 22,
     .uses = PinUse::output | PinUse::hold,
     .rest = mcp::PinRest::low,
     .note = "for a MOSFET or relay",
     .away_ms = 600'000,
     .rest_ms = 2'000,
     .budget = {.away_ms = 1'800'000, .window_ms = 3'600'000}},
    {.name = "GPIO23",
     .number = 23,
     .uses = PinUse::input | PinUse::capture,
     .pull = mcp::PinPull::up,
     .note = "for a button to ground"},
    {.name = "GPIO24", .number = 24, .uses = PinUse::input | PinUse::output | PinUse::capture, .note = "free"},
    {.name = "GPIO25", .number = 25, .uses = PinUse::input | PinUse::output | PinUse::capture, .note = "free"},
};

inline constexpr mcp::I2cRule i2c_rules[] = {
    {.first = 0x50, .last = 0x57, .access = mcp::I2cAccess::read, .register_bytes = 1, .note = "memory"}};

inline constexpr mcp::WorkbenchOptions options{.pins = pins,
                                               .chip = device::pins,
                                               .now = device::now,
                                               .i2c = device::i2c,
                                               .i2c_rules = i2c_rules,
                                               .readings = readings,
                                               .holds = 1,
                                               .watch_values = 512,
                                               .capture_edges = 256};

}  // namespace table
