// SPDX-License-Identifier: Apache-2.0
/// @file
/// TCP connections to servers on a PC, also by the name of the server. Only wait() blocks.
/// @code
/// mcp::posix::DialedConnection connections[1];
/// mcp::posix::TcpDialer dialer(connections);
/// mcp::Connection* connect() { return dialer.dial("broker.local", 1883); }
/// void idle(mcp::Millis due_ms) { dialer.wait(due_ms); }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <span>

#include "mcp/port.hpp"
#include "mcp/ports/posix_tcp.hpp"
#include "mcp/ports/sockets_dialer.hpp"

namespace mcp::posix {

/// One connection of a TcpDialer.
using DialedConnection = sockets::DialedConnection;

/// Returns the look-up of names by threads. Each getaddrinfo() runs in its own thread. The threads block all signals.
/// Limits: at most 8 threads, also for connections that were closed during their look-up. A further connection fails
/// with DialProblem::no_memory. Context: any; never blocks.
[[nodiscard]] sockets::Resolver& names();

#if defined(__linux__) && !defined(MOTE_POSIX_POLL)
/// Connects to servers with IPv4 and IPv6, by name or address. It waits with poll(), also for a listener that waits
/// with epoll. Otherwise it is sockets::TcpDialer with names(). Context: main loop.
class TcpDialer final : public sockets::SocketDialer {
 public:
  /// With `listener`, wait() waits for both objects. Call it instead of wait() of the listener. wake() of either object
  /// ends it. Limits: one of `connections` for each connection at the same time, at most `most_connections`. Lifetime:
  /// the arguments must outlive the dialer.
  explicit TcpDialer(std::span<DialedConnection> connections, TcpListener* listener = nullptr)
      : SocketDialer(connections, &names()), listener_(listener) {}

  /// Blocks for at most `timeout_ms` milliseconds. It ends earlier if a read or write that returned `would_block` can
  /// continue, if a connection is connected or has failed, or if a thread calls wake(). It may return earlier. Call it
  /// in each turn of the main loop. Unfinished connections continue in it, and before that, the same call returns
  /// `would_block` again.
  void wait(Millis timeout_ms);

 private:
  TcpListener* listener_;
};
#else
// The library has the other class, so the linker names of the two classes differ.
inline namespace with_poll {
/// Connects to servers with IPv4 and IPv6, by name or address. It is sockets::TcpDialer with names().
class TcpDialer final : public sockets::TcpDialer {
 public:
  /// With `listener`, wait() waits for both.
  explicit TcpDialer(std::span<DialedConnection> connections, TcpListener* listener = nullptr)
      : sockets::TcpDialer(connections, &names(), listener) {}
};
}  // namespace with_poll
#endif

}  // namespace mcp::posix

#include <mcp/detail/epilogue.hpp>
