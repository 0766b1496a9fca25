// SPDX-License-Identifier: Apache-2.0
/// @file
/// The services that an application provides to a server.
/// @code
/// class Random : public mcp::Entropy {
///   bool do_fill(std::span<std::uint8_t> into) override { return board::fill_random(into); }
/// };
/// constexpr mcp::Definition definition{.name = "lamp", .version = "1.0.0"};
/// constinit mcp::Storage<definition> storage;
/// constinit Random entropy;
/// constinit const mcp::Server server{storage, {.entropy = &entropy}};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>

namespace mcp {

class Entropy;
class Hmac;
class Mailbox;
class WallClock;

/// Services of a server. Each may be nullptr, unless a row of a table needs it. Without a needed service, the Server
/// does not compile, and the error names the row. Ownership: the application. Lifetime: all of them must outlive the
/// server.
struct Services {
  /// Random bytes for ids of tasks and for keys. Needed by tools that can be tasks, and by tools that send input
  /// requests, unless Definition::eras is legacy_era. While its fill() fails, stateless clients get no input requests
  /// (Outcome::unsupported).
  Entropy* entropy = nullptr;
  /// Dates of tasks. Without a clock, dates count from 1970 at the start of the device.
  WallClock* wall_clock = nullptr;
  /// Seals the state of a job, so that the state travels through a stateless client. Meanwhile, the slot of the job is
  /// only reserved. Needed by prompts with `.asks_itself`.
  Hmac* hmac = nullptr;
  /// Posts of other tasks and of interrupts, which the server takes in Server::poll(). Needed by JobContext::handle().
  const Mailbox* mailbox = nullptr;
  /// Returns the boot id, a number that differs after each reset, such as `board::boot_id` or 32 random bits. A
  /// StdioTransport then begins with a line that marks the boot, and the results of initialize and server/discover have
  /// the number in `_meta`, as `mote/boot`. So clients notice that the device has lost their sessions. The server keeps
  /// the first number that is not 0. 0 means that there is no boot id. Context: main loop.
  std::uint32_t (*boot_id)() = nullptr;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
