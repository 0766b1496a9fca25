// SPDX-License-Identifier: Apache-2.0
// What the topics tell the clients, without the server: greenhouse.cpp knows the tables.
#pragma once

#include <mcp/server.hpp>

#include <cstddef>
#include <string_view>

namespace greenhouse {

/// The beds, the schedule, or the temperature has crossed a threshold.
enum class Change : std::size_t { beds, schedule, temperature };

void notify(Change change);

/// Logs to the clients that want it.
void log(mcp::LogLevel level, std::string_view logger, std::string_view text);

}  // namespace greenhouse
