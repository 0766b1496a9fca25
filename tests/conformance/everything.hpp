// The server of everything.cpp, and what it needs of the thing it runs on: main_posix.cpp, device_lm3s6965evb.cpp.
#pragma once

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

/// Clients at the same time, and the longest message to them in bytes: of use to a transport. Calls at the same time.
#ifdef MOTE_MANY_SESSIONS
inline constexpr std::size_t sessions = 40;  // the official suite leaves its sessions behind
#else
inline constexpr std::size_t sessions = 2;
#endif
#ifdef MOTE_LARGE_WINDOW
inline constexpr std::size_t window_size = 4096;  // the official suite looks at the first page of the tools alone
inline constexpr std::size_t jobs = 12;           // and leaves its tasks behind, too
inline constexpr std::size_t tasks = 60;
#else
inline constexpr std::size_t window_size = 1280;
inline constexpr std::size_t jobs = 2;
inline constexpr std::size_t tasks = 2;
#endif

extern mcp::Server server;

}  // namespace everything
