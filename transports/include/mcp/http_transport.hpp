// SPDX-License-Identifier: Apache-2.0
/// @file
/// Streamable HTTP over HTTP/1.1, with responses as JSON or as server-sent events.
/// Source: basic/transports#streamable-http, 2025-11-25; basic/transports/streamable-http, 2026-07-28.
/// @code
/// constexpr mcp::Definition definition{.name = "lamp", .version = "1.0.0"};
/// constinit mcp::Storage<definition, mcp::Limits{.sessions = 4}> storage;
/// constexpr mcp::HttpLimits http_limits{.connections = 8};
/// constinit mcp::HttpStorage<storage, http_limits> http_storage;
/// constexpr mcp::HttpOptions options{.path = "/mcp"};  // clients use an IP address; for a name, set .hosts
/// void run(const mcp::Server& server, mcp::Listener& listener, mcp::Entropy& entropy) {
///   mcp::HttpTransport transport{server, listener, entropy, http_storage, options};
///   for (;;) board::wait_for_event(transport.poll(board::millis()));
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>

#include "mcp/http/endpoint.hpp"
#include "mcp/http/exchange.hpp"
#include "mcp/http/http_link.hpp"
#include "mcp/http/request_head.hpp"
#include "mcp/http_access.hpp"
#include "mcp/http_limits.hpp"
#include "mcp/memory/record_ring.hpp"
#include "mcp/port.hpp"
#include "mcp/transport.hpp"

namespace mcp {

/// The memory of one endpoint: `constinit mcp::HttpStorage<storage, http_limits> http_storage;`. `server_storage` is
/// the Storage of the server, or its ServerShape. Lifetime: static. Starts as zero. RAM: 64 bytes for each session (72
/// if a row has a scope), and the memory of HttpLimits.
template <const auto& server_storage, HttpLimits H = HttpLimits{}>
class HttpStorage {
  static constexpr ServerShape shape = detail::shape_of(server_storage);

 public:
  static_assert(shape.sessions >= 2 || !shape.eras.legacy() || !shape.eras.modern(),
                "Limits::sessions is at least 2 for a server of both eras over HTTP: stateless requests share one");
  static_assert(!shape.has_setup_tools,
                "tools that set settings are served over a UART or stdio alone, never over HTTP");
  static_assert(H.connections >= 1 && H.connections <= 254, "HttpLimits::connections is 1 to 254");
  static_assert(H.detached <= 65'000, "HttpLimits::detached is at most 65,000");
  static_assert(H.head_size >= 128 && H.head_size <= http::RequestHeadReader::max_size,
                "HttpLimits::head_size is 128 to 65535");
  static_assert(H.token_size <= shape.transmit_size && H.head_size + H.token_size <= http::RequestHeadReader::max_size,
                "HttpLimits::token_size is at most Limits::transmit_size, and 65535 with head_size");
  static_assert(H.min_rate >= 1, "HttpLimits::min_rate is at least 1");
  static_assert(H.replay_size <= 0xFFFF, "HttpLimits::replay_size is 0 to 65535");
  static_assert(H.resumable || H.replay_size == 0, "HttpLimits::replay_size needs HttpLimits::resumable");
  static_assert(H.request_timeout_ms <= 0x7FFFFFFF, "HttpLimits::request_timeout_ms is below 2^31");
  static_assert(H.idle_timeout_ms <= 0x7FFFFFFF, "HttpLimits::idle_timeout_ms is below 2^31");
  static_assert(H.evict_idle_after_ms <= 0x7FFFFFFF, "HttpLimits::evict_idle_after_ms is below 2^31");
  static_assert(H.comment_interval_ms >= 1 && H.comment_interval_ms <= 0x7FFFFFFF,
                "HttpLimits::comment_interval_ms is 1 to 2^31 - 1");
  static_assert(H.grace_ms <= 0x7FFFFFFF, "HttpLimits::grace_ms is below 2^31");

  /// For the transport.
  constexpr http::HttpStorageView view() {
    return {.exchanges = http::Exchanges(exchanges_),
            .sessions = sessions_.entries,
            .ready = ready_,
            .buffers = buffers_,
            .connections = H.connections,
            .token_size = H.token_size,
            .head_size = H.head_size,
            .tx_buffer_size = tx_buffer_size,
            .detached = detached_.span(),
            .replay = replay_.span(),
            .replay_state = &replay_state_,
            .request_timeout_ms = H.request_timeout_ms,
            .idle_timeout_ms = H.idle_timeout_ms,
            .evict_idle_after_ms = H.evict_idle_after_ms,
            .comment_interval_ms = H.comment_interval_ms,
            .grace_ms = H.grace_ms,
            .min_rate = H.min_rate};
  }

 private:
  static constexpr std::size_t tx_buffer_size = http::frame_size + shape.transmit_size + http::tail_size;

  http::Exchange exchanges_[H.connections] = {};
  detail::Items<http::EventStream, shape.eras.legacy() ? H.detached : 0> detached_ = {};
  http::SessionMemory<shape.sessions, shape.has_scopes> sessions_ = {};
  bool ready_[H.connections] = {};
  char buffers_[H.connections * (H.head_size + tx_buffer_size)] = {};
  detail::Items<char, shape.eras.legacy() ? H.replay_size : 0> replay_ = {};
  memory::RecordRing::State replay_state_ = {};
};

/// Serves HTTP clients of all revisions that the Definition supports. Limits: one per server. Context: main loop; never
/// blocks.
class HttpTransport {
 public:
  /// All arguments must outlive the transport. `the_entropy` makes session ids. `the_options` are read with each
  /// request. Hosts and origins may change between two polls, the other members may not.
  template <const auto& server_storage, HttpLimits H>
  constexpr HttpTransport(const Server& the_server, Listener& the_listener, Entropy& the_entropy,
                          HttpStorage<server_storage, H>& the_storage, const HttpOptions& the_options)
      : endpoint_{.server = &the_server,  // with `server`, -Wshadow would warn about a variable of the application
                  .listener = &the_listener,
                  .entropy = &the_entropy,
                  .options = &the_options,
                  .links = http::link<server_storage, H>(the_options),
                  .storage = the_storage.view()} {}
  /// Rejects a temporary, such as `{}`, because it would end before the first request.
  template <const auto& server_storage, HttpLimits H>
  HttpTransport(const Server&, Listener&, Entropy&, HttpStorage<server_storage, H>&, const HttpOptions&&) = delete;

  /// Does all pending work. Returns the time in milliseconds until the next call, if no network event comes first; 0 if
  /// there is more work.
  [[nodiscard]] Millis poll(Millis now);

  /// Returns whether a request is being received or a response is unsent. A main loop that sleeps for a fixed time
  /// between two rounds calls poll() without a pause while this is true. A call that waits, such as a job between two
  /// steps, and a stream without an event are no work. Context: main loop.
  [[nodiscard]] bool has_work() const;

  /// Ends everything that a client with this principal (Grant::principal) uses. This includes its sessions with their
  /// jobs, tasks and streams. It also includes its stateless calls, subscriptions and tasks, and the connections of its
  /// requests. Jobs get their last step, and results of tasks are deleted. Sends no responses. Call it after the client
  /// has lost its access. Context: not while a poll() of this transport runs.
  void end_principal(std::uint64_t principal);

 private:
  http::Endpoint endpoint_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
