// SPDX-License-Identifier: Apache-2.0
// The server of everything.cpp, and the functions that it needs from its platform: main_posix.cpp, device_board.cpp.
#pragma once

#include <mcp/http_limits.hpp>
#include <mcp/server.hpp>

#include <cstdint>
#include <span>

namespace everything {

/// Random bytes for the ids of tasks.
class Entropy final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t> into) override;
};

/// The time of day, for the dates of tasks.
class WallClock final : public mcp::WallClock {
  std::uint64_t do_utc_ms() override;
};

// Clients over HTTP on a PC at the same time.
#ifndef MOTE_CONNECTIONS
#define MOTE_CONNECTIONS 16
#endif
/// Clients at the same time, and the longest message to them in bytes: of use to a transport. Calls, tasks and streams
/// of news at the same time.
#ifdef MOTE_MANY_SESSIONS
inline constexpr std::size_t sessions = 24 + MOTE_CONNECTIONS;  // the official suite does not end its sessions
inline constexpr std::size_t subscriptions = 4;                 // and its streams open
inline constexpr std::size_t jobs = 6;
inline constexpr std::size_t tasks = 6;
#else
inline constexpr std::size_t sessions = 2;
inline constexpr std::size_t subscriptions = 2;
inline constexpr std::size_t jobs = 2;
inline constexpr std::size_t tasks = 2;
#endif
#ifdef MOTE_LARGE_WINDOW
inline constexpr std::size_t transmit_size = 4096;
#elif defined(MOTE_MANY_SESSIONS)
inline constexpr std::size_t transmit_size = 1408;  // for the first page of the tools, which the suite looks at alone
#else
inline constexpr std::size_t transmit_size = 1280;
#endif

/// What a transport over HTTP must know of the server.
inline constexpr mcp::ServerShape shape{.sessions = sessions, .transmit_size = transmit_size};

extern const mcp::Server server;

}  // namespace everything
