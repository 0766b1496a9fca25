// SPDX-License-Identifier: Apache-2.0
/// @file
/// The services that a server gets from the application.
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

namespace mcp {

class Entropy;
class Hmac;
class Mailbox;
class WallClock;

/// Services of a server. Each may be nullptr, unless a row of a table needs it: then the Server does not compile, and
/// the error names the row. Ownership: the application. Lifetime: all of them must outlive the server.
struct Services {
  /// Random bytes for ids of tasks and for keys. Needed by tools that can be tasks, and by tools that send input
  /// requests to stateless clients.
  Entropy* entropy = nullptr;
  /// Dates of tasks. Without it, dates count from 1970, as if the device had been switched on then.
  WallClock* wall_clock = nullptr;
  /// Seals the state of a job, so that the state travels through a stateless client and the slot of the job is only
  /// reserved meanwhile. Needed by prompts with `.asks_itself`.
  Hmac* hmac = nullptr;
  /// Posts of other tasks and of interrupts, which the server takes in Server::poll(). Needed by JobContext::handle().
  const Mailbox* mailbox = nullptr;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
