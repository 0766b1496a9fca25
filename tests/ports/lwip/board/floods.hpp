// SPDX-License-Identifier: Apache-2.0
// Floods of TCP and ARP frames at a board, with honest clients beside them. All times are of the board's clock.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/port.hpp"

namespace test {

struct FloodOptions {
  std::string_view kind = "syn-flood";  // a name of floods()
  unsigned rate = 600;                  // frames or, of clients that stall, connections per second
  unsigned delay_ms = 20;               // between a frame and its answer, for honest clients and those that stall
  unsigned clients = 8;                 // honest, one after the other
  unsigned seed = 1;
};

struct FloodResult {
  bool is_listening = false;
  unsigned served = 0;
  unsigned resets = 0;           // of honest clients
  mcp::Millis worst_ms = 0;      // of a client that was served
  bool is_served_after = false;  // a client that connects when the flood has ended, within 1 s
  unsigned sent = 0;             // frames of the flood
  std::string said;              // by the board
};

/// All kinds of floods.
[[nodiscard]] std::span<const std::string_view> floods();

/// `command` is EMULATE BOARD IMAGE. The board has 62.5 million instructions per second.
[[nodiscard]] FloodResult run_flood(const std::vector<std::string>& command, const FloodOptions& options);

}  // namespace test
