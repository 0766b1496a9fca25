// SPDX-License-Identifier: Apache-2.0
// The table of the workbench for the machine, whose GPIO chip has 8 lines without interrupts, with a short lease.
#pragma once

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
inline constinit mcp::Measured<mcp::Lm75, each_second> box{device::i2c, 0x48};
inline constexpr mcp::WorkbenchReading readings[] = {
    {.name = "box", .sensor = &box, .quantity = mcp::Lm75::temperature, .hold_to = 60}};

inline constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LAMP", .number = 0, .uses = PinUse::output, .rest = mcp::PinRest::low},
    {.name = "HEATER", .number = 1, .uses = PinUse::output | PinUse::hold, .rest = mcp::PinRest::low},
    {.name = "DOOR", .number = 3, .uses = PinUse::input},
    {.name = "NONE", .number = 9, .uses = PinUse::output, .rest = mcp::PinRest::low}};

inline constexpr mcp::I2cRule rules[] = {
    {.first = 0x50, .last = 0x57, .access = mcp::I2cAccess::read, .register_bytes = 1, .note = "memory"}};

inline constexpr mcp::WorkbenchOptions options{.pins = pins,
                                               .chip = device::pins,
                                               .now = device::now,
                                               .i2c = device::i2c,
                                               .i2c_rules = rules,
                                               .readings = readings,
                                               .holds = 1,
                                               .watch_values = 16,
                                               .lease_ms = 5'000};

}  // namespace table
