// TCP on a PC: a listening socket and its connections, none of which blocks. Knows no protocol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"

namespace mcp::posix {

/// One connection of a TcpListener. Free while no client is connected; main loop, never blocks. Its peer() is the
/// address of IPv4, or the first 64 bits of that of IPv6: one host may use all 2^64 addresses of such a network, and
/// could otherwise be as many peers as it likes.
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

/// A listening socket, IPv4 or IPv6. Its connections are the caller's memory: one for each client at the same time.
class TcpListener final : public Listener {
 public:
  /// Binds to a numeric address ("127.0.0.1", "::1", "0.0.0.0") and port (0: any free one) and listens. "::" is every
  /// address of this machine, those of IPv4, too.
  TcpListener(std::span<TcpConnection> connections, const char* address, std::uint16_t port);
  ~TcpListener();
  TcpListener(const TcpListener&) = delete;
  TcpListener& operator=(const TcpListener&) = delete;

  /// False when the address could not be bound; errno says why: EADDRINUSE, EACCES, EADDRNOTAVAIL, EINVAL for a text
  /// that is no address.
  [[nodiscard]] bool ok() const { return fd_ >= 0; }
  /// The port that was bound.
  [[nodiscard]] std::uint16_t port() const { return port_; }

  /// Blocks until an accept, read or write can go on that would have blocked, and at most `timeout_ms`; until then it
  /// would block whenever it is tried, so this belongs into every turn of the main loop. What nobody reads wakes once.
  /// While the system has no file descriptor or memory for a further connection, at most 100 ms, so that it is accepted
  /// when there is one.
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
