// SPDX-License-Identifier: Apache-2.0
// The greenhouse as its main() sees it. Only greenhouse.cpp and main() depend on the number of clients.
#pragma once

#include <mcp/http_limits.hpp>
#include <mcp/server.hpp>

#include <cstddef>

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

}  // namespace greenhouse
