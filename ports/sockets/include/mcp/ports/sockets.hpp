// SPDX-License-Identifier: Apache-2.0
/// @file
/// TCP over BSD sockets and poll(), as POSIX systems, lwIP, ESP-IDF and Zephyr have them. Only wait() blocks.
/// @code
/// mcp::sockets::TcpConnection connections[4];  // as many as HttpLimits::connections
/// mcp::sockets::TcpListener listener(connections, "0.0.0.0", 80);
/// void run(mcp::HttpTransport& transport) {
///   while (listener.ok()) listener.wait(transport.poll(board::millis()));
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"

namespace mcp::sockets {

struct PollEntries;

/// One connection of a listener. Its peer() is the IPv4 address, or the first 64 bits of the IPv6 address. One host may
/// use all 2^64 addresses of an IPv6 network. Context: main loop; never blocks.
class TcpConnection final : public Connection {
 private:
  friend class SocketDialer;
  friend class SocketListener;
  friend class TcpListener;
  // Replaces the socket of a used connection of a dialer that has none.
  static constexpr int no_socket = -2;
  // The time of the next attempt after a call that would block: at once, after an event of the socket, or later.
  // `later` is a short time, because the system lacked memory and does not report when it has some.
  enum class Retry : std::uint8_t { now, after_event, later };

  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;
  void do_finish() override;
  void do_close() override;
  std::uint64_t do_peer() const override { return peer_; }
  // The events that its user waits for, and the events that poll() has reported.
  [[nodiscard]] int poll_events() const;
  void note_poll(int events);
  void set_read(Retry retry);
  // Returns Retry::later, and sets the flag of the listener for such calls.
  Retry later();

  bool* has_later_ = nullptr;  // of the listener
  std::uint64_t peer_ = 0;
  int fd_ = -1;
  Retry read_ = Retry::now;
  Retry write_ = Retry::now;
  bool ended_ = false;  // the client has half-closed the connection
};

/// The common part of all listeners of BSD sockets: a listening socket and its connections. Context: main loop.
class SocketListener : public Listener {
 public:
  SocketListener(const SocketListener&) = delete;
  SocketListener& operator=(const SocketListener&) = delete;

  /// Returns false if the listener cannot listen. After the constructor, `errno` has the reason: EADDRINUSE, EACCES,
  /// EADDRNOTAVAIL, or EINVAL for an invalid address.
  [[nodiscard]] bool ok() const { return fd_ >= 0; }
  /// Returns the port.
  [[nodiscard]] std::uint16_t port() const { return port_; }

  /// Prepares wake(). It opens a UDP socket that is connected to itself. This takes one socket of the system, and needs
  /// its loopback interface (lwIP: LWIP_NETIF_LOOPBACK, Zephyr: CONFIG_NET_LOOPBACK). The first wait() after it returns
  /// at once. Call it before another task calls wake(). Errors: returns false, and `errno` has the reason.
  [[nodiscard]] bool enable_wake();
  /// Ends the current or the next wait(). Without enable_wake() it has no effect. Context: any task, but no interrupt;
  /// never blocks. With an lwIP that has no LWIP_NETCONN_SEM_PER_THREAD, only one task at a time may call it.
  void wake() const;

 protected:
  /// Opens the listening socket, as the constructor of TcpListener.
  SocketListener(std::span<TcpConnection> connections, const char* address, std::uint16_t port);
  /// Closes all sockets.
  ~SocketListener();

  /// Closes the listening socket, and keeps `errno`. ok() returns false afterwards.
  void stop();
  /// Returns the listening socket.
  [[nodiscard]] int socket() const { return fd_; }
  /// Returns `timeout_ms` for poll(), or less if a call must be tried again earlier.
  [[nodiscard]] int timeout_of(Millis timeout_ms) const;
  /// Allows calls that lacked memory to be tried again. Reads the remaining bytes of wake().
  void retry();
  /// Stores that a client waits, or that a task has called wake().
  void note_event();
  /// Stores that `connection` can read, can write, or that its client has half-closed it.
  static void note_event(TcpConnection& connection, bool reads, bool writes, bool ended);

 private:
  friend class SocketDialer;
  friend class TcpDialer;
  friend class TcpListener;
  using Retry = TcpConnection::Retry;

  // All virtual functions are inline, so that a program with RTTI has the type information of this class and its
  // derived classes. The library is compiled without RTTI.
  Connection* do_accept() override { return accept_next(); }
  bool do_has_waiting() override { return has_client(); }
  // Begins to wait for events of the socket of a new connection, or of the socket for wake() if `connection` is
  // nullptr. Errors: returns false, and `errno` has the reason.
  virtual bool watch(int, TcpConnection*) { return true; }
  Connection* accept_next();
  bool has_client();

  std::span<TcpConnection> connections_;
  int fd_ = -1;
  int wake_fd_ = -1;
  std::uint16_t port_ = 0;
  Retry accept_ = Retry::now;
  bool has_later_ = false;  // a connection may have a call with Retry::later
  bool has_wakes_ = false;  // maybe more bytes of wake(), for which epoll reports no further event
};

/// A listening socket for IPv4 or IPv6, which waits with poll(). Context: main loop.
class TcpListener final : public SocketListener {
 public:
  /// The maximum of connections of one listener. It does not use more.
  static constexpr std::size_t most_connections = 254;

  /// Listens on a numeric address ("127.0.0.1", "::1", "0.0.0.0") and a port (0: any free one). "::" means all IPv6 and
  /// IPv4 addresses of this device, on a system with IPv6. Limits: one of `connections` for each client at the same
  /// time. The system needs one socket for each and one more, and poll() must take two more (Zephyr:
  /// CONFIG_ZVFS_POLL_MAX). Lifetime: `connections` must outlive the listener. Errors: see ok().
  TcpListener(std::span<TcpConnection> connections, const char* address, std::uint16_t port);

  /// Blocks until an accept, read or write that returned `would_block` can continue, until a task calls wake(), and at
  /// most `timeout_ms` milliseconds. It may return earlier. Call it in each turn of the main loop. Before that, the
  /// same call returns `would_block` again. Bytes that the program does not read end the wait only once. If the system
  /// has no socket or memory for a call, wait() blocks for at most 100 ms, and the call is then tried again. Limits:
  /// stack of 8 bytes for each of 8, 32 or 256 sockets, the smallest sufficient number.
  void wait(Millis timeout_ms);

 private:
  friend class TcpDialer;
  template <std::size_t most>
  void wait_for(Millis timeout_ms);
  void wait_with(PollEntries entries, Millis timeout_ms);
  void add_to(PollEntries& entries) const;
  void note(PollEntries& entries);
};

}  // namespace mcp::sockets

#include <mcp/detail/epilogue.hpp>
