// SPDX-License-Identifier: Apache-2.0
// The device of the simulator: an application with every feature of MCP. Its responses name their client.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "mcp/server.hpp"

namespace sim {

/// What became of a call that is a job, as the device knows it.
struct Fate {
  std::uint32_t progress = 0;  // the last progress sent
  bool done = false;           // it has come to its result
  bool ended = false;          // it had to end
};

/// What changes on the device. A simulation begins with a fresh one.
struct Device {
  static constexpr std::size_t resource_count = 3;

  mcp::Server* server = nullptr;
  std::uint32_t values[resource_count] = {};
  bool enabled[3] = {true, true, true};               // the tool, resource and prompt that are switched
  std::uint32_t logged = 0;                           // number of messages so far; each contains its number
  std::uint32_t reads = 0;                            // of the streamed body: now and then it is not ready
  std::uint32_t fails_in = 0;                         // reads of it until one fails; 0: none does
  std::map<std::string, Fate, std::less<>> fates;     // by the tokens of the calls
  std::map<std::string, unsigned, std::less<>> runs;  // by the tokens: how often a call was executed
  bool runs_once = false;                             // no client sends a call again itself

  [[nodiscard]] Fate fate(std::string_view token) const {
    const auto found = fates.find(token);
    return found == fates.end() ? Fate() : found->second;
  }

  /// A resource has a new value.
  void change(std::size_t row);
  /// What is switched: 0 a tool, 1 a resource, 2 a prompt.
  void toggle(std::size_t what);
  /// A message with its own number and the name of the call that caused it. The name is empty for a message of the main
  /// loop.
  void log(std::string_view whose = {});
};

extern Device device;
extern const mcp::Definition application;

/// Bytes of the largest state of a job.
extern const std::size_t job_size;

/// Bytes of the body that is streamed, and what they are.
inline constexpr std::uint32_t large_size = 5000;
constexpr char large_byte(std::uint32_t offset) { return static_cast<char>('a' + (offset / 7 + offset) % 26); }

}  // namespace sim
