// SPDX-License-Identifier: Apache-2.0
// The server of small.cpp.
#pragma once

#include <mcp/http_limits.hpp>
#include <mcp/server.hpp>

#include <cstddef>

namespace small {

inline constexpr std::size_t sessions = 2;  // one for all requests without a session
inline constexpr std::size_t transmit_size = 1024;

inline constexpr mcp::ServerShape shape{.sessions = sessions, .transmit_size = transmit_size};

extern const mcp::Server server;

}  // namespace small
