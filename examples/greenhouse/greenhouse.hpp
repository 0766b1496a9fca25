// SPDX-License-Identifier: Apache-2.0
// What the topics of the greenhouse tell the clients. Only greenhouse.cpp knows the tables.
#pragma once

#include <mcp/server.hpp>

#include <cstdint>
#include <string_view>

namespace greenhouse {

/// What has changed: any bed, the schedule, or the side of a threshold on which the temperature is.
enum class Change : std::uint8_t { beds, schedule, temperature };

void notify(Change change);

/// Notifies the subscribers of this bed, 1 to 4, and of all beds.
void bed_changed(std::uint8_t bed);

/// There are other probes than before.
void probes_changed();

/// There are other dosing pumps than before.
void dosing_pumps_changed();

/// Logs an event to the clients that want it. `bed`: 0 for none.
void log(mcp::LogLevel level, std::string_view event, std::uint8_t bed);

}  // namespace greenhouse
