// SPDX-License-Identifier: Apache-2.0
// The greenhouse as its main() sees it.
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

/// The longest message to a client, in bytes.
inline constexpr std::size_t transmit_size = 2048;

/// The facts about the server that an HTTP transport needs.
inline constexpr mcp::ServerShape shape{.sessions = sessions, .transmit_size = transmit_size};

extern const mcp::Server server;

/// Does what is due. Returns the milliseconds until the next call.
mcp::Millis poll(mcp::Millis now);

}  // namespace greenhouse
