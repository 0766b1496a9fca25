// SPDX-License-Identifier: Apache-2.0
// The greenhouse as its main() sees it, and what its topics tell the clients. Only greenhouse.cpp knows the tables.
#pragma once

#include <mcp/http_limits.hpp>
#include <mcp/server.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace greenhouse {

/// Clients at the same time: a wire has one.
#ifdef GREENHOUSE_SESSIONS
inline constexpr std::size_t sessions = GREENHOUSE_SESSIONS;
#else
inline constexpr std::size_t sessions = 1;
#endif

/// Whether a client sees the rows that its token does not allow.
#ifdef GREENHOUSE_HIDES
inline constexpr bool hides = true;
#else
inline constexpr bool hides = false;
#endif

/// The longest message to a client, in bytes.
inline constexpr std::size_t transmit_size = 2048;

/// The facts about the server that an HTTP transport needs.
inline constexpr mcp::ServerShape shape{.sessions = sessions, .transmit_size = transmit_size, .has_scopes = true};

extern const mcp::Server server;

/// Does what is due. Returns the milliseconds until the next call.
mcp::Millis poll(mcp::Millis now);

// ---- For the topics ----

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
