// SPDX-License-Identifier: Apache-2.0
/// @file
/// TCP on a PC: a listening socket and its connections. No call except wait() blocks.
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

namespace mcp::posix {

/// One connection of a TcpListener. Its peer() is the IPv4 address, or the first 64 bits of the IPv6 address. One host
/// may use all 2^64 addresses of an IPv6 network, and could otherwise be any number of peers. Context: main loop; never
/// blocks.
class TcpConnection final : public Connection {
 private:
  friend class TcpListener;
  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;
  void do_finish() override;
  void do_close() override;
  std::uint64_t do_peer() const override { return peer_; }

  std::uint64_t peer_ = 0;
  int fd_ = -1;
  bool read_blocked_ = false;
  bool write_blocked_ = false;
  bool ended_ = false;  // the client sends nothing more
};

/// A listening socket for IPv4 or IPv6. Context: main loop.
class TcpListener final : public Listener {
 public:
  /// Listens on a numeric address ("127.0.0.1", "::1", "0.0.0.0") and a port (0: any free one). "::" means all
  /// addresses of this machine, also those of IPv4. Limits: one of `connections` for each client at the same time.
  /// Lifetime: `connections` must outlive the listener. Errors: see ok().
  TcpListener(std::span<TcpConnection> connections, const char* address, std::uint16_t port);
  ~TcpListener();
  TcpListener(const TcpListener&) = delete;
  TcpListener& operator=(const TcpListener&) = delete;

  /// Returns false if the listener cannot listen. After the constructor, `errno` has the reason: EADDRINUSE, EACCES,
  /// EADDRNOTAVAIL, or EINVAL for an invalid address.
  [[nodiscard]] bool ok() const { return fd_ >= 0; }
  /// Returns the port.
  [[nodiscard]] std::uint16_t port() const { return port_; }

  /// Blocks until an accept, read or write that returned `would_block` can continue, and at most `timeout_ms`
  /// milliseconds. Call it in each turn of the main loop: before that, the same call returns `would_block` again. Bytes
  /// that the program does not read end the wait only once. If the system has no file descriptor or memory for a
  /// connection, it blocks for at most 100 ms, and then tries again.
  void wait(Millis timeout_ms);

 private:
  Connection* do_accept() override;
  bool do_has_waiting() override;
  bool watch(int fd, TcpConnection* connection) const;

  std::span<TcpConnection> connections_;
  int fd_ = -1;
  int events_ = -1;
  std::uint16_t port_ = 0;
  bool accept_blocked_ = false;
  bool exhausted_ = false;  // a client waits, and the system has nothing left for it
};

}  // namespace mcp::posix

#include <mcp/detail/epilogue.hpp>
