// SPDX-License-Identifier: Apache-2.0
/// @file
/// TCP on a PC: a listening socket and its connections. Only wait() blocks.
/// @code
/// mcp::posix::TcpConnection connections[4];  // as many as HttpLimits::connections
/// mcp::posix::TcpListener listener(connections, "127.0.0.1", 8080);
/// void run(mcp::HttpTransport& transport) {
///   while (listener.ok()) listener.wait(transport.poll(mcp::posix::now()));
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"
#include "mcp/ports/sockets.hpp"

namespace mcp::posix {

/// One connection of a TcpListener.
using TcpConnection = sockets::TcpConnection;

#if defined(__linux__) && !defined(MOTE_POSIX_POLL)
/// A listening socket for IPv4 or IPv6, which waits with epoll on Linux. On other systems, and in sources that are
/// compiled with `MOTE_POSIX_POLL`, it is sockets::TcpListener, which waits with poll(). Context: main loop.
class TcpListener final : public sockets::SocketListener {
 public:
  /// Listens on a numeric address ("127.0.0.1", "::1", "0.0.0.0") and a port (0: any free one). "::" means all IPv6 and
  /// IPv4 addresses of this machine. Limits: one of `connections` for each client at the same time. Lifetime:
  /// `connections` must outlive the listener. Errors: see ok().
  TcpListener(std::span<TcpConnection> connections, const char* address, std::uint16_t port);
  ~TcpListener();

  /// Blocks until an accept, read or write that returned `would_block` can continue, until a thread calls wake(), and
  /// at most `timeout_ms` milliseconds. It may return earlier. Call it in each turn of the main loop. Before that, the
  /// same call returns `would_block` again. Bytes that the program does not read end the wait only once. If the system
  /// has no file descriptor or memory for a call, wait() blocks for at most 100 ms before the next attempt.
  void wait(Millis timeout_ms);

 private:
  friend class TcpDialer;
  bool watch(int fd, TcpConnection* connection) override;

  int events_ = -1;
};
#else
/// A listening socket for IPv4 or IPv6, which waits with poll().
using TcpListener = sockets::TcpListener;
#endif

}  // namespace mcp::posix

#include <mcp/detail/epilogue.hpp>
