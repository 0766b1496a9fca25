// SPDX-License-Identifier: Apache-2.0
// The hardware of the greenhouse: sensors, valves, a pump and a tank. plant.cpp is a model, so that the example runs on
// each board and on a PC. In your greenhouse, this file is the interface of your drivers.
#pragma once

#include <mcp/port.hpp>

#include <cstddef>
#include <cstdint>

namespace plant {

inline constexpr std::size_t beds = 4;
inline constexpr std::int32_t tank_liters = 40;

/// Lets time pass. Returns the milliseconds until the next call.
mcp::Millis advance(mcp::Millis now);

/// Moisture of the soil in percent. `bed`: 0 to beds - 1.
std::int32_t moisture(std::size_t bed);
/// pH of the soil in tenths.
std::int32_t acidity(std::size_t bed);
/// Hundredths of a degree Celsius.
std::int32_t temperature();
/// Heats while it is colder than this, or never.
void heat_below(std::int32_t hundredths);
inline constexpr std::int32_t never = -10'000;
/// Relative humidity of the air in percent.
std::int32_t humidity();
/// Water in the tank in milliliters.
std::int32_t tank();
/// Fills or drains the tank to this level.
void fill_tank(std::int32_t liters);

/// Temperature probes on the 1-Wire bus, in tenths of a degree. False if there is none with this number.
inline constexpr std::uint16_t most_probes = 4;
bool read_probe(std::uint16_t number, std::int32_t& tenths);
/// Looks for probes. Returns the number of new ones.
std::uint16_t search_probes();

/// Dosing pumps on the RS-485 bus, each with a bottle of fertilizer.
inline constexpr std::uint16_t most_dosing_pumps = 3;
bool has_dosing_pump(std::uint16_t number);
/// Pumps fertilizer into the tank. Returns the milliliters, which are fewer if the bottle becomes empty.
std::int32_t dose(std::uint16_t number, std::int32_t milliliters);
/// Looks for dosing pumps. Returns the number of new ones.
std::uint16_t search_dosing_pumps();

bool is_open(std::size_t bed);
void open_valve(std::size_t bed, bool open);
bool pump_runs();
void run_pump(bool on);

}  // namespace plant
