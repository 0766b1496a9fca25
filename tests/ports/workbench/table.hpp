// SPDX-License-Identifier: Apache-2.0
// The table of most tests of the workbench. The numbers of pins are those of the fake pins.
#pragma once

#include "ports/workbench/workbench_fixture.hpp"

namespace test {

using mcp::PinRest;
using mcp::PinUse;

inline bool is_lid_closed = true;
inline bool lid_closed() { return is_lid_closed; }
inline constexpr mcp::Interlock lid{.holds = lid_closed, .refusal = "The lid is open."};

inline constexpr std::size_t led = 1;
inline constexpr std::size_t heater = 2;
inline constexpr std::size_t fan = 3;
inline constexpr std::size_t relay = 4;
inline constexpr std::size_t gp6 = 6;
inline constexpr std::size_t laser = 8;
inline constexpr std::size_t valve = 9;

inline constexpr mcp::WorkbenchPin table_pins[] = {
    {.name = "LED", .number = led, .uses = PinUse::output | PinUse::pwm, .rest = PinRest::low, .note = "green"},
    {.name = "HEATER",
     .number = heater,
     .uses = PinUse::output | PinUse::hold | PinUse::pwm,
     .rest = PinRest::low,
     .note = "heating mat",
     .away_ms = 60'000,
     .budget = {.away_ms = 100'000, .window_ms = 400'000}},
    {.name = "FAN", .number = fan, .uses = PinUse::output | PinUse::pwm | PinUse::hold, .rest = PinRest::high},
    {.name = "RELAY", .number = relay, .uses = PinUse::output, .rest = PinRest::low, .rest_ms = 5000},
    {.name = "GP6", .number = gp6, .uses = PinUse::input | PinUse::output | PinUse::capture},
    {.name = "BUTTON", .number = 7, .uses = PinUse::input | PinUse::capture, .pull = mcp::PinPull::up},
    {.name = "LASER", .number = laser, .uses = PinUse::output, .rest = PinRest::low, .needs = lid},
    {.name = "VALVE", .number = valve, .uses = PinUse::hold, .rest = PinRest::low, .holds_alone = true},
    {.name = "A0", .number = 0, .uses = PinUse::analog, .note = "potentiometer"}};

inline constexpr mcp::I2cRule table_rules[] = {
    {.first = 0x50, .last = 0x57, .access = mcp::I2cAccess::read, .register_bytes = 1, .note = "calibration"},
    {.first = 0x20, .last = 0x20, .access = mcp::I2cAccess::read, .register_bytes = 0},
    {.first = 0x60, .last = 0x60, .access = mcp::I2cAccess::none, .note = "motor"}};

inline constexpr mcp::WorkbenchReading table_readings[] = {
    {.name = "room", .sensor = &room, .quantity = mcp::Lm75::temperature, .hold_from = 5, .hold_to = 60},
    {.name = "box", .sensor = &box, .quantity = mcp::Lm75::temperature},
    {.name = "cellar", .sensor = &cellar, .quantity = mcp::Lm75::temperature, .lost_ms = 3000}};

inline constexpr mcp::WorkbenchOptions table_options{.pins = table_pins,
                                                     .chip = pins,
                                                     .now = now,
                                                     .i2c = bus,
                                                     .i2c_rules = table_rules,
                                                     .readings = table_readings,
                                                     .holds = 2,
                                                     .hold_minutes = 600,
                                                     .watch_values = 6,
                                                     .capture_edges = 16,
                                                     .lease_ms = 120'000,
                                                     .clients = 2};

inline constinit mcp::Workbench<table_options> bench;
inline constexpr mcp::Definition definition{.name = "workbench",
                                            .version = "1",
                                            .tools = mcp::workbench_tools<bench>,
                                            .resources = mcp::workbench_resources<bench>,
                                            .audit = mcp::workbench_audit<bench>};

class WorkbenchOfTable : public WorkbenchTest<bench, definition> {
 protected:
  WorkbenchOfTable() { is_lid_closed = true; }
};

}  // namespace test
